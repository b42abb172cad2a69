/** The live connection of one game: what is known of it, what was sent and not yet answered, and healing.
 *
 * The server is the only truth: nothing is played here. What was sent stays in the outbox until it is
 * answered, and goes out again with the same id after a lost connection, so that it happens once. */
import type { Happened, Refusal, Seat, Sight, Snapshot, What } from "./api";

export type Connection = "connecting" | "online" | "waiting" | "gone";

export interface Known {
  connection: Connection;
  state: Sight | null;
  log: readonly Happened[];
  mine: readonly Seat[];
  present: readonly Seat[];
  watching: number;
  /** Something was sent and is not yet answered. */
  pending: string | null;
  rematch: string | null;
}

/** What a player sent and nobody answered yet. */
export type Up =
  { type: "act"; id: string; seq: number; action: string } | { type: "do"; id: string; what: What; seat?: Seat };

type Down =
  | ({ type: "snapshot" } & Snapshot)
  | { type: "missed"; events: Happened[]; state: Sight; mine: Seat[] }
  | { type: "event"; event: Happened; state?: Sight }
  | { type: "ok"; id: string; seq: number }
  | { type: "refused"; id: string | null; error: Refusal; resync?: boolean }
  | { type: "presence"; seats: Seat[]; watching: number }
  | { type: "rematch"; id: string }
  | { type: "pong" }
  | { type: "closing" };

/** The part of a WebSocket that is used. */
export interface Line {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** What a client needs from the world; tests bring their own. */
export interface World {
  connect: () => Line;
  later: (work: () => void, ms: number) => number;
  cancel: (timer: number) => void;
  random: () => number;
  id: () => string;
  /** Keep what is not answered over a reload of the tab; null: nothing is left. */
  keep: (up: Up | null) => void;
  kept: () => Up | null;
}

export interface Listener {
  changed: (known: Known) => void;
  /** Something happened just now, not in the past that a new connection tells. */
  happened?: (event: Happened) => void;
  refused?: (refusal: Refusal) => void;
}

const GONE = 4404;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 6_000;

export class GameClient {
  known: Known = {
    connection: "connecting",
    state: null,
    log: [],
    mine: [],
    present: [],
    watching: 0,
    pending: null,
    rematch: null,
  };

  private line: Line | null = null;
  private isUp = false;
  private outbox: Up | null = null;
  private fresh: Happened[] = []; // events of a batch whose state has not come yet
  private attempts = 0;
  private retry: number | null = null;
  private beat: number | null = null;
  private resyncing = false;
  private closed = false;
  private leaving = false;

  constructor(
    private readonly world: World,
    private readonly listener: Listener,
    private lang: string,
    private seat: Seat | null = null,
  ) {
    this.outbox = world.kept();
    if (this.outbox) this.known = { ...this.known, pending: named(this.outbox) };
    this.open();
  }

  // -- what a player does --

  /** Play an action. False: the last one is still on its way. */
  act(action: string): boolean {
    return this.put({ type: "act", id: this.world.id(), seq: this.seq, action });
  }

  do(what: What, seat?: Seat): boolean {
    return this.put({ type: "do", id: this.world.id(), what, ...(seat === undefined ? {} : { seat }) });
  }

  /** Look through the eyes of one of my seats; the log may read differently, so all of it is asked for. */
  sit(seat: Seat | null): void {
    this.seat = seat;
    this.resync();
  }

  speak(lang: string): void {
    if (lang === this.lang) return;
    this.lang = lang;
    this.hello(this.seq);
  }

  /** Ask for everything anew. */
  resync(): void {
    this.resyncing = true;
    this.hello(null);
  }

  /** The network is back, or the tab is looked at again: do not wait any longer. */
  wake(): void {
    if (this.closed || this.known.connection === "gone") return;
    if (this.line && this.known.connection === "online") this.ping();
    else if (this.retry !== null) this.reopen();
  }

  /** The network is gone: do not wait until that is noticed. */
  lose(): void {
    if (!this.closed) this.lost(0);
  }

  /** The player leaves the table. A move that is still on its way is seen through first, in silence. */
  close(): void {
    this.leaving = true;
    if (this.outbox && this.known.connection !== "gone") return;
    this.closed = true;
    this.drop();
    this.stop("retry");
  }

  // -- the line --

  private get seq(): number {
    return this.known.log.length;
  }

  private open(): void {
    const line = this.world.connect();
    this.line = line;
    line.onopen = () => {
      this.isUp = true;
      this.hello(this.known.state && !this.resyncing ? this.seq : null);
    };
    line.onmessage = (message) => {
      if (line === this.line && typeof message.data === "string") this.receive(JSON.parse(message.data) as Down);
    };
    line.onclose = (event) => {
      if (line === this.line) this.lost(event.code);
    };
  }

  private reopen(): void {
    this.stop("retry");
    this.drop();
    this.open();
  }

  private drop(): void {
    const line = this.line;
    this.line = null;
    this.isUp = false;
    this.stop("beat");
    if (line) {
      line.onopen = line.onmessage = line.onclose = null;
      line.close();
    }
  }

