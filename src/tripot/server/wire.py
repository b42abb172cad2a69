"""Every message between the server and its clients, as a typed struct.

This module is the only definition of the protocol. Requests and WebSocket messages are decoded into these
structs and answers are encoded from them. The OpenAPI description (`openapi.py`) and the types of the page
(`web/src/lib/wire.ts`, written by `tools/write_wire_types.py`) are generated from them.

`seq` is always the number of an event of a game, counted from 1. Seats are counted from 0. Times are seconds
since 1970 by the server's clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

import msgspec
from msgspec import Meta, Struct

# --- Values ------------------------------------------------------------------------------------

MAX_SEATS: Final = 16
MAX_RECORD_LENGTH: Final = 60_000
"""Characters of an imported record. A request has at most 64 KiB; records of long games have 10,000."""
MAX_NAME_LENGTH: Final = 24
"""Characters of the name of a user."""

SeatIndex: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Seq: TypeAlias = Annotated[int, Meta(ge=0, le=2**31)]
Level: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
UserName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
LongText: TypeAlias = Annotated[str, Meta(max_length=4000)]
GameKey: TypeAlias = Annotated[str, Meta(max_length=32)]
OptionName: TypeAlias = Annotated[str, Meta(max_length=32)]
RequestId: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]

GameStatus: TypeAlias = Literal["open", "live", "over"]
Command: TypeAlias = Literal["resign", "offer_draw", "undo", "accept", "decline"]
PlayerChange: TypeAlias = Literal["action", "resign", "offer_draw", "undo", "accept", "decline"]
EventType: TypeAlias = Literal[
    "join", "action", "chance", "resign", "offer_draw", "undo", "accept", "decline", "timeout"
]
Actor: TypeAlias = Union[int, Literal["chance"], None]  # noqa: UP007 - msgspec cannot evaluate `int | Literal`
ErrorCode: TypeAlias = Literal[
    "bad_request",
    "busy",
    "database_unavailable",
    "forbidden",
    "forbidden_origin",
    "game_not_found",
    "game_not_over",
    "game_unreadable",
    "hello_required",
    "hidden_information",
    "http_error",
    "illegal_action",
    "internal_error",
    "invalid_option",
    "invalid_record",
    "invalid_seat_link",
    "method_not_allowed",
    "no_seat_to_act",
    "not_found",
    "parse_error",
    "payload_too_large",
    "rate_limited",
    "request_id_reused",
    "stale",
    "timeout",
    "unknown_game_type",
    "unknown_host",
    "validation_error",
]
"""Why a request is refused. The page has a sentence for each that the server does not translate."""
FactValues: TypeAlias = dict[str, str | int]
View: TypeAlias = Annotated[
    Mapping[str, Any],
    Meta(description="The JSON of a view: `View` of the game's `view_json.py`."),
]


class Request(Struct, forbid_unknown_fields=True):
    """The body of a request. Unknown fields are refused, because they are mistakes of the client."""


class Body(Struct):
    """The body of an answer, or a part of one."""


# --- Requests ----------------------------------------------------------------------------------


class SeatRequest(Request):
    """Who is to play a seat of a new game: the user, a bot, or the first who joins."""

    kind: Literal["me", "bot", "open"]
    level: Level | None = None
    name: UserName | None = None


class NewGameRequest(Request):
    """A game to be created."""

    game_key: GameKey
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=MAX_SEATS)]
    options: dict[OptionName, LongText] = {}
    name: UserName | None = None
    public: bool = False
    clock: Annotated[str, Meta(max_length=16, description="SECONDS+INCREMENT, for example 300+5.")] = ""
    position: Annotated[LongText, Meta(description="The text of a position to start from.")] = ""


class ImportRequest(Request):
    """A record to be opened as a game of its own."""

    record: Annotated[
        str, Meta(min_length=1, max_length=MAX_RECORD_LENGTH, description="The text of a record.")
    ]


class JoinRequest(Request):
    """An open seat to be taken; without `seat` the first one."""

    seat: SeatIndex | None = None
    name: UserName | None = None


class AddBotRequest(Request):
    """A bot for an open seat; without `seat` for the first one."""

    level: Level = 1
    seat: SeatIndex | None = None


class ClaimRequest(Request):
    """The secret of a seat link."""

    token: Annotated[str, Meta(min_length=8, max_length=64)]


class ActionRequest(Request):
    """An action or a command of a player.

    `seq` is the last event that the client has received; the request is refused if the game has advanced
    since then. A request that the same user sends again with the same `request_id` is applied once. Without
    `seat`, the server chooses the seat of the user that the request must be meant for. An answer to an offer
    has its `offer_seq`, so that it never answers another one.
    """

    type: PlayerChange = "action"
    action: LongText = ""
    seq: Seq | None = None
    request_id: RequestId | None = None
    seat: SeatIndex | None = None
    offer_seq: Seq | None = None


class PreviewRequest(Request):
    """An action whose effects are asked for, without playing it."""

    action: LongText
    seat: SeatIndex | None = None


class ProfileRequest(Request):
    """The name that a user chooses."""

    name: UserName


# --- Parts of answers --------------------------------------------------------------------------


ChosenOptions: TypeAlias = Annotated[
    dict[str, str], Meta(description="The options that differ from the defaults, by their names.")
]


class Fact(Body):
    """A statement of the rules: its clause, its key, its values, and the sentence in the user's language."""

    clause: str
    key: str
    values: FactValues
    text: str


