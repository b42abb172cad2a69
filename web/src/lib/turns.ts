/** The moves of a game as the list shows them: numbered turns, what chance did, and the turns that were skipped. */
import type { Seat } from "./api";
import type { GameEvent, ScoreChange } from "./wire";

export interface Turn {
  /** Counted from 1 over the turns of seats; chance and skipped turns have none. */
  number: number | null;
  kind: "turn" | "chance" | "skipped";
  /** Null for chance. */
  seat: Seat | null;
  /** The number of actions before it, and after it. */
  from: number;
  to: number;
  /** The actions of the seat, or of chance. */
  events: readonly GameEvent[];
  /** What chance did just before. */
  chance: readonly GameEvent[];
  /** The points that the seat gained; null in games without points. */
  gain: number | null;
}

/** The turns of a game. If `grouped`, the actions of a seat up to the next of another seat or of chance are one turn. */
export function turnsOf(events: readonly GameEvent[], grouped: boolean, scores: readonly ScoreChange[] = []): Turn[] {
  const gains = new Map(scores.map((each) => [each.action_index, each]));
  const turns: Turn[] = [];
  let [number, chance] = [0, [] as GameEvent[]];
  events.forEach((event, at) => {
    const to = at + 1;
    const { seat } = event;
    const points = gains.get(to);
    const gain = seat === null || !points ? null : (points.gains[seat] ?? 0);
    const last = turns.at(-1);
    if (event.type !== "action" || seat === null) {
      chance.push(event);
      turns.push({ number: null, kind: "chance", seat: null, from: at, to, events: [event], chance: [], gain: null });
    } else if (grouped && last?.kind === "turn" && last.seat === seat) {
      const total = gain === null && last.gain === null ? null : (last.gain ?? 0) + (gain ?? 0);
      turns[turns.length - 1] = { ...last, to, events: [...last.events, event], gain: total };
    } else {
      turns.push({ number: ++number, kind: "turn", seat, from: at, to, events: [event], chance, gain });
      chance = [];
    }
    for (const each of event.skipped ?? [])
      turns.push({ number: null, kind: "skipped", seat: each, from: to, to, events: [], chance: [], gain: null });
  });
  return turns;
}

/** A turn that a seat could not use, and the number of actions before it. */
export interface SkippedTurn {
  seat: Seat;
  action_index: number;
}

/** The turns that were skipped within the first `shown` actions, in order. */
export function skippedTurns(turns: readonly Turn[], shown: number): SkippedTurn[] {
  return turns.flatMap(({ kind, seat, to }) =>
    kind === "skipped" && seat !== null && to <= shown ? [{ seat, action_index: to }] : [],
  );
}

/** The turns of others since my last one, among the first `shown` actions; without seats of my own the last turn. */
export function turnsOfOthers(turns: readonly Turn[], shown: number, mine: readonly Seat[]): Turn[] {
  const before = turns.filter((each) => each.to <= shown && each.kind !== "chance");
  if (!mine.length) return before.filter((each) => each.kind === "turn").slice(-1);
  const isMine = (each: Turn) => each.kind === "turn" && each.seat !== null && mine.includes(each.seat);
  return before.slice(before.findLastIndex(isMine) + 1);
}

/** The actions that the board marks: those of others since my last one, or else the last of all. */
export function markedActions(
  events: readonly GameEvent[],
  shown: number,
  mine: readonly Seat[],
): { seat: Seat; text: string }[] {
  const actions = events
    .slice(0, shown)
    .flatMap(({ type, seat, text }) => (type === "action" && seat !== null ? [{ seat, text }] : []));
  if (!mine.length) return actions.slice(-1);
  const others = actions.slice(actions.findLastIndex(({ seat }) => mine.includes(seat)) + 1);
  return others.length ? others : actions.slice(-1);
}

/** The number of actions after which the winner was ahead for good, or the best move of a winner who always was.
 *
 * Null in games without points, and if no seat or every seat has won. */
export function decisiveAction(
  scores: readonly ScoreChange[],
  winners: readonly Seat[],
  teams: readonly number[],
): number | null {
  const first = winners[0];
  if (first === undefined || winners.length === teams.length || new Set(teams).size < 2) return null;
  const team = teams[first]!;
  const isAhead = ({ team_scores: totals }: ScoreChange): boolean =>
    totals.every((total, other) => other === team || total < totals[team]!);
  const moves = scores.filter((each) => each.seat !== null);
  const behind = moves.findLastIndex((each) => !isAhead(each));
  if (behind >= 0 && behind < moves.length - 1) return moves[behind + 1]!.action_index;
  const own = moves.filter((each) => winners.includes(each.seat!));
  const best = own.toSorted((one, other) => (other.gains[other.seat!] ?? 0) - (one.gains[one.seat!] ?? 0))[0];
  return best && (best.gains[best.seat!] ?? 0) > 0 ? best.action_index : null;
}
