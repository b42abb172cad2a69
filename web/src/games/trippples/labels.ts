/** Texts of Trippples: actions for the move list, directions, and labels for screen readers. */
import type { Translate } from "../../lib/game-ui";
import { directions, DIRECTIONS, numberInTeam, tileOf } from "./logic";
import type { View } from "./view";

/** The names of directions as a list: "north, east and south". */
export function directionNames(
  keys: string | readonly string[],
  translate: Translate,
  last: "and" | "or" = "and",
): string {
  return joinWords(
    directions(keys).map((each) => translate(`to${each.key}`)),
    translate(last),
  );
}

/** Words as a list: commas between, and a word before the last. */
export function joinWords(words: readonly string[], last: string): string {
  const [first, end] = [words.slice(0, -1), words.at(-1) ?? ""];
  return first.length ? `${first.join(", ")} ${last} ${end}` : end;
}

/** The arrows of a tile as characters, clockwise from the north: "↑→↙". */
export function arrowCharacters(keys: string): string {
  return directions(keys)
    .map((each) => "↑↗→↘↓↙←↖"[DIRECTIONS.indexOf(each)])
    .join("");
}

/** What lies on a square of a layout: `Q` and `O` are starts, `q` and `o` finishes, `N` a neutral tile. */
export function tileText(name: string, translate: Translate): string {
  const [start, finish] = ["QO".indexOf(name), "qo".indexOf(name)];
  if (start >= 0) return translate("start_of", { who: translate(`team${start}`) });
  if (finish >= 0) return translate("finish_of", { who: translate(`team${finish}`) });
  return name === "N" ? translate("neutral") : translate("arrows_to", { directions: directionNames(name, translate) });
}

/** The label of a square for screen readers. */
export function squareLabel(
  view: View,
  square: string,
  viewer: number | null,
  chosen: boolean,
  translate: Translate,
): string {
  const tile = tileOf(view, square);
  const words = [square];
  const start = view.starts.indexOf(square);
  const finish = view.finishes.indexOf(square);
  if (start >= 0) words.push(translate("start_of", { who: translate(`team${start}`) }));
  else if (finish >= 0) words.push(translate("finish_of", { who: translate(`team${finish}`) }));
  else if (tile === null) words.push(translate("no_tile"));
  else if (tile === "N") words.push(translate("neutral"));
  else if (tile === "?") words.push(translate("face_down"));
  else words.push(translate("arrows_to", { directions: directionNames(tile, translate) }));
  view.pawns.forEach((pawn, seat) => {
    if (pawn !== square) return;
    words.push(
      seat === viewer ? translate("your_pawn") : translate("pawn_of", { who: pawnName(view, seat, translate) }),
    );
  });
  if (chosen) words.push(translate(view.phase === "move" ? "may_enter" : "may_lay"));
  return words.join(", ");
}

/** "Square", or with two pawns per team "Square 2". */
export function pawnName(view: View, seat: number, translate: Translate): string {
  const team = translate(`team${view.teams[seat]}`);
  return view.teams.length > 2 ? `${team} ${numberInTeam(view, seat)}` : team;
}

/** A seat's name while no pawn stands on the board: "Round", "Round 2". */
export function seatName(view: View, seat: number, translate: Translate): string {
  const number = numberInTeam(view, seat);
  return `${translate(`team${view.teams[seat]}`)}${number > 1 ? ` ${number}` : ""}`;
}

/** An action as a short text for the move list. */
export function describeAction(text: string, translate: Translate): string {
  const [verb = "", rest = ""] = text.split(" ");
  if (verb === "fill") return translate("action_fill");
  if (verb === "zone") return translate("action_zone", { squares: rest.replaceAll(",", " ") });
  if (verb === "draw") return translate("action_draw", { tile: arrowCharacters(rest) });
  if (verb === "lay") return translate("action_lay", { square: rest });
  if (verb === "neutral") return translate("action_neutral", { square: rest });
  if (text.endsWith("!")) return translate("action_freeze", { square: text.slice(0, -1) });
  return translate("action_move", { square: text });
}
