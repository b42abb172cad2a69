/** The WebSocket client of one game: its state, the request that waits for an answer, and reconnection.
 *
 * The client plays nothing by itself: it shows what the server sends. A request stays in the outbox until it is
 * answered. After a reconnection it is sent again with the same request id, so that it is applied once. */
import type { Seat } from "./api";
import { isOutdated } from "./version";
import type {
  ActionMessage,
  ClientMessage,
  Command,
  CommandMessage,
  ErrorBody,
  ErrorCode,
  GameEvent,
  GameState,
  ServerMessage,
} from "./wire";

export type Connection = "connecting" | "online" | "waiting" | "gone";

export interface ClientState {
  connection: Connection;
  state: GameState | null;
  log: readonly GameEvent[];
  mySeats: readonly Seat[];
  presentSeats: readonly Seat[];
  spectators: number;
  /** The action or command that waits for an answer. */
  pending: string | null;
  rematch: string | null;
}

/** A request of the player. */
export type OutgoingMessage = ActionMessage | CommandMessage;

/** The part of a WebSocket that is used. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** What the client needs of its environment; tests provide their own. */
export interface ClientEnvironment {
  connect: () => SocketLike;
  later: (work: () => void, ms: number) => number;
  cancel: (timer: number) => void;
  random: () => number;
  id: () => string;
  /** Store the unanswered request for a reload of the tab; null if there is none. */
  keep: (message: OutgoingMessage | null) => void;
  kept: () => OutgoingMessage | null;
}

export interface Listener {
  changed: (clientState: ClientState) => void;
  /** A new event, not one of a snapshot or of a catch-up. */
  eventReceived?: (event: GameEvent) => void;
  refused?: (error: ErrorBody) => void;
  /** The server is newer than the page. The outbox is stored, so that the page may be reloaded. */
  outdated?: (version: string) => void;
}

const GONE = 4404;
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(["parse_error", "payload_too_large"]);
const FIRST_WAIT = 300;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 6_000;

export class GameClient {
  clientState: ClientState = {
    connection: "connecting",
    state: null,
    log: [],
    mySeats: [],
    presentSeats: [],
    spectators: 0,
    pending: null,
    rematch: null,
  };

  private socket: SocketLike | null = null;
  private isOpen = false;
  private outbox: OutgoingMessage | null = null;
  private pendingEvents: GameEvent[] = []; // events of a change whose state has not arrived yet
  private attempts = 0;
  private retry: number | null = null;
  private heartbeat: number | null = null;
  private resyncing = false;
  private isClosed = false;
  private isClosing = false;

  constructor(
    private readonly environment: ClientEnvironment,
    private readonly listener: Listener,
    private lang: string,
    private seat: Seat | null = null,
  ) {
    this.outbox = environment.kept();
    if (this.outbox) this.clientState = { ...this.clientState, pending: outboxLabel(this.outbox) };
    this.open();
  }

  // -- requests --

  /** Play an action. False if the last request is not answered yet. */
  act(action: string): boolean {
    return this.enqueue({ type: "action", request_id: this.environment.id(), seq: this.seq, action });
  }

  sendCommand(command: Command, seat?: Seat): boolean {
    return this.enqueue({
      type: "command",
      request_id: this.environment.id(),
      command,
      ...(seat === undefined ? {} : { seat }),
      ...(command === "accept" || command === "decline" ? { offer_seq: this.clientState.state?.offer?.seq ?? 0 } : {}),
    });
  }

  /** Show the game to one of my seats. The log may read differently, so a snapshot is requested. */
  viewAs(seat: Seat | null): void {
    this.seat = seat;
    this.resync();
  }

  setLanguage(lang: string): void {
    if (lang === this.lang) return;
    this.lang = lang;
    this.resync(); // the events have sentences too
  }

  /** Request a snapshot. */
  resync(): void {
    this.resyncing = true;
    this.hello(null);
  }

  /** The network is back, or the tab is visible again: do not wait any longer. */
  reconnectNow(): void {
    if (this.isClosed || this.clientState.connection === "gone") return;
    if (this.socket && this.clientState.connection === "online") this.ping();
    else if (this.retry !== null) this.reopen();
  }

  /** The network is gone: do not wait for the timeout of a ping. */
  goOffline(): void {
    if (!this.isClosed) this.connectionLost(0);
  }

  /** The user leaves the game. A request in the outbox is still completed, without notifying the listener. */
  close(): void {
    this.isClosing = true;
    if (this.outbox && this.clientState.connection !== "gone") return;
    this.isClosed = true;
    this.dropSocket();
    this.stop("retry");
  }

  // -- connection --

  private get seq(): number {
    return this.clientState.log.length;
  }

