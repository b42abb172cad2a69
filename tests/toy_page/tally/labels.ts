/** Tally in words: its actions in short, and the scores. */
import type { Translate } from "../../lib/game-ui";
import { countOf } from "./logic";
import type { View } from "./view";

/** An action in short words for the move list. */
export function describeAction(text: string, translate: Translate): string {
  const count = countOf(text);
  return count ? translate("action_take", { count }) : translate("action_deal");
}

/** What stands beside a player's name: the counters taken, and the card if it is seen. */
export function scoreText(seat: number, view: View, translate: Translate): string {
  const card = view.cards[seat] ?? 0;
  const taken = translate("taken", { count: view.taken[seat] ?? 0 });
  return card ? `${taken}, ${translate("card", { card })}` : taken;
}
