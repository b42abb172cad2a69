/** Texts of Triolet: actions for the move list, and labels for screen readers. */
import type { Translate } from "../../lib/game-ui";
import {
  type PlacedToken,
  squareName,
  parseExchange,
  parsePlacement,
  parseToken,
  type Special,
  tokenText,
} from "./logic";

/** A token as it is drawn: jokers carry a star. */
export const tokenFace = (token: string) => token.replace("J", "★");

export function describeAction(text: string, translate: Translate): string {
  const laid = parsePlacement(text);
  if (laid)
    return laid
      .map((each) => translate("action_place", { token: tokenFace(tokenText(each)), square: squareName(each.square) }))
      .join(", ");
  const given = parseExchange(text);
  if (given)
    return given.includes("?")
      ? translate("action_exchange", { what: given.length })
      : translate("action_exchange", { what: given.map(tokenFace).join(" ") });
  const [kind, seat, tokens] = text.split(" ");
  if (kind === "lots") return translate("action_lots", { seat: seat ?? "" });
  if (kind === "draw") return translate("action_draw", { count: tokens?.split(",").length ?? 0 });
  return text;
}

export function tokenLabel(token: string, translate: Translate): string {
  const { joker, value } = parseToken(token);
  if (!joker) return translate("token", { value: token });
  return value === null ? translate("joker") : translate("joker_of", { value });
}

/** What the label of a square is made from: its token, that of my draft, its special value, and a chosen token that fits. */
export interface SquareInfo {
  lies: string | null;
  mine: PlacedToken | null;
  printed: Special;
  fits: string | null;
}

export function squareLabel(square: number, { lies, mine, printed, fits }: SquareInfo, translate: Translate): string {
  const name = squareName(square);
  if (lies) return translate("square_taken", { square: name, token: tokenLabel(lies, translate) });
  if (mine) return translate("square_mine", { square: name, token: tokenLabel(tokenText(mine), translate) });
  const words = [translate("square_free", { square: name })];
  if (printed) words.push(translate(printed));
  if (fits) words.push(translate("token_fits", { token: tokenLabel(fits, translate) }));
  return words.join(", ");
}
