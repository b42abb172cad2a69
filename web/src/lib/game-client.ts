/** The live connection of one game: what is known of it, what was sent and not yet answered, and healing.
 *
 * The server is the only truth: nothing is played here. What was sent stays in the outbox until it is
 * answered, and goes out again with the same id after a lost connection, so that it happens once. */
import { API, type Seat } from "./api";
import { isOutdated } from "./version";
import type { ActionMessage, Command, CommandMessage, ErrorBody, GameEvent, GameState, ServerMessage } from "./wire";

export type Connection = "connecting" | "online" | "waiting" | "gone";

export interface ClientState {
  connection: Connection;
  state: GameState | null;
  log: readonly GameEvent[];
  mine: readonly Seat[];
  present: readonly Seat[];
  spectators: number;
  /** Something was sent and is not yet answered. */
  pending: string | null;
  rematch: string | null;
}

/** What a player sent and the server has not answered yet. */
export type OutgoingMessage = ActionMessage | CommandMessage;

/** The part of a WebSocket that is used. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** What a client needs from the world; tests bring their own. */
export interface ClientEnvironment {
  connect: () => SocketLike;
  later: (work: () => void, ms: number) => number;
  cancel: (timer: number) => void;
  random: () => number;
  id: () => string;
  /** Keep what is not answered over a reload of the tab; null: nothing is left. */
  keep: (up: OutgoingMessage | null) => void;
  kept: () => OutgoingMessage | null;
}

export interface Listener {
  changed: (known: ClientState) => void;
  /** Something happened just now, not in the past that a new connection tells. */
  eventReceived?: (event: GameEvent) => void;
  refused?: (error: ErrorBody) => void;
  /** The server is newer than the page. What was sent is kept, so that the page may be loaded again. */
  outdated?: (version: string) => void;
}

const GONE = 4404;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 6_000;

export class GameClient {
  known: ClientState = {
    connection: "connecting",
    state: null,
    log: [],
    mine: [],
    present: [],
    spectators: 0,
    pending: null,
    rematch: null,
  };

  private line: SocketLike | null = null;
  private isUp = false;
  private outbox: OutgoingMessage | null = null;
  private pendingEvents: GameEvent[] = []; // events of a batch whose state has not come yet
  private attempts = 0;
  private retry: number | null = null;
  private heartbeat: number | null = null;
  private resyncing = false;
  private closed = false;
  private isClosing = false;

  constructor(
    private readonly world: ClientEnvironment,
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
    return this.enqueue({ type: "action", request_id: this.world.id(), seq: this.seq, action });
  }

  sendCommand(command: Command, seat?: Seat): boolean {
    return this.enqueue({
      type: "command",
      request_id: this.world.id(),
      command,
      ...(seat === undefined ? {} : { seat }),
      ...(command === "accept" || command === "decline" ? { offer_seq: this.known.state?.offer?.seq ?? 0 } : {}),
    });
  }

  /** Look through the eyes of one of my seats; the log may read differently, so all of it is asked for. */
  viewAs(seat: Seat | null): void {
    this.seat = seat;
    this.resync();
  }

  setLanguage(lang: string): void {
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
  reconnectNow(): void {
    if (this.closed || this.known.connection === "gone") return;
    if (this.line && this.known.connection === "online") this.ping();
    else if (this.retry !== null) this.reopen();
  }

  /** The network is gone: do not wait until that is noticed. */
  goOffline(): void {
    if (!this.closed) this.lost(0);
  }

  /** The player leaves the table. A move that is still on its way is seen through first, in silence. */
  close(): void {
    this.isClosing = true;
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
      if (line === this.line && typeof message.data === "string")
        this.receive(JSON.parse(message.data) as ServerMessage);
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
    this.stop("heartbeat");
    if (line) {
      line.onopen = line.onmessage = line.onclose = null;
      line.close();
    }
  }

  /** Exponential back-off with jitter, so that a restarted server is not stormed. */
  private lost(code: number): void {
    this.drop();
    this.pendingEvents = [];
    if (code === GONE) {
      this.world.keep(null);
      this.update({ connection: "gone" });
      if (this.isClosing) this.close();
      return;
    }
    this.update({ connection: this.known.state ? "waiting" : "connecting" });
    if (this.closed || this.retry !== null) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts++);
    this.retry = this.world.later(() => this.reopen(), wait * (0.5 + this.world.random()));
  }

  /** What was refused has no id: a hello, or more than could be read. Begin again, through any eyes. */
  private restart(): void {
    this.seat = null;
    this.resyncing = true;
    this.lost(0);
  }