class SeatInfo(Body):
    """Who plays a seat. Human seats with the same `person` are played by one person on one screen.

    The name of a person who gave none is empty.
    """

    kind: Literal["open", "human", "bot"]
    name: str = ""
    level: int | None = None
    person: int | None = None


class TitledSeat(SeatInfo, kw_only=True):
    """The same with what the game calls the seat, for example a colour."""

    title: str


class Offer(Body):
    """An offer of a seat, its event, and the seats that have accepted it."""

    seq: int
    seat: int
    kind: Literal["draw", "undo"]
    accepted_by: list[int]


HasPoints: TypeAlias = Annotated[
    bool,
    Meta(
        description="False if the scores say only who won, as 1, 0 or -1: without points, or if the players "
        "ended the game."
    ),
]


TeamScores: TypeAlias = Annotated[
    list[int], Meta(description="The score of each team, which need not be the sum of those of its seats.")
]


class Outcome(Body):
    """The end of a game."""

    scores: list[int]
    team_scores: TeamScores
    winners: list[int]
    has_points: HasPoints
    reason: Fact


class ClockState(Body):
    """Seconds that each seat had left when the running clock was started."""

    remaining: list[float]
    running: int | None
    started_at: float


class ScoreChange(Body):
    """The points that each seat gained by an action, and the scores after it. `seat` is null for chance."""

    action_index: Annotated[int, Meta(ge=1, description="The number of actions played, with this one.")]
    seat: int | None
    gains: list[int]
    scores: list[int]
    team_scores: TeamScores


class GameState(Body):
    """A game as one viewer may see it."""

    game_id: str
    game_key: str
    options: ChosenOptions
    seq: int
    status: GameStatus
    seats: list[TitledSeat]
    teams: Annotated[list[int], Meta(description="The team of each seat.")]
    viewer: Annotated[int | None, Meta(description="The seat that sees this; null for a spectator.")]
    to_act: Actor
    prompt: Annotated[Fact | None, Meta(description="What the seat to act has to do.")]
    action_seqs: Annotated[
        list[int], Meta(description="The event of each action that was not undone, in order.")
    ]
    position: str
    view: View
    same_view_seats: Annotated[list[int], Meta(description="The seats that see exactly the same position.")]
    score_history: Annotated[list[ScoreChange], Meta(description="Empty in games without points.")]
    offer: Offer | None
    outcome: Outcome | None
    clock: ClockState | None
    has_no_human_opponent: Annotated[
        bool, Meta(description="Whether the viewer may undo and ask for hints without consent.")
    ]
    can_undo: Annotated[
        bool, Meta(description="Whether the viewer may undo now, or ask the others to agree.")
    ]
    can_offer_draw: Annotated[bool, Meta(description="Whether the viewer may offer a draw now.")]
    must_answer: Annotated[bool, Meta(description="Whether the viewer has to answer the offer.")]
    seed_commitment: Annotated[
        str, Meta(description="The SHA-256 hash of the seed of chance; empty if there is none.")
    ]
    seed: Annotated[str | None, Meta(description="The seed itself, after the end, if there is one.")]
    rematch_id: str | None


class GameEvent(Body, omit_defaults=True):
    """One change of a game, as one viewer may read it.

    `text` is the action of `action` and `chance` events. `player` and `reason` belong to `join` events: the
    reason is given if a bot replaces a player who left, or a bot whose engine failed. `effects` says what an
    action did, as far as the viewer may know it, and `skipped` has the seats whose turn was skipped after it.
    """

    seq: int
    type: EventType
    seat: int | None
    text: str
    time: float
    player: SeatInfo | None = None
    reason: Literal["left", "failed"] | None = None
    effects: list[Fact] = []
    skipped: list[int] = []


