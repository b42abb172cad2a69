/** Triolet in words: its actions in short, and its squares as they are read aloud. */
import type { Say } from "../../lib/game-ui";
import { type Laid, nameOf, readExchange, readPlacement, readToken, type Special, tokenText } from "./logic";

/** A token as it is drawn: jokers carry a star. */
export const face = (token: string) => token.replace("J", "★");

export function describeAction(text: string, say: Say): string {
  const laid = readPlacement(text);
  if (laid) return laid.map((each) => `${face(tokenText(each))} ${nameOf(each.square)}`).join(", ");
  const given = readExchange(text);
  if (given)
    return given.includes("?")
      ? say("exchanges", { what: given.length })
      : say("exchanges", { what: given.map(face).join(" ") });
  const [kind, seat, tokens] = text.split(" ");
  if (kind === "lots") return say("begins", { seat: seat ?? "" });
  if (kind === "draw") return say("draws", { count: tokens?.split(",").length ?? 0 });
  return text;
}

export function tokenLabel(token: string, say: Say): string {
  const { joker, value } = readToken(token);
  if (!joker) return say("token", { value: token });
  return value === null ? say("joker") : say("joker_of", { value });
}

/** What is known of a square: what lies there, what I laid there, what is printed, which chosen token fits. */
export interface About {
  lies: string | null;
  mine: Laid | null;
  printed: Special;
  fits: string | null;
}

export function squareLabel(square: number, { lies, mine, printed, fits }: About, say: Say): string {
  const name = nameOf(square);
  if (lies) return say("lies", { square: name, token: tokenLabel(lies, say) });
  if (mine) return say("mine", { square: name, token: tokenLabel(tokenText(mine), say) });
  const words = [say("free", { square: name })];
  if (printed) words.push(say(printed));
  if (fits) words.push(say("can_lie", { token: tokenLabel(fits, say) }));
  return words.join(", ");
}