  private stop(which: "retry" | "heartbeat"): void {
    const timer = this[which];
    if (timer !== null) this.world.cancel(timer);
    this[which] = null;
  }

  private ping(): void {
    this.stop("heartbeat");
    this.send({ type: "ping" });
    this.heartbeat = this.world.later(() => this.lost(0), PONG_WITHIN);
  }

  private send(message: unknown): void {
    if (this.isUp) this.line?.send(JSON.stringify(message));
  }

  private hello(seq: number | null): void {
    this.send({ type: "hello", seq, seat: this.seat, lang: this.lang });
  }

  private enqueue(message: OutgoingMessage): boolean {
    if (this.outbox || this.isClosing) return false;
    this.outbox = message;
    this.world.keep(message);
    this.update({ pending: named(message) });
    if (this.known.connection === "online") this.send(message);
    return true;
  }

  private settleOutbox(id: string | null): boolean {
    if (!this.outbox || this.outbox.request_id !== id) return false;
    this.outbox = null;
    this.world.keep(null);
    this.update({ pending: null });
    if (this.isClosing) this.close();
    return true;
  }

  // -- what comes --

  private receive(message: ServerMessage): void {
    this.stop("heartbeat");
    this.heartbeat = this.world.later(() => this.ping(), PING_EVERY);
    switch (message.type) {
      case "snapshot":
        this.checkVersion(message.server_version);
        this.applySnapshot(message.log, message);
        break;
      case "catch_up":
        this.checkVersion(message.server_version);
        if (message.events.length && message.events[0]!.seq !== this.seq + 1) this.resync();
        else this.applySnapshot([...this.known.log, ...message.events], message);
        break;
      case "event":
        this.event(message.event, message.state);
        break;
      case "ack":
        this.settleOutbox(message.request_id);
        break;
      case "error":
        this.settleOutbox(message.request_id);
        if (this.closed || message.error.code === "game_not_found") break; // the server closes the connection
        if (message.resync) this.resync();
        else if (message.request_id === null) this.restart();
        if (!this.isClosing) this.listener.refused?.(message.error);
        break;
      case "presence":
        this.update({ present: message.present_seats, spectators: message.spectators });
        break;
      case "rematch":
        this.update({ rematch: message.game_id });
        break;
      case "closing": // the server goes down and comes back: the line will end by itself
      case "pong":
        break;
    }
  }

  private checkVersion(version: string): void {
    if (isOutdated(version) && !this.isClosing) this.listener.outdated?.(version);
  }

  private applySnapshot(
    log: readonly GameEvent[],
    { state, my_seats: mine }: { state: GameState; my_seats: Seat[] },
  ): void {
    this.attempts = 0;
    this.resyncing = false;
    this.pendingEvents = [];
    const again = this.known.connection !== "online";
    this.update({ connection: "online", state, log, mine, rematch: state.rematch_id });
    if (again && this.outbox) this.send(this.outbox);
  }

  /** Events come in batches, the state with the last; a gap means that something was lost. */
  private event(event: GameEvent, state: GameState | undefined): void {
    const expected = this.seq + this.pendingEvents.length + 1;
    if (event.seq < expected || this.resyncing) return;
    if (event.seq > expected) {
      this.resync();
      return;
    }
    this.pendingEvents.push(event);
    if (!state) return;
    const events = this.pendingEvents;
    this.pendingEvents = [];
    this.update({ log: [...this.known.log, ...events], state, rematch: state.rematch_id });
    if (!this.isClosing) for (const each of events) this.listener.eventReceived?.(each);
    if (events.some((each) => each.type === "join")) this.hello(this.seq); // which seats are mine may have changed
  }

  private update(news: Partial<ClientState>): void {
    this.known = { ...this.known, ...news };
    if (!this.isClosing) this.listener.changed(this.known);
  }
}

function named(up: OutgoingMessage): string {
  return up.type === "action" ? up.action : up.command;
}

/** The world of a browser. */
export function browserEnvironment(game: string): ClientEnvironment {
  const place = `tripot.request.${game}`;
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
        return JSON.parse(sessionStorage.getItem(place) ?? "null") as OutgoingMessage | null;
      } catch {
        return null;
      }
    },
    connect: () => {
      const address = new URL(`${API}/games/${game}/ws`, location.href.split("#")[0]);
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      return new WebSocket(address) as unknown as SocketLike;
    },
    later: (work, ms) => window.setTimeout(work, ms),
    cancel: (timer) => window.clearTimeout(timer),
    random: Math.random,
    id: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}
