/** The status of a game in one sentence: whose turn it is and what to do, or the result. */
import type { Seat } from "./api";
import type { GameState } from "./wire";
import type { Key } from "./i18n";
import { resultFor } from "./game-state";
import { finalTotals, pointsText } from "./scores";

type TranslatePage = (key: Key, values?: Record<string, string | number>) => string;

export function resultText(
  state: GameState,
  mySeats: readonly Seat[],
  name: (seat: Seat) => string,
  t: TranslatePage,
): string {
  if (!state.outcome) return "";
  const won = state.outcome.winners;
  const who = { winners: won.map(name).join(", "), count: won.length };
  switch (resultFor(state, mySeats)) {
    case "won":
      return t(state.seats.length > 1 ? "you_won" : "solo_done");
    case "lost":
      return t("you_lost", who);
    case "draw":
      return t("draw");
    case "over":
      return state.seats.length > 1 ? t("winners_won", who) : t("game_over");
  }
}

/** A sentence to be continued. */
export const withoutFullStop = (sentence: string): string => sentence.replace(/\.\s*$/, "");

/** Whose turns were skipped, in a sentence. */
export function skippedText(
  skipped: readonly Seat[],
  mySeats: readonly Seat[],
  name: (seat: Seat) => string,
  t: TranslatePage,
): string {
  const me = mySeats.length === 1 ? mySeats[0] : undefined; // users with several seats are called by their names
  const others = skipped.filter((seat) => seat !== me);
  const names = others.map(name).join(", ");
  if (others.length === skipped.length) return t("skipped", { names, count: others.length });
  return others.length ? t("skipped_you_and", { names }) : t("skipped_you");
}

/** What the list of moves says of a skipped turn, after the name of its player. */
export const skippedTurnText = (seat: Seat | null, mySeats: readonly Seat[], t: TranslatePage): string =>
  t(mySeats.length === 1 && mySeats[0] === seat ? "skipped_turn_you" : "skipped_turn");

/** The reason of the end, in which other players have their names instead of what the game calls their seats.
 *
 * `own` has the sentence for the user: of the game, with "you" as its subject. Null if there is none. */
export function reasonText(
  state: GameState,
  mySeats: readonly Seat[],
  name: (seat: Seat) => string,
  own: (key: string, values: Record<string, string | number>) => string | null,
): string {
  const { reason } = state.outcome!;
  const seat = reason.values["seat"];
  if (typeof seat !== "number" || !state.seats[seat]) return reason.text;
  const values = Object.fromEntries(
    Object.entries(reason.values).filter((each): each is [string, string | number] =>
      ["string", "number"].includes(typeof each[1]),
    ),
  );
  if (mySeats.length === 1 && mySeats[0] === seat) return own(`reason_you_${reason.key}`, values) ?? reason.text;
  return reason.text.replace(state.seats[seat].title, name(seat));
}

/** The total of each team, where a team has several seats and the game counts points. */
export function teamTotalsText(state: GameState, name: (seat: Seat) => string, t: TranslatePage): string {
  const totals = finalTotals(state);
  if (!totals.length || totals.length === state.seats.length) return "";
  const sums = totals.map(({ seats, points }) => `${seats.map(name).join(" + ")} ${pointsText(points)}`);
  return t("team_totals", { totals: sums.join(", ") });
}

export function statusText(
  state: GameState,
  mySeats: readonly Seat[],
  seatToAct: Seat | null,
  name: (seat: Seat) => string,
  t: TranslatePage,
  reason = state.outcome?.reason.text ?? "",
): string {
  if (state.status === "open") return t("waiting_for_players");
  if (state.outcome)
    return [resultText(state, mySeats, name, t), reason, teamTotalsText(state, name, t)].join(" ").trim();
  if (seatToAct !== null)
    return `${mySeats.length > 1 ? t("turn_of", { name: name(seatToAct) }) : t("your_move")} ${state.prompt?.text ?? ""}`;
  if (typeof state.to_act !== "number") return t("chance_acts");
  return t(state.seats[state.to_act]!.kind === "bot" ? "computer_thinks" : "their_move", { name: name(state.to_act) });
}
