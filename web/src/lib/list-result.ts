/** How a finished game of a list ended, in a few words. */
import { pointsText } from "./scores";
import type { Key } from "./i18n";
import type { GameSummary, SummaryResult } from "./wire";

type TranslatePage = (key: Key, values?: Record<string, string | number>) => string;

/** "You won · 45:38", or nothing if it is not known. `solo` has the words for a player alone. */
export function listResult(
  game: GameSummary,
  name: (seat: number) => string,
  t: TranslatePage,
  solo: (game: GameSummary, result: SummaryResult) => string = () => "",
): string {
  const { result, seats } = game;
  if (!result) return "";
  if (seats.length < 2) return solo(game, result);
  const { my_seats: mine, winners, scores, has_points } = result;
  const points = has_points ? scores.map(pointsText).join(":") : "";
  return [outcome(), points].filter(Boolean).join(" · ");

  function outcome(): string {
    if (!winners.length || winners.length === seats.length) return t("result_draw");
    if (mine.length === 1) return t(winners.includes(mine[0]!) ? "result_won" : "result_lost");
    return t("result_winner", { names: winners.map(name).join(", "), count: winners.length });
  }
}
