/** The actions that stand: what the log of a game comes to when undone ones are left out. */
import type { Happened, Seat } from "./api";

/** Who sits where, from what they said when they sat down: a bot, or a person by number. */
function person(text: string): string {
  const [kind, number] = text.split(" ");
  return kind === "bot" ? "" : (number ?? "");
}

/** An undo cuts the line back to before the last action of the seat that asked, once all who have a say agree. */
export function standing(log: readonly Happened[], seats: number): Happened[] {
  const line: Happened[] = [];
  const persons: string[] = Array.from({ length: seats }, () => "");
  let asked: Seat | null = null;
  let agreed = new Set<Seat>();

  const own = (seat: Seat): Seat[] =>
    persons.flatMap((each, at) => (at === seat || (each !== "" && each === persons[seat]) ? [at] : []));
  const settle = (): void => {
    if (asked === null) return;
    const say = new Set([...agreed, ...own(asked)]);
    const free = persons.every((each, at) => each === "" || own(asked!).includes(at));
    if (!free && say.size < seats) return;
    const cut = line.findLastIndex((each) => each.kind === "act" && each.seat === asked);
    if (cut >= 0) line.length = cut;
    asked = null;
  };

  for (const event of log) {
    const { kind, seat } = event;
    if (kind === "act" || kind === "deal") {
      line.push(event);
      asked = null;
    } else if (kind === "sit" && seat !== null) {
      persons[seat] = person(event.text);
    } else if (kind === "undo" && seat !== null) {
      asked = seat;
      agreed = new Set();
      settle();
    } else if (kind === "yes" && seat !== null) {
      own(seat).forEach((each) => agreed.add(each));
      settle();
    } else if (kind === "no") {
      asked = null;
    }
  }
  return line;
}

/** The last thing a seat did among the first actions of a line: what boards mark. Draws and throws since do not hide it. */
export function lastOf(line: readonly Happened[], shown: number): { seat: Seat; text: string } | null {
  const event = line.slice(0, shown).findLast((each) => each.kind === "act");
  return event && event.seat !== null ? { seat: event.seat, text: event.text } : null;
}