class FieldError(Body):
    """A field of a request that is not as it should be."""

    loc: list[str]
    msg: str


class VariationMove(Body):
    """An action that was tried, and its seat."""

    seat: int
    text: str


class ExpectedOutcome(Body):
    """How the game may end after an action, for the seat to act."""

    win_rate: Annotated[float, Meta(ge=0, le=1)]
    score_lead: Annotated[
        float | None, Meta(description="Points ahead of the best other team. Null for a player alone.")
    ]
    scores: Annotated[list[float], Meta(description="The expected final score of each seat.")]


class Candidate(Body):
    """An action with its evaluation by an engine, from -1 to 1, and the expected continuation."""

    action: str
    value: float
    pv: list[str]
    facts: list[Fact]
    effects: Annotated[list[Fact], Meta(description="What it does at once. Only of the best few.")]
    expected: Annotated[ExpectedOutcome | None, Meta(description="Null if the engine does not know.")]


DistanceMaps: TypeAlias = Annotated[
    dict[str, dict[str, int]],
    Meta(description="For each colour, the steps to each cell it can reach. Empty if the game has none."),
]


# --- Answers -----------------------------------------------------------------------------------


class OptionChoice(Body):
    """A value of an option, and how a form shows it."""

    value: str
    text: str


class GameOption(Body):
    """An option of a game. It matters in one of the cases `relevant_if`, or always if there are none."""

    name: str
    label: str
    help: Annotated[str, Meta(description="A sentence below the field, or empty.")]
    choices: Annotated[list[OptionChoice], Meta(description="Empty if any text is a value.")]
    explains_choices: Annotated[bool, Meta(description="Whether the texts of the choices are sentences.")]
    default: str
    clause: str
    advanced: bool
    relevant_if: list[dict[str, list[str]]]


class GameLevel(Body):
    """A level of the computer players of a game, and one sentence that says how it plays."""

    level: int
    name: str
    description: str


class GameType(Body):
    """A game that can be played, with its options."""

    key: str
    title: str
    version: int
    levels: Annotated[list[GameLevel], Meta(description="Weakest first.")]
    allows_draw_offers: bool
    seats: Annotated[list[str], Meta(description="What the game calls its seats.")]
    options: list[GameOption]
    languages: list[str]


class Rulebook(Body):
    """The rules as Markdown, and the text of each clause."""

    language: str
    text: str
    clauses: dict[str, str]


class SummaryResult(Body):
    """How a finished game of a user ended."""

    my_seats: list[int]
    winners: list[int]
    scores: list[int]
    has_points: HasPoints
    reason: Annotated[str, Meta(description="The key of the reason, as in the outcome.")]
    moves: Annotated[int, Meta(description="The number of actions of seats.")]


class GameSummary(Body):
    """A game in a list; nothing that depends on hidden information."""

    game_id: str
    game_key: str
    options: ChosenOptions
    clock: str
    status: GameStatus
    created_at: float
    public: bool
    seats: list[SeatInfo]
    present_seats: list[int]
    spectators: int
    my_turn: Annotated[bool | None, Meta(description="Known for the newest games of a user only.")] = None
    my_seats: Annotated[
        list[int] | None, Meta(description="Known for the newest running games of a user only.")
    ] = None
    is_readable: Annotated[
        bool,
        Meta(
            description="False if the rules have another version now, or if the game is damaged and one of "
            "the newest of a user: others are not loaded for a list."
        ),
    ] = True
    result: Annotated[
        SummaryResult | None, Meta(description="Known for the newest finished games of a user only.")
    ] = None


class Profile(Body):
    """The name of a user, and the user's games, newest first."""

    name: str
    games: list[GameSummary]


class ProfileName(Body):
    """The name of a user."""

    name: str


class Lobby(Body):
    """Public games with an open seat, and public games to watch, newest first."""

    open: list[GameSummary]
    live: list[GameSummary]


class Snapshot(Body):
    """Everything that one viewer may know of a game, with all events."""

    state: GameState
    log: list[GameEvent]
    my_seats: list[int]


class ActionAccepted(Body):
    """The event of an accepted action, and the current state, which may include later events."""

    seq: int
    state: GameState


class Preview(Body):
    """The effects of an action, or the reason why it is illegal."""

    effects: list[Fact]
    error: Fact | None


class SeatLink(Body):
    """The secret that shares a seat with another device."""

    token: str


