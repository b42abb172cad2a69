/** The server over HTTP. Every refusal is a Problem: a code, a sentence, perhaps a clause. */
import type { Preview, Reach, Said, Scored } from "./game-ui";

export type Seat = number;
export type What = "resign" | "draw" | "undo" | "yes" | "no";

export interface Option {
  name: string;
  choices: string[];
  default: string;
  clause: string;
  advanced: boolean;
  /** The cases in which it matters, by the values of other options; without cases it always does. */
  relevant_if: Record<string, string[]>[];
  about: string;
}

export interface Kind {
  key: string;
  title: string;
  levels: number[];
  draws: boolean;
  seats: string[];
  options: Option[];
  languages: string[];
}

export interface Chair {
  kind: "open" | "human" | "bot";
  name: string;
  level: number | null;
  title?: string;
}

export interface Listed {
  id: string;
  game: string;
  options: string;
  clock: string;
  status: "open" | "live" | "over";
  created: number;
  seats: Chair[];
  present: Seat[];
  watching: number;
  /** Of my newest games: whether they wait for me. */
  my_turn?: boolean;
}

export interface Outcome {
  scores: number[];
  team_scores: number[] | null;
  winners: Seat[];
  why: Said;
}

export interface ClockFace {
  left: number[];
  running: Seat | null;
  since: number;
}

/** What a viewer sees of a position, as the server sends it: each game types its own. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- shared code passes it on without looking inside
export type AnyView = any;

export interface Sight {
  id: string;
  game: string;
  options: string;
  seq: number;
  status: "open" | "live" | "over";
  seats: (Chair & { title: string })[];
  viewer: Seat | null;
  to_act: Seat | "chance" | null;
  asks: Said | null;
  actions: number;
  position: string;
  view: AnyView;
  scores: Scored[];
  offer: { seat: Seat; kind: "draw" | "undo"; agreed: Seat[] } | null;
  outcome: Outcome | null;
  clock: ClockFace | null;
  free: boolean;
  promise: string;
  seed: string | null;
  rematch: string | null;
}

export interface Happened {
  seq: number;
  kind: "sit" | "act" | "deal" | "time" | What;
  seat: Seat | null;
  text: string;
  time: number;
}

export interface Snapshot {
  state: Sight;
  log: Happened[];
  mine: Seat[];
}

export interface Position {
  at: number;
  /** What was tried after it, and by whom. */
  tried: { seat: Seat; text: string }[];
  to_act: Seat | "chance" | null;
  view: AnyView;
  asks: Said;
}

/** How the game may end after a move, for the side of the seat that moves. */
export interface Outlook {
  /** How often it wins, 0 to 1. */
  wins: number;
  /** Points ahead of the best other side. */
  lead: number;
  /** The final score of each seat. */
  scores: number[];
}

export interface Choice {
  action: string;
  value: number;
  line: string[];
  facts: Said[];
  /** Null where the engine does not know. */
  outlook: Outlook | null;
}

/** A position as the engine sees it: the moves, best first, and who can come where. */
export interface Study {
  choices: Choice[];
  reach: Reach;
}

export interface Rulebook {
  language: string;
  text: string;
  clauses: Record<string, string>;
}

export interface NewGame {
  game: string;
  options: Record<string, string>;
  seats: { kind: "me" | "bot" | "open"; level?: number; name?: string }[];
  name?: string;
  public?: boolean;
  clock?: string;
}

export interface Refusal {
  code: string;
  message: string;
  clause?: string;
  option?: string;
}

/** What the server refused; `status` 0 means that it could not be reached. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: Refusal,
  ) {
    super(body.message);
  }
}

/** How far the server's clock is ahead of ours, in seconds: from the Date of its answers, to a second. */
export let ahead = 0;

export class Api {
  constructor(private readonly lang: () => string) {}

  private first: Promise<unknown> | null = null;

  /** A newcomer is given a cookie by the first answer; others sent meanwhile would each get another one. */
  private inTurn(send: () => Promise<Response>): Promise<Response> {
    if (this.first) return this.first.then(send);
    const request = send();
    this.first = request.catch(() => (this.first = null));
    return request;
  }

  private async ask<T>(path: string, method = "GET", body?: unknown): Promise<T> {
    const joint = path.includes("?") ? "&" : "?";
    const send = () =>
      fetch(`api/${path}${joint}lang=${this.lang()}`, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
    let answer: Response;
    try {
      answer = await (path.startsWith("kinds") ? send() : this.inTurn(send));
    } catch {
      throw new Problem(0, { code: "unreachable", message: "" });
    }
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (date) ahead = date / 1000 + 0.5 - Date.now() / 1000;
    const said = await answer.json().catch(() => ({ code: "unreadable", message: answer.statusText }));
    if (!answer.ok) throw new Problem(answer.status, said);
    return said as T;
  }

  kinds = () => this.ask<Kind[]>("kinds");
  rulebook = (key: string) => this.ask<Rulebook>(`kinds/${key}/rulebook`);
  me = () => this.ask<{ name: string; games: Listed[] }>("me");
  rename = (name: string) => this.ask<{ name: string }>("me", "PUT", { name });
  lobby = () => this.ask<{ open: Listed[]; live: Listed[] }>("games");
  create = (game: NewGame) => this.ask<Snapshot>("games", "POST", game);
  look = (id: string, seat: Seat) => this.ask<Snapshot>(`games/${id}?seat=${seat}`);
  join = (id: string, name?: string, seat?: Seat) => this.ask<Snapshot>(`games/${id}/join`, "POST", { name, seat });
  addBot = (id: string, level: number) => this.ask<Snapshot>(`games/${id}/bots`, "POST", { level });
  preview = (id: string, action: string) => this.ask<Preview>(`games/${id}/preview`, "POST", { action });
  link = (id: string, seat: Seat) => this.ask<{ token: string }>(`games/${id}/seats/${seat}/link`, "POST", {});
  claim = (id: string, token: string) => this.ask<Snapshot>(`games/${id}/claim`, "POST", { token });
  rematch = (id: string) => this.ask<{ id: string }>(`games/${id}/rematch`, "POST", {});
  position = (id: string, at: number, seat: Seat | null, tried: readonly string[] = []) => {
    const asked = [
      ...(seat === null ? [] : [`seat=${seat}`]),
      ...tried.map((each) => `tried=${encodeURIComponent(each)}`),
    ];
    return this.ask<Position>(`games/${id}/positions/${at}${asked.length ? `?${asked.join("&")}` : ""}`);
  };
  hint = (id: string, seconds: number) => this.ask<Choice & Study>(`games/${id}/hint?seconds=${seconds}`);
  analysis = (id: string, at: number, seconds: number) =>
    this.ask<Study & { facts: Said[] }>(`games/${id}/analysis?at=${at}&seconds=${seconds}`);
}
