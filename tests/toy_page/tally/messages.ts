/** What the board of Tally says: in English only. The page uses English where a language is missing. */
export const messages: Record<string, Record<string, string>> = {
  en: {
    heap: "{count} counters on the heap",
    take: "Take {count}",
    action_take: "takes {count}",
    action_deal: "the cards are dealt",
    taken: "{count} taken",
    card: "card {card}",
    tutorial_1: "Take one, two or three counters from the heap. Your secret card counts at the end.",
  },
};
