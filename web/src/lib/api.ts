/** The HTTP API of the server. A refused request raises an ApiError. */
import type {
  AddBotRequest,
  Analysis,
  ClaimRequest,
  ErrorBody,
  ErrorCode,
  GameType,
  Hint,
  ImportRequest,
  JoinRequest,
  Lobby,
  NewGameRequest,
  Position,
  Preview,
  PreviewRequest,
  Profile,
  ProfileName,
  ProfileRequest,
  Rematch,
  RequestBody,
  Rulebook,
  SeatLink,
  Snapshot,
} from "./wire";
import { isOutdated } from "./version";

export type Seat = number;

/** The version of the HTTP interface and of the WebSocket, relative to the address of the page. */
export const API = "api/v1";

/** The analysis of a position: the candidates, best first, and the distance maps. */
export type EngineAnalysis = Pick<Analysis, "candidates" | "distance_maps">;

/** Why a request was refused, by the server, or by the network: `unreachable`. */
export interface Refusal extends Omit<ErrorBody, "code"> {
  code: ErrorCode | "unreachable";
}

/** A refused request; `status` 0 means that the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: Refusal,
  ) {
    super(body.message);
  }
}

/** The server's clock minus ours in seconds, from the Date header of its answers, to a second. */
export let serverClockOffset = 0;

const UNKNOWN_PATH: ReadonlySet<ErrorCode> = new Set(["not_found", "method_not_allowed"]);

/** Whether the server does not know a path: then it has another version of the interface than the page. */
export const isUnknownPath = (status: number, body: unknown): boolean =>
  (status === 404 || status === 405) && UNKNOWN_PATH.has((body as ErrorBody).code);

export class Api {
  /** `onOutdated` is called with the server's version when the page is older and sends nothing that would be lost. */
  constructor(
    private readonly lang: () => string,
    private readonly onOutdated: (version: string) => void,
  ) {}

  private pendingFirst: Promise<unknown> | null = null;

  /** Send after the first answer, which sets the cookie of a new user: requests without it would each create a user. */
  private afterFirstCookie(send: () => Promise<Response>): Promise<Response> {
    if (this.pendingFirst) return this.pendingFirst.then(send);
    const request = send();
    this.pendingFirst = request.catch(() => (this.pendingFirst = null));
    return request;
  }

  private async request<T>(path: string, method: "GET" | "POST" | "PUT" = "GET", body?: RequestBody): Promise<T> {
    const separator = path.includes("?") ? "&" : "?";
    const send = () =>
      fetch(`${API}/${path}${separator}lang=${this.lang()}`, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
    let answer: Response;
    try {
      answer = await (path.startsWith("game-types") ? send() : this.afterFirstCookie(send));
    } catch {
      throw new ApiError(0, { code: "unreachable", message: "" });
    }
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (date) serverClockOffset = date / 1000 + 0.5 - Date.now() / 1000;
    const unreadable = { code: "parse_error", message: answer.statusText } satisfies ErrorBody;
    const content: unknown = await answer.json().catch(() => unreadable);
    const version = answer.headers.get("tripot-version");
    if (version && isOutdated(version) && method === "GET") this.onOutdated(version);
    if (isUnknownPath(answer.status, content)) this.onOutdated(version ?? "unknown");
    if (!answer.ok) throw new ApiError(answer.status, content as ErrorBody);
    return content as T;
  }

  gameTypes = () => this.request<GameType[]>("game-types");
  rulebook = (key: string) => this.request<Rulebook>(`game-types/${key}/rulebook`);
  me = () => this.request<Profile>("me");
  rename = (name: string) => this.request<ProfileName>("me", "PUT", { name } satisfies ProfileRequest);
  lobby = () => this.request<Lobby>("games");
  create = (game: NewGameRequest) => this.request<Snapshot>("games", "POST", game satisfies NewGameRequest);
  importRecord = (record: string) => this.request<Snapshot>("records", "POST", { record } satisfies ImportRequest);
  join = (id: string, name?: string, seat?: Seat) =>
    this.request<Snapshot>(`games/${id}/join`, "POST", { name, seat } satisfies JoinRequest);
  addBot = (id: string, level: number) =>
    this.request<Snapshot>(`games/${id}/bots`, "POST", { level } satisfies AddBotRequest);
  preview = (id: string, action: string) =>
    this.request<Preview>(`games/${id}/preview`, "POST", { action } satisfies PreviewRequest);
  link = (id: string, seat: Seat) => this.request<SeatLink>(`games/${id}/seats/${seat}/link`, "POST");
  claim = (id: string, token: string) =>
    this.request<Snapshot>(`games/${id}/claim`, "POST", { token } satisfies ClaimRequest);
  rematch = (id: string) => this.request<Rematch>(`games/${id}/rematch`, "POST");
  repeat = (id: string) => this.request<Rematch>(`games/${id}/repeat`, "POST");
  position = (id: string, actionIndex: number, seat: Seat | null, variation: readonly string[] = []) => {
    const query = [
      ...(seat === null ? [] : [`seat=${seat}`]),
      ...variation.map((each) => `variation=${encodeURIComponent(each)}`),
    ];
    return this.request<Position>(`games/${id}/positions/${actionIndex}${query.length ? `?${query.join("&")}` : ""}`);
  };
  hint = (id: string, seconds: number) => this.request<Hint>(`games/${id}/hint?seconds=${seconds}`);
  analysis = (id: string, actionIndex: number, seconds: number) =>
    this.request<Analysis>(`games/${id}/analysis?action_index=${actionIndex}&seconds=${seconds}`);
}
