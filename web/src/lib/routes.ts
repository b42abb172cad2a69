/** The routes of the page. They are in the hash of the address, so that one file serves them and secrets stay in the browser. */

export type Mode = "computer" | "screen" | "invite" | "solo";
export type Route =
  | { at: "home" }
  | { at: "new"; key: string; mode: Mode }
  | { at: "game"; id: string }
  | { at: "claim"; id: string; token: string }
  | { at: "rules"; key: string; clause: string | null }
  | { at: "import" }
  | { at: "notFound" };

const MODES: readonly string[] = ["computer", "screen", "invite", "solo"];
const KEY = /^[a-z0-9_-]{1,32}$/;
const ID = /^[0-9a-f]{16}$/;
const TOKEN = /^[\w-]{8,64}$/;
const CLAUSE = /^[A-Z]+-\d+$/;

export function parseRoute(hash: string): Route {
  const parts = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .filter(Boolean);
  const [at, one = "", two, three = ""] = parts;
  if (!at) return { at: "home" };
  if (at === "import") return { at: "import" };
  if (at === "new" && KEY.test(one)) {
    return { at: "new", key: one, mode: two && MODES.includes(two) ? (two as Mode) : "computer" };
  }
  if (at === "g" && ID.test(one)) {
    if (!two) return { at: "game", id: one };
    if (two === "seat" && TOKEN.test(three)) return { at: "claim", id: one, token: three };
  }
  if (at === "rules" && KEY.test(one)) {
    return { at: "rules", key: one, clause: two && CLAUSE.test(two) ? two : null };
  }
  return { at: "notFound" };
}

export function routeHash(route: Route): string {
  switch (route.at) {
    case "home":
    case "notFound":
      return "#/";
    case "new":
      return `#/new/${route.key}${route.mode === "computer" ? "" : `/${route.mode}`}`;
    case "game":
      return `#/g/${route.id}`;
    case "claim":
      return `#/g/${route.id}/seat/${route.token}`;
    case "import":
      return "#/import";
    case "rules":
      return `#/rules/${route.key}${route.clause ? `/${route.clause}` : ""}`;
  }
}
