import { expect, test } from "vitest";
import type { GameOption } from "./wire";
import { changedOptions, optionField, relevantOptions } from "./options";

const option = (description: string, choices: string[] = []): GameOption => ({
  name: "x",
  description,
  choices,
  default: choices[0] ?? "",
  clause: "A-1",
  advanced: false,
  relevant_if: [],
});

test("choices that are explained are shown in words", () => {
  const made = optionField(
    option("Who takes the bonuses: automatic, the game does; by-hand, the players do.", ["automatic", "by-hand"]),
  );
  expect(made).toMatchObject({ label: "Who takes the bonuses", help: "", explained: true });
  expect(made.choices).toEqual([
    { value: "automatic", text: "The game does" },
    { value: "by-hand", text: "The players do" },
  ]);
});

test("a French colon has a space before it", () => {
  const made = optionField(option("Ce qui se voit : face-up, toutes ; face-down, aucune.", ["face-up", "face-down"]));
  expect(made.label).toBe("Ce qui se voit");
  expect(made.choices[1]!.text).toBe("Aucune");
});

test("choices that are not all explained are shown as they are, with the whole line", () => {
  const made = optionField(
    option("For one player: the figure to tile; own, that of the option shape.", ["little-ring", "own"]),
  );
  expect(made).toMatchObject({ explained: false, help: "The figure to tile; own, that of the option shape" });
  expect(made.choices[0]!.text).toBe("Little ring");
});

test("free text has no choices", () => {
  expect(optionField(option("The tiles of each bag, with commas between: 7 a number.")).choices).toEqual([]);
  expect(optionField(option("No colon here.")).label).toBe("x");
});

test("only what is unusual is sent", () => {
  const options = [option("a: b", ["one", "two"])];
  expect(changedOptions(options, { x: "one" })).toEqual({});
  expect(changedOptions(options, { x: "two" })).toEqual({ x: "two" });
  expect(changedOptions(options, {})).toEqual({});
});

test("an option is offered only where it matters", () => {
  const [players, figure, shape] = [option("", ["1", "2"]), option("", ["star", "own"]), option("")];
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
  const [players, teams, start] = [
    option("", ["4", "3", "2"]),
    option("", ["off", "on"]),
    option("", ["opposite", "free"]),
  ];
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
