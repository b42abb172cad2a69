/** Texts of Triggery: actions for the move list, scores, and labels for screen readers. */
import type { SoloGame, SoloResult, Translate } from "../../lib/game-ui";
import type { ExpectedOutcome, GameEvent } from "../../lib/wire";
import { cellIndex, CELL_NAMES, isOpen, sheetEntries } from "./logic";
import type { RoundResult, View } from "./view";

/** The name of a line. */
export function lineName(name: string, translate: Translate): string {
  if (name === "\\") return translate("diagonal_down");
  if (name === "/") return translate("diagonal_up");
  return translate(/\d/.test(name) ? "row" : "column", { name });
}

/** The label of a cell for screen readers. */
export function cellLabel(view: View, board: number, cell: number, mayAct: boolean, translate: Translate): string {
  const tile = view.boards[board]?.[cell];
  const name = CELL_NAMES[cell] ?? "";
  const words = [name];
  if (tile === "?") words.push(translate("turned"));
  else if (tile === "*") words.push(translate("star"));
  else words.push(tile === null || tile === undefined ? translate("empty") : String(tile));
  const cost = view.costs[name];
  if (mayAct && cost !== undefined) {
    words.push(cost ? translate("costs", { cost }) : translate("free"));
    const chain = view.chains[name]?.length ?? 0;
    if (chain) words.push(translate("sets_off", { count: chain }));
  }
  return words.join(", ");
}

/** The cost of turning a tile over, and the chain that it would start, as text. */
export function flipPreviewText(view: View, board: number, cell: string, translate: Translate): string {
  const tile = view.boards[board]?.[cellIndex(cell)];
  if (!isOpen(tile)) return "";
  const cost = view.costs[cell];
  if (cost === undefined) return tile === "*" ? translate("flip_star_rule") : translate("flip_unaffordable", { cell });
  const chain = view.chains[cell]?.length ?? 0;
  const first = cost
    ? translate("flip_costs", { cell, cost, left: view.budget_left - cost })
    : translate("flip_is_free", { cell });
  return chain ? `${first} ${translate("flip_starts_chain", { count: chain })}` : first;
}

/** The result of the first round, and what follows. */
export function roundResultText(result: RoundResult, translate: Translate): { title: string; text: string } {
  const { winner, loser, points } = result;
  const over = translate("round_over", { who: translate(`side${winner}`), other: translate(`side${loser}`), points });
  return { title: translate("return_round"), text: `${over} ${translate("boards_exchanged")}` };
}

/** An action as a short text for the move list. */
export function describeAction(text: string, translate: Translate): string {
  const [verb = "", one = "", two = ""] = text.split(" ");
  const dice = one.replace("-", "–");
  if (verb === "fill") return translate(one === "yellow" ? "action_fill_yellow" : "action_fill_blue");
  if (verb === "contest") return translate("action_contest", { dice });
  if (verb === "throw") return translate("action_throw", { dice });
  if (verb === "turn") return one;
  if (verb === "malus") return translate("action_malus", { line: lineName(one, translate), cell: two });
  if (verb === "done") return translate("action_done");
  return verb === "reject" ? translate("action_reject") : text;
}

/** A throw and the tiles that were turned with it: "3–5: c4, d2, with chains 9 tiles". */
export function describeTurn(
  { chance, actions }: { chance: readonly string[]; actions: readonly GameEvent[] },
  translate: Translate,
): string {
  const throws = chance.filter((text) => text.startsWith("throw "));
  const dice = throws.at(-1)?.split(" ")[1]?.replace("-", "–");
  const flips = actions.filter(({ text }) => text.startsWith("turn "));
  const freed = flips.reduce((sum, { effects = [] }) => {
    const chain = effects.find(({ key }) => key === "chain")?.values["cells"];
    return sum + (typeof chain === "string" ? chain.split(" ").length : 0);
  }, 0);
  const words = actions
    .filter(({ text }) => text !== "done" || actions.length === 1)
    .map(({ text }) => describeAction(text, translate))
    .join(", ");
  const text = freed ? translate("turn_with_chain", { words, count: flips.length + freed }) : words;
  return dice ? translate("turn_with_dice", { dice, words: text }) : text;
}

const throwsOf = (expected: ExpectedOutcome): number => -(expected.scores[0] ?? 0);

/** What a player alone may expect. */
export const expectedOutcomeText = (expected: ExpectedOutcome, translate: Translate): string =>
  translate("expected_throws", { count: Math.round(throwsOf(expected)) });

/** What a turn of a player alone cost. */
export function lossText(best: ExpectedOutcome, played: ExpectedOutcome, translate: Translate): string {
  const lost = throwsOf(played) - throwsOf(best);
  return lost < 0.75 ? translate("lost_half_throw") : translate("lost_throws", { count: Math.round(lost) });
}

/** The result of a player alone: the throws. */
export function soloResult({ view, first, outcome }: SoloGame<View>, translate: Translate): SoloResult | null {
  const score = -(outcome.scores[0] ?? 0);
  const scoreText = (count: number) => translate("throws", { count });
  return {
    title: translate("solo_title", { count: score }),
    text: translate("solo_text", { points: view.throw_sum }),
    score,
    scoreText,
    board: (first.boards[0] ?? []).join(","),
    par: (expectedScore) => -expectedScore,
    repeats: true,
    chanceOptions: ["dice", "board"],
  };
}

/** The score beside a player's name: the points lost, or for one player alone the throws. */
export function scoreText(seat: number, view: View, translate: Translate): string {
  if (view.solo) {
    const count = sheetEntries(view).length;
    return count ? translate("throws", { count }) : "";
  }
  return view.round > 1 ? translate("lost_points", { points: view.points_lost[view.sides[seat] ?? 0] ?? 0 }) : "";
}

/** The final score: throws, points lost or rounds won, depending on the options. */
export function finalScoreText(_: number, points: number, view: View, translate: Translate): string {
  if (view.solo) return translate("throws", { count: -points });
  return view.by_rounds
    ? translate("won_rounds", { count: points })
    : translate("lost_points", { points: Math.abs(points) });
}
