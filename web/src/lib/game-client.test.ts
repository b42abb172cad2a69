import { beforeEach, expect, test } from "vitest";
import { GameClient, parseOutbox, type ClientState, type SocketLike, type OutgoingMessage } from "./game-client";
import type { ErrorBody, GameEvent, GameState } from "./wire";

/** A message of the client, as far as the tests look into it. */
interface Sent {
  type: string;
  request_id?: string;
}

/** A socket whose server is the test. */
class FakeSocket implements SocketLike {
  sent: Sent[] = [];
  isClosed = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }
  close(): void {
    this.isClosed = true;
  }
  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  get last(): Sent {
    return this.sent.at(-1)!;
  }
}

let sockets: FakeSocket[], timers: Map<number, { work: () => void; ms: number }>, clientState: ClientState;
let outdated: number, refusals: ErrorBody[], live: GameEvent[], ids: number, stored: OutgoingMessage | null;

const socket = (): FakeSocket => sockets.at(-1)!;
const gameState = (seq: number, more: Partial<GameState> = {}): GameState =>
  ({ seq, action_seqs: [], rematch_id: null, ...more }) as GameState;
const event = (seq: number): GameEvent => ({ seq, type: "action", seat: 0, text: `t${seq}`, time: 0 });
const snapshot = (seq: number) => ({
  type: "snapshot",
  state: gameState(seq),
  log: Array.from({ length: seq }, (_, at) => event(at + 1)),
  my_seats: [0],
  server_version: "1",
});
/** Fire the newest timer, and return its delay in ms. */
const fireTimer = (): number => {
  const [id, { work, ms }] = [...timers].at(-1)!;
  timers.delete(id);
  work();
  return ms;
};

function client(): GameClient {
  const made = new GameClient(
    {
      connect: () => {
        sockets.push(new FakeSocket());
        return socket();
      },
      later: (work, ms) => {
        timers.set(++ids, { work, ms });
        return ids;
      },
      cancel: (timer) => void timers.delete(timer),
      random: () => 0.5,
      id: () => `id-${++ids}-00000`,
      keep: (up) => (stored = up),
      kept: () => stored,
    },
    {
      changed: (now) => (clientState = now),
      eventReceived: (each) => live.push(each),
      refused: (each) => refusals.push(each),
      outdated: () => outdated++,
    },
    "en",
  );
  return made;
}

function online(seq = 3): GameClient {
  const made = client();
  socket().onopen!();
  socket().receive(snapshot(seq));
  return made;
}

beforeEach(() => {
  sockets = [];
  timers = new Map();
  refusals = [];
  outdated = 0;
  live = [];
  ids = 0;
  stored = null;
});

test("a new connection asks for everything, and shows it", () => {
  online();
  expect(socket().sent[0]).toEqual({ type: "hello", seq: null, seat: null, lang: "en" });
  expect(clientState).toMatchObject({ connection: "online", mySeats: [0] });
  expect(clientState.log).toHaveLength(3);
});

test("events of a batch are shown together, with the state of the last", () => {
  online();
  socket().receive({ type: "event", event: event(4) });
  expect(clientState.log).toHaveLength(3);
  socket().receive({ type: "event", event: event(5), state: gameState(5) });
  expect(clientState.log).toHaveLength(5);
  expect(live.map((each) => each.seq)).toEqual([4, 5]);
});

test("an event that arrives twice is one", () => {
  online();
  socket().receive({ type: "event", event: event(3), state: gameState(3) });
  expect(clientState.log).toHaveLength(3);
  expect(live).toEqual([]);
});

test("a gap means that everything is asked for again", () => {
  online();
  socket().receive({ type: "event", event: event(5), state: gameState(5) });
  expect(socket().last).toMatchObject({ type: "hello", seq: null });
  socket().receive(snapshot(5));
  expect(clientState.log).toHaveLength(5);
});

test("a lost connection is opened again, with the last event that was received", () => {
  online();
  socket().onclose!({ code: 1006 });
  expect(clientState.connection).toBe("waiting");
  fireTimer();
  expect(sockets).toHaveLength(2);
  socket().onopen!();
  expect(socket().last).toMatchObject({ type: "hello", seq: 3 });
  socket().receive({ type: "catch_up", events: [event(4)], state: gameState(4), my_seats: [0], server_version: "1" });
  expect(clientState).toMatchObject({ connection: "online" });
  expect(clientState.log).toHaveLength(4);
});

test("it waits longer each time, up to a limit, and not so long after success", () => {
  online();
  const waits = Array.from({ length: 8 }, () => {
    socket().onclose!({ code: 1006 });
    return fireTimer();
  });
  expect(waits.slice(0, 3)).toEqual([300, 600, 1200]);
  expect(Math.max(...waits)).toBe(10_000);
  socket().onopen!();
  socket().receive({ type: "catch_up", events: [], state: gameState(3), my_seats: [0], server_version: "1" });
  socket().onclose!({ code: 1006 });
  expect(fireTimer()).toBe(300);
});

