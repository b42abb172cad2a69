/** Triolet's actions in short words. */
import type { Say } from "../../lib/game-ui";
import { nameOf, readExchange, readPlacement, tokenText } from "./logic";

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