  /** Exponential back-off with jitter, so that a restarted server is not stormed. */
  private lost(code: number): void {
    this.drop();
    this.fresh = [];
    if (code === GONE) {
      this.world.keep(null);
      this.tell({ connection: "gone" });
      if (this.leaving) this.close();
      return;
    }
    this.tell({ connection: this.known.state ? "waiting" : "connecting" });
    if (this.closed || this.retry !== null) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts++);
    this.retry = this.world.later(() => this.reopen(), wait * (0.5 + this.world.random()));
  }

  /** What was refused has no id: a hello, or more than could be read. Begin again, through any eyes. */
  private unheard(): void {
    this.seat = null;
    this.resyncing = true;
    this.lost(0);
  }

  private stop(which: "retry" | "beat"): void {
    const timer = this[which];
    if (timer !== null) this.world.cancel(timer);
    this[which] = null;
  }

  private ping(): void {
    this.stop("beat");
    this.send({ type: "ping" });
    this.beat = this.world.later(() => this.lost(0), PONG_WITHIN);
  }

  private send(message: unknown): void {
    if (this.isUp) this.line?.send(JSON.stringify(message));
  }

  private hello(seq: number | null): void {
    this.send({ type: "hello", seq, seat: this.seat, lang: this.lang });
  }

  private put(message: Up): boolean {
    if (this.outbox || this.leaving) return false;
    this.outbox = message;
    this.world.keep(message);
    this.tell({ pending: named(message) });
    if (this.known.connection === "online") this.send(message);
    return true;
  }

  private answered(id: string | null): boolean {
    if (!this.outbox || this.outbox.id !== id) return false;
    this.outbox = null;
    this.world.keep(null);
    this.tell({ pending: null });
    if (this.leaving) this.close();
    return true;
  }

  // -- what comes --

  private receive(message: Down): void {
    this.stop("beat");
    this.beat = this.world.later(() => this.ping(), PING_EVERY);
    switch (message.type) {
      case "snapshot":
        this.welcomed(message.log, message);
        break;
      case "missed":
        if (message.events.length && message.events[0]!.seq !== this.seq + 1) this.resync();
        else this.welcomed([...this.known.log, ...message.events], message);
        break;
      case "event":
        this.event(message.event, message.state);
        break;
      case "ok":
        this.answered(message.id);
        break;
      case "refused":
        this.answered(message.id);
        if (this.closed) break;
        if (message.resync) this.resync();
        else if (message.id === null) this.unheard();
        if (!this.leaving) this.listener.refused?.(message.error);
        break;
      case "presence":
        this.tell({ present: message.seats, watching: message.watching });
        break;
      case "rematch":
        this.tell({ rematch: message.id });
        break;
      case "closing": // the server goes down and comes back: the line will end by itself
      case "pong":
        break;
    }
  }

  private welcomed(log: readonly Happened[], { state, mine }: { state: Sight; mine: Seat[] }): void {
    this.attempts = 0;
    this.resyncing = false;
    this.fresh = [];
    const again = this.known.connection !== "online";
    this.tell({ connection: "online", state, log, mine, rematch: state.rematch });
    if (again && this.outbox) this.send(this.outbox);
  }

  /** Events come in batches, the state with the last; a gap means that something was lost. */
  private event(event: Happened, state: Sight | undefined): void {
    const expected = this.seq + this.fresh.length + 1;
    if (event.seq < expected || this.resyncing) return;
    if (event.seq > expected) {
      this.resync();
      return;
    }
    this.fresh.push(event);
    if (!state) return;
    const events = this.fresh;
    this.fresh = [];
    this.tell({ log: [...this.known.log, ...events], state, rematch: state.rematch });
    if (!this.leaving) for (const each of events) this.listener.happened?.(each);
    if (events.some((each) => each.kind === "sit")) this.hello(this.seq); // which seats are mine may have changed
  }

  private tell(news: Partial<Known>): void {
    this.known = { ...this.known, ...news };
    if (!this.leaving) this.listener.changed(this.known);
  }
}

function named(up: Up): string {
  return up.type === "act" ? up.action : up.what;
}

/** The world of a browser. */
export function browser(game: string): World {
  const place = `tripot.sent.${game}`;
  return {
    keep: (up) => {
      try {
        if (up) sessionStorage.setItem(place, JSON.stringify(up));
        else sessionStorage.removeItem(place);
      } catch {
        // storage is switched off: then a reload forgets what was not sent
      }
    },
    kept: () => {
      try {
        return JSON.parse(sessionStorage.getItem(place) ?? "null") as Up | null;
      } catch {
        return null;
      }
    },
    connect: () => {
      const address = new URL(`api/games/${game}/live`, location.href.split("#")[0]);
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      return new WebSocket(address) as unknown as Line;
    },
    later: (work, ms) => window.setTimeout(work, ms),
    cancel: (timer) => window.clearTimeout(timer),
    random: Math.random,
    id: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}