test("a move that was not answered goes out again with the same id", () => {
  const made = online();
  expect(made.act("x")).toBe(true);
  const sent = socket().last;
  expect(sent).toMatchObject({ type: "action", action: "x", seq: 3 });
  socket().onclose!({ code: 1006 });
  expect(clientState.pending).toBe("x");
  fireTimer();
  socket().onopen!();
  expect(socket().sent.filter((each) => each.type === "action")).toEqual([]);
  socket().receive({ type: "catch_up", events: [event(4)], state: gameState(4), my_seats: [0], server_version: "1" });
  expect(socket().last).toEqual(sent);
  socket().receive({ type: "ack", request_id: sent.request_id, seq: 4 });
  expect(clientState.pending).toBeNull();
});

test("a move made while the line is down goes out when it is up", () => {
  const made = online();
  socket().onclose!({ code: 1006 });
  expect(made.act("x")).toBe(true);
  expect(clientState.pending).toBe("x");
  fireTimer();
  socket().onopen!();
  socket().receive({ type: "catch_up", events: [], state: gameState(3), my_seats: [0], server_version: "1" });
  expect(socket().last).toMatchObject({ type: "action", action: "x" });
});

test("a second move waits for the answer to the first", () => {
  const made = online();
  made.act("x");
  expect(made.act("y")).toBe(false);
  expect(socket().sent.filter((each) => each.type === "action")).toHaveLength(1);
});

test("a stale move is refused, given up, and everything asked for", () => {
  const made = online();
  made.act("x");
  socket().receive({
    type: "error",
    request_id: socket().last.request_id,
    error: { code: "stale", message: "moved on" },
    resync: true,
  });
  expect(clientState.pending).toBeNull();
  expect(refusals[0]!.code).toBe("stale");
  expect(socket().last).toMatchObject({ type: "hello", seq: null });
});

test("a refused move is reported and nothing has changed", () => {
  const made = online();
  made.act("x");
  socket().receive({
    type: "error",
    request_id: socket().last.request_id,
    error: { code: "illegal_action", message: "no", clause: "A-1" },
  });
  expect(refusals).toEqual([{ code: "illegal_action", message: "no", clause: "A-1" }]);
  expect(clientState.log).toHaveLength(3);
});

test("an answer names the offer that was shown", () => {
  // A yes that was sent late accepted another offer.
  const made = online();
  const offer = { seq: 4, seat: 1, kind: "draw", accepted_by: [] };
  socket().receive({ type: "event", event: event(4), state: { ...gameState(4), offer } });
  made.sendCommand("accept");
  expect(socket().last).toMatchObject({ type: "command", command: "accept", offer_seq: 4 });
});

test("a game that does not exist is not asked for again", () => {
  client();
  socket().onopen!();
  socket().onclose!({ code: 4404 });
  expect(clientState.connection).toBe("gone");
  expect(timers.size).toBe(0);
});

test("when somebody sits down, it is asked again which seats are mine", () => {
  online();
  socket().receive({ type: "event", event: { ...event(4), type: "join" }, state: gameState(4) });
  expect(socket().last).toMatchObject({ type: "hello", seq: 4 });
  socket().receive({ type: "catch_up", events: [], state: gameState(4), my_seats: [], server_version: "1" });
  expect(clientState.mySeats).toEqual([]);
});

test("what is not text is not for us", () => {
  online();
  socket().onmessage!({ data: new Uint8Array([123]) });
  expect(clientState.connection).toBe("online");
});

test("another seat means another log", () => {
  const made = online();
  made.viewAs(1);
  expect(socket().last).toEqual({ type: "hello", seq: null, seat: 1, lang: "en" });
});

test("another language means another log: events say in words what they did", () => {
  const made = online();
  made.setLanguage("fr");
  expect(socket().last).toEqual({ type: "hello", seq: null, seat: null, lang: "fr" });
  socket().receive(snapshot(3));
  expect(clientState.log).toHaveLength(3);
});

test("a silent line is pinged, and given up if nothing comes", () => {
  online();
  expect(fireTimer()).toBe(15_000);
  expect(socket().last).toEqual({ type: "ping" });
  fireTimer();
  expect(clientState.connection).toBe("waiting");
});

test("a network that comes back is used at once", () => {
  const made = online();
  made.goOffline();
  expect(clientState.connection).toBe("waiting");
  made.reconnectNow();
  expect(sockets).toHaveLength(2);
  expect(timers.size).toBe(0);
});

test("an old line that still talks is not heard", () => {
  const made = online();
  const old = socket();
  made.goOffline();
  old.receive({ type: "event", event: event(4), state: gameState(4) });
  expect(clientState.log).toHaveLength(3);
});

