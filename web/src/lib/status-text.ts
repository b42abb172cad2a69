/** What the table says in one sentence: whose turn it is and what is asked, or how it ended. */
import type { Seat } from "./api";
import type { GameState } from "./wire";
import type { Key } from "./i18n";
import { ending } from "./game-state";

type Speak = (key: Key, values?: Record<string, string | number>) => string;

export function result(now: GameState, mine: readonly Seat[], name: (seat: Seat) => string, t: Speak): string {
  if (!now.outcome) return "";
  const won = now.outcome.winners;
  const who = { winners: won.map(name).join(", "), count: won.length };
  switch (ending(now, mine)) {
    case "won":
      return t("won");
    case "lost":
      return t("lost_game", who);
    case "draw":
      return t("draw_game");
    case "over":
      return now.seats.length > 1 ? t("wins", who) : t("over");
  }
}

/** The total of each team, where a team has several seats and the game counts points. */
export function totals(now: GameState, name: (seat: Seat) => string, t: Speak): string {
  const { scores = [], team_scores: teams = null } = now.outcome ?? {};
  if (!teams || teams.length < 2 || teams.length === scores.length || scores.every((score) => Math.abs(score) <= 1))
    return "";
  const sums = teams.map((total, team) => {
    const members = now.teams.flatMap((each, seat) => (each === team ? [name(seat)] : []));
    return `${members.join(" + ")} ${total}`;
  });
  return t("team_totals", { totals: sums.join(", ") });
}

export function sentence(
  now: GameState,
  mine: readonly Seat[],
  mover: Seat | null,
  name: (seat: Seat) => string,
  t: Speak,
): string {
  if (now.status === "open") return t("not_begun");
  if (now.outcome) return [result(now, mine, name, t), now.outcome.reason.text, totals(now, name, t)].join(" ").trim();
  if (mover !== null)
    return `${mine.length > 1 ? t("move_of", { name: name(mover) }) : t("your_move")} ${now.prompt?.text ?? ""}`;
  if (typeof now.to_act !== "number") return t("chance");
  return t(now.seats[now.to_act]!.kind === "bot" ? "computer_thinks" : "their_move", { name: name(now.to_act) });
}
