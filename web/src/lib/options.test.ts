import { expect, test } from "vitest";
import type { GameOption } from "./wire";
import { changedOptions, relevantOptions } from "./options";

const option = (choices: string[] = []): GameOption => ({
  name: "x",
  label: "",
  help: "",
  choices: choices.map((value) => ({ value, text: "" })),
  explains_choices: false,
  default: choices[0] ?? "",
  clause: "A-1",
  advanced: false,
  relevant_if: [],
});

test("only what is unusual is sent", () => {
  const options = [option(["one", "two"])];
  expect(changedOptions(options, { x: "one" })).toEqual({});
  expect(changedOptions(options, { x: "two" })).toEqual({ x: "two" });
  expect(changedOptions(options, {})).toEqual({});
});

test("an option is offered only where it matters", () => {
  const [players, figure, shape] = [option(["1", "2"]), option(["star", "own"]), option()];
  Object.assign(players, { name: "players" });
  Object.assign(figure, { name: "figure", relevant_if: [{ players: ["1"] }] });
  Object.assign(shape, { name: "shape", relevant_if: [{ players: ["1"], figure: ["own"] }] });
  const names = (values: Record<string, string>) =>
    relevantOptions([players, figure, shape], values).map(({ name }) => name);
  expect(names({ players: "2", figure: "own" })).toEqual(["players"]);
  expect(names({})).toEqual(["players", "figure"]);
  expect(names({ figure: "own" })).toEqual(["players", "figure", "shape"]);
});

test("an option may matter in several cases", () => {
  // Starts that belong together were offered to four players without teams, and then refused.
  const [players, teams, start] = [option(["4", "3", "2"]), option(["off", "on"]), option(["opposite", "free"])];
  Object.assign(players, { name: "players" });
  Object.assign(teams, { name: "teams", relevant_if: [{ players: ["4"] }] });
  Object.assign(start, { name: "start", relevant_if: [{ players: ["2"] }, { players: ["4"], teams: ["on"] }] });
  const names = (values: Record<string, string>) =>
    relevantOptions([players, teams, start], values).map(({ name }) => name);
  expect(names({})).toEqual(["players", "teams"]);
  expect(names({ teams: "on" })).toEqual(["players", "teams", "start"]);
  expect(names({ players: "2" })).toEqual(["players", "start"]);
  expect(names({ players: "3", teams: "on" })).toEqual(["players"]);
});
