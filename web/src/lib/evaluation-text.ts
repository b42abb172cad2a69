/** What an engine thinks of a move, in words first and in numbers second. */
import type { GameUi, Translate } from "./game-ui";
import type { Key } from "./i18n";
import type { Candidate } from "./wire";

type TranslatePage = (key: Key, values?: Record<string, string | number>) => string;

export interface Evaluation {
  words: string;
  /** Empty if the words say all. */
  numbers: string;
}

/** What a game says in its own way. */
export type EvaluationTexts = Pick<GameUi, "expectedOutcomeText" | "lossText" | "omittedReasons">;

const CERTAIN = 0.9995; // values are rounded to four digits
const LEVEL = 0.5; // points: less is "about level"
const RESULTS: Readonly<Record<string, Key>> = {
  win: "eval_win",
  team_win: "eval_win",
  loss: "eval_loss",
  team_loss: "eval_loss",
  draw: "eval_draw",
  team_draw: "eval_draw",
  indirect_win: "eval_win_repeating",
  indirect_loss: "eval_loss_repeating",
};

/** The message of a proven result, however it comes about: `win_by_freeze` is a win. */
const resultKey = (key: string): Key | undefined => RESULTS[key.replace(/_by_\w+$/, "")];

const percent = (share: number): number => Math.round(100 * share);

/** The value of a candidate for the seat to act. */
export function evaluation(each: Candidate, t: TranslatePage, ui: EvaluationTexts, translate: Translate): Evaluation {
  const known = each.facts.find(({ clause, key }) => clause === "ENGINE" && resultKey(key));
  if (known) return { words: t(resultKey(known.key)!, { count: Number(known.values["plies"] ?? 0) }), numbers: "" };
  const { expected } = each;
  if (expected?.score_lead != null) {
    const wins = t("eval_wins", { wins: percent(expected.win_rate) });
    return { words: leadText(expected.score_lead, t), numbers: wins };
  }
  if (expected && ui.expectedOutcomeText) return { words: ui.expectedOutcomeText(expected, translate), numbers: "" };
  return { words: t(valueKey(each.value)), numbers: "" };
}

function leadText(lead: number, t: TranslatePage): string {
  if (Math.abs(lead) < LEVEL) return t("eval_level");
  return t(lead > 0 ? "eval_ahead" : "eval_behind", { count: Math.max(1, Math.round(Math.abs(lead))) });
}

function valueKey(value: number): Key {
  if (value >= CERTAIN) return "eval_winning_surely";
  if (value <= -CERTAIN) return "eval_losing_surely";
  if (value > 0.6) return "eval_winning";
  if (value > 0.15) return "eval_better";
  if (value < -0.6) return "eval_losing";
  return value < -0.15 ? "eval_worse" : "eval_even";
}

/** What a move threw away compared with the best one; empty if that is not known. */
export function lossText(
  best: Candidate,
  played: Candidate,
  t: TranslatePage,
  ui: EvaluationTexts,
  translate: Translate,
): string {
  if (best.expected && played.expected) {
    const { score_lead: one } = best.expected;
    const { score_lead: other } = played.expected;
    if (one == null || other == null) return ui.lossText?.(best.expected, played.expected, translate) ?? "";
    if (one - other >= LEVEL) return t("lost_points", { count: Math.max(1, Math.round(one - other)) });
    const chances = percent(best.expected.win_rate - played.expected.win_rate);
    return chances > 0 ? t("lost_chances", { count: chances }) : "";
  }
  const isDraw = (value: number) => Math.abs(value) < 0.001;
  if (best.value >= CERTAIN) {
    if (played.value <= -CERTAIN) return t("lost_win_for_loss");
    return t(isDraw(played.value) ? "lost_win_for_draw" : "lost_win");
  }
  if (isDraw(best.value) && played.value <= -CERTAIN) return t("lost_draw");
  const chances = percent((best.value - played.value) / 2);
  return chances > 0 ? t("lost_chances", { count: chances }) : "";
}

/** Why a move is good, as sentences: what is certain of it, and what it does at once. */
export function reasons(each: Candidate, ui: EvaluationTexts): string[] {
  const omitted = new Set(ui.omittedReasons ?? []);
  const facts = each.facts.filter(({ key }) => !omitted.has(key) && !resultKey(key));
  const factKeys = new Set(facts.map(({ key }) => key));
  const effects = each.effects.filter(({ key }) => !omitted.has(key) && !factKeys.has(key));
  return [...new Set([...facts, ...effects].map(({ text }) => text))];
}