class Rematch(Body):
    """The game that follows a finished one, or repeats it."""

    game_id: str


class Position(Body):
    """A position of a game after some actions, and after some more that are tried on it."""

    action_index: int
    variation: list[VariationMove]
    to_act: Actor
    position: str
    view: View
    prompt: Fact


class Analysis(Body):
    """The moves of a position, best first; at most 100."""

    facts: list[Fact]
    candidates: list[Candidate]
    distance_maps: DistanceMaps


class Hint(Candidate):
    """The best move, and the best few moves with it."""

    candidates: list[Candidate]
    distance_maps: DistanceMaps


class Health(Body):
    """The server answers, or for `/readyz` can write games."""

    status: Literal["ok"]
    version: str


class ErrorBody(Body, omit_defaults=True):
    """A refused request: a code for programs and a sentence for people.

    Illegal actions have a clause, key and values; invalid options an option; invalid requests `errors`. A
    stale request has the current `seq`, and over HTTP the current snapshot. If a limit is reached or the
    server is busy, `retry_after` is the number of seconds to wait.
    """

    code: ErrorCode
    message: str
    clause: str | None = None
    key: str | None = None
    values: FactValues | None = None
    option: str | None = None
    errors: list[FieldError] | None = None
    seq: int | None = None
    current: Snapshot | None = None
    retry_after: int | None = None


# --- WebSocket, client to server ---------------------------------------------------------------


class HelloMessage(Request, tag="hello"):
    """The first message, and again to change the seat or the language. `seq` is the last event received."""

    seq: Seq | None = None
    seat: SeatIndex | None = None
    lang: Annotated[str, Meta(max_length=8)] = "en"


class ActionMessage(Request, tag="action"):
    """An action of the seat to act."""

    request_id: RequestId
    action: LongText
    seq: Seq


class CommandMessage(Request, tag="command"):
    """Anything else that a player does. An answer to an offer has its `offer_seq`."""

    request_id: RequestId
    command: Command
    seq: Seq | None = None
    seat: SeatIndex | None = None
    offer_seq: Seq | None = None


class PingMessage(Request, tag="ping"):
    """Asks for a pong."""


ClientMessage: TypeAlias = HelloMessage | ActionMessage | CommandMessage | PingMessage


# --- WebSocket, server to client ---------------------------------------------------------------


class SnapshotMessage(Snapshot, tag="snapshot"):
    """Answers a hello. A page of another `server_version` is outdated."""

    server_version: str


class CatchUpMessage(Body, tag="catch_up"):
    """Answers a hello of a client that missed a few events."""

    events: list[GameEvent]
    state: GameState
    my_seats: list[int]
    server_version: str


class EventMessage(Body, tag="event", omit_defaults=True):
    """One event. The events of one change follow each other, the last one with the state."""

    event: GameEvent
    state: GameState | None = None


class AckMessage(Body, tag="ack"):
    """A request was applied, as event `seq`."""

    request_id: str
    seq: int


class ErrorMessage(Body, tag="error", omit_defaults=True):
    """A message was refused. With `resync` the client must ask for a snapshot."""

    request_id: str | None
    error: ErrorBody
    resync: bool = False


class PresenceMessage(Body, tag="presence"):
    """The seats that are connected, and the number of spectators."""

    present_seats: list[int]
    spectators: int


class RematchMessage(Body, tag="rematch"):
    """A rematch was created."""

    game_id: str


class PongMessage(Body, tag="pong"):
    """Answers a ping."""


class ClosingMessage(Body, tag="closing"):
    """The server shuts down. Clients reconnect."""


ServerMessage: TypeAlias = (
    SnapshotMessage
    | CatchUpMessage
    | EventMessage
    | AckMessage
    | ErrorMessage
    | PresenceMessage
    | RematchMessage
    | PongMessage
    | ClosingMessage
)

REQUESTS: Final = (
    NewGameRequest,
    ImportRequest,
    JoinRequest,
    AddBotRequest,
    ClaimRequest,
    ActionRequest,
    PreviewRequest,
    ProfileRequest,
)
"""The bodies of HTTP requests."""

ANSWERS: Final = (
    GameType,
    Rulebook,
    Profile,
    ProfileName,
    Lobby,
    Snapshot,
    ActionAccepted,
    Preview,
    SeatLink,
    Rematch,
    Position,
    Analysis,
    Hint,
    Health,
    ErrorBody,
)
"""The bodies of HTTP answers. `game-types` answers with a list of the first."""

encode = msgspec.json.encode
decode_client_message = msgspec.json.Decoder(ClientMessage).decode