  private open(): void {
    const socket = this.environment.connect();
    this.socket = socket;
    socket.onopen = () => {
      this.isOpen = true;
      this.hello(this.clientState.state && !this.resyncing ? this.seq : null);
    };
    socket.onmessage = (message) => {
      if (socket === this.socket && typeof message.data === "string")
        this.receive(JSON.parse(message.data) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.connectionLost(event.code);
    };
  }

  private reopen(): void {
    this.stop("retry");
    this.dropSocket();
    this.open();
  }

  private dropSocket(): void {
    const socket = this.socket;
    this.socket = null;
    this.isOpen = false;
    this.stop("heartbeat");
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  /** Reconnect with exponential back-off and jitter, so that not all clients reach a restarted server at once. */
  private connectionLost(code: number): void {
    this.dropSocket();
    this.pendingEvents = [];
    if (code === GONE) {
      this.environment.keep(null);
      this.update({ connection: "gone" });
      if (this.isClosing) this.close();
      return;
    }
    this.update({ connection: this.clientState.state ? "waiting" : "connecting" });
    if (this.isClosed || this.retry !== null) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts++);
    this.retry = this.environment.later(() => this.reopen(), wait * (0.5 + this.environment.random()));
  }

  /** A hello was refused, or a message that could not be parsed. Reconnect as the default seat. */
  private restart(): void {
    this.seat = null;
    this.resyncing = true;
    this.connectionLost(0);
  }

  private stop(which: "retry" | "heartbeat"): void {
    const timer = this[which];
    if (timer !== null) this.environment.cancel(timer);
    this[which] = null;
  }

  private ping(): void {
    this.stop("heartbeat");
    this.send({ type: "ping" });
    this.heartbeat = this.environment.later(() => this.connectionLost(0), PONG_WITHIN);
  }

  private send(message: ClientMessage): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }

  private hello(seq: number | null): void {
    this.send({ type: "hello", seq, seat: this.seat, lang: this.lang });
  }

  private enqueue(message: OutgoingMessage): boolean {
    if (this.outbox || this.isClosing) return false;
    this.outbox = message;
    this.environment.keep(message);
    this.update({ pending: outboxLabel(message) });
    if (this.clientState.connection === "online") this.send(message);
    return true;
  }

  private settleOutbox(id: string | null): boolean {
    if (!this.outbox || this.outbox.request_id !== id) return false;
    this.outbox = null;
    this.environment.keep(null);
    this.update({ pending: null });
    if (this.isClosing) this.close();
    return true;
  }

  /** The server could not read a message: a request that was sent on this connection would be refused for ever. */
  private dropSentRequest(): void {
    if (this.outbox && this.clientState.connection === "online") this.settleOutbox(this.outbox.request_id);
  }

  // -- messages of the server --

  private receive(message: ServerMessage): void {
    this.stop("heartbeat");
    this.heartbeat = this.environment.later(() => this.ping(), PING_EVERY);
    switch (message.type) {
      case "snapshot":
        this.checkVersion(message.server_version);
        this.applySnapshot(message.log, message);
        break;
      case "catch_up":
        this.checkVersion(message.server_version);
        if (message.events.length && message.events[0]!.seq !== this.seq + 1) this.resync();
        else this.applySnapshot([...this.clientState.log, ...message.events], message);
        break;
      case "event":
        this.receiveEvent(message.event, message.state);
        break;
      case "ack":
        this.settleOutbox(message.request_id);
        break;
      case "error":
        this.settleOutbox(message.request_id);
        if (message.request_id === null && UNREADABLE.has(message.error.code)) this.dropSentRequest();
        if (this.isClosed || message.error.code === "game_not_found") break; // the server closes the connection
        if (message.resync) this.resync();
        else if (message.request_id === null) this.restart();
        if (!this.isClosing) this.listener.refused?.(message.error);
        break;
      case "presence":
        this.update({ presentSeats: message.present_seats, spectators: message.spectators });
        break;
      case "rematch":
        this.update({ rematch: message.game_id });
        break;
      case "closing": // the server shuts down and closes the connection itself
      case "pong":
        break;
    }
  }

  private checkVersion(version: string): void {
    if (isOutdated(version) && !this.isClosing) this.listener.outdated?.(version);
  }

  private applySnapshot(
    log: readonly GameEvent[],
    { state, my_seats: mySeats }: { state: GameState; my_seats: Seat[] },
  ): void {
    this.attempts = 0;
    this.resyncing = false;
    this.pendingEvents = [];
    const isReconnected = this.clientState.connection !== "online";
    this.update({ connection: "online", state, log, mySeats, rematch: state.rematch_id });
    if (isReconnected && this.outbox) this.send(this.outbox);
  }

  /** The events of one change follow each other, the last one with the state. After a gap a snapshot is requested. */
  private receiveEvent(event: GameEvent, state: GameState | undefined): void {
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
    this.update({ log: [...this.clientState.log, ...events], state, rematch: state.rematch_id });
    if (!this.isClosing) for (const each of events) this.listener.eventReceived?.(each);
    if (events.some((each) => each.type === "join")) this.hello(this.seq); // which seats are mine may have changed
  }

  private update(changes: Partial<ClientState>): void {
    this.clientState = { ...this.clientState, ...changes };
    if (!this.isClosing) this.listener.changed(this.clientState);
  }
}

function outboxLabel(message: OutgoingMessage): string {
  return message.type === "action" ? message.action : message.command;
}

/** The request that an earlier page has stored; null if there is none, or if it is none that this page could send. */
export function parseOutbox(text: string | null): OutgoingMessage | null {
  let message: Partial<OutgoingMessage> | null;
  try {
    message = JSON.parse(text ?? "null") as Partial<OutgoingMessage> | null;
  } catch {
    return null;
  }
  if (typeof message?.request_id !== "string") return null;
  const isAction = message.type === "action" && typeof message.action === "string" && typeof message.seq === "number";
  const isCommand = message.type === "command" && typeof message.command === "string";
  return isAction || isCommand ? (message as OutgoingMessage) : null;
}
