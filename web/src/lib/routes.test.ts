import { expect, test } from "vitest";
import { parseRoute, routeHash, type Route } from "./routes";

const ID = "0123456789abcdef";

test.each<[string, Route]>([
  ["#/", { at: "home" }],
  ["#/new/chess", { at: "new", key: "chess", mode: "computer" }],
  ["#/new/chess/invite", { at: "new", key: "chess", mode: "invite" }],
  [`#/g/${ID}`, { at: "game", id: ID }],
  [`#/g/${ID}/seat/abc_DEF-123`, { at: "claim", id: ID, token: "abc_DEF-123" }],
  ["#/import", { at: "import" }],
  ["#/rules/chess", { at: "rules", key: "chess", clause: null }],
  ["#/rules/chess/CH-3", { at: "rules", key: "chess", clause: "CH-3" }],
])("%s is read and written back", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
  expect(routeHash(route)).toBe(hash);
});

test.each(["#/g/xyz", `#/g/${ID}/seat/no`, "#/rules/../x", "#/somewhere", `#/g/${ID}/else`])(
  "%s leads nowhere",
  (hash) => {
    expect(parseRoute(hash).at).toBe("notFound");
  },
);

test("no hash, and one without a slash, are home", () => {
  expect(parseRoute("")).toEqual({ at: "home" });
  expect(parseRoute("#")).toEqual({ at: "home" });
});

test("an unknown mode is the usual one, an unknown clause none", () => {
  expect(parseRoute("#/new/chess/upside-down")).toMatchObject({ mode: "computer" });
  expect(parseRoute("#/rules/chess/<b>")).toMatchObject({ clause: null });
});