test("a closed client is silent", () => {
  const made = online();
  made.close();
  expect(socket().isClosed).toBe(true);
  expect(timers.size).toBe(0);
  expect(made.act("x")).toBe(false);
});

test("while everything is on its way, single events do not count", () => {
  const made = online();
  made.viewAs(1);
  socket().receive({ type: "event", event: event(4), state: gameState(4) });
  expect(clientState.log).toHaveLength(3);
  socket().receive(snapshot(4));
  expect(clientState.log).toHaveLength(4);
});

test("a hello that is refused is tried again later, for the default seat", () => {
  const made = online();
  made.viewAs(5);
  socket().receive({ type: "error", request_id: null, error: { code: "illegal_action", message: "not yours" } });
  expect(clientState.connection).toBe("waiting");
  fireTimer();
  socket().onopen!();
  expect(socket().last).toEqual({ type: "hello", seq: null, seat: null, lang: "en" });
});

test.each(["parse_error", "payload_too_large"])("a request that the server cannot read is given up: %s", (code) => {
  /* It was sent again after every reconnection, without end: a long text in the field for moves, for example. */
  const made = online();
  made.act("x".repeat(5000));
  socket().receive({ type: "error", request_id: null, error: { code, message: "Invalid message" } });
  expect(clientState.pending).toBeNull();
  expect(stored).toBeNull();
  expect(refusals.map((error) => error.code)).toEqual([code]);
  fireTimer();
  socket().onopen!();
  socket().receive(snapshot(3));
  expect(socket().sent.map((message) => message.type)).toEqual(["hello"]);
});

test("a request that waits for the connection is kept if the hello cannot be read", () => {
  const made = online();
  socket().onclose!({ code: 1006 });
  made.act("x");
  fireTimer();
  socket().onopen!();
  socket().receive({ type: "error", request_id: null, error: { code: "parse_error", message: "Invalid message" } });
  expect(clientState.pending).toBe("x");
});

test("a stored request that this page could not send is not read", () => {
  const action = { type: "action", request_id: "id-1-00000", seq: 3, action: "x" };
  const command = { type: "command", request_id: "id-1-00000", command: "undo" };
  for (const message of [action, command]) expect(parseOutbox(JSON.stringify(message))).toEqual(message);
  for (const text of [null, "null", "{", "7", '"x"', "[]", '{"type":"act","id":"1"}', '{"request_id":"id-1-00000"}'])
    expect(parseOutbox(text)).toBeNull();
});

test("a message is sent only when the connection is open", () => {
  const made = client();
  made.setLanguage("fr");
  expect(socket().sent).toEqual([]);
  socket().onopen!();
  expect(socket().last).toMatchObject({ lang: "fr" });
});

test("a move that was not answered outlives the tab's page, with its id", () => {
  // A reload, or the way back to the game, made a new client, and the move was forgotten.
  const made = online();
  made.act("x");
  const sent = socket().last;
  socket().onclose!({ code: 1006 });
  expect(stored).toEqual(sent);
  online();
  expect(clientState.pending).toBe("x");
  expect(socket().last).toEqual(sent);
  socket().receive({ type: "ack", request_id: sent.request_id, seq: 4 });
  expect(clientState.pending).toBeNull();
  expect(stored).toBeNull();
});

test("who leaves the table while a move is on its way still plays it, and hears no more of it", () => {
  const made = online();
  socket().onclose!({ code: 1006 });
  made.act("x");
  const before = clientState;
  made.close();
  expect(made.act("y")).toBe(false);
  fireTimer();
  socket().onopen!();
  socket().receive({ type: "catch_up", events: [], state: gameState(3), my_seats: [0], server_version: "1" });
  expect(socket().last).toMatchObject({ type: "action", action: "x" });
  socket().receive({ type: "event", event: event(4), state: gameState(4) });
  socket().receive({ type: "ack", request_id: socket().last.request_id, seq: 4 });
  expect(socket().isClosed).toBe(true);
  expect(timers.size).toBe(0);
  expect(clientState).toBe(before);
  expect(live).toEqual([]);
});

test("a stale move of somebody who has left is given up in silence", () => {
  const made = online();
  made.act("x");
  made.close();
  socket().receive({
    type: "error",
    request_id: socket().last.request_id,
    error: { code: "stale", message: "moved on" },
    resync: true,
  });
  expect(socket().isClosed).toBe(true);
  expect(refusals).toEqual([]);
});

test("a server of another version is noticed when the connection comes back", () => {
  online();
  expect(outdated).toBe(0);
  socket().onclose!({ code: 1012 });
  fireTimer();
  socket().onopen!();
  socket().receive({ type: "catch_up", events: [], state: gameState(3), my_seats: [0], server_version: "2" });
  expect(outdated).toBe(1);
});
