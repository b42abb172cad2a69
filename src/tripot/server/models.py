"""What goes over HTTP, for checking requests and for the documentation of answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

import tripot

SOME = tripot.list_games()[0].key  # for the examples
Text = Annotated[str, Field(max_length=4000)]
Name = Annotated[str, Field(min_length=1, max_length=24, examples=["Ann"])]
SeatNumber = Annotated[int, Field(ge=0, le=15, description="Counted from 0.")]
ClientId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[\w-]+$")]


class Strict(BaseModel):
    """A request has no fields that nobody knows."""

    model_config = ConfigDict(extra="forbid")


class Chair(Strict):
    """Who is to sit on a seat: me, a bot, or whoever has the link."""

    kind: Literal["me", "bot", "open"]
    level: Annotated[int, Field(ge=1, le=99)] | None = None
    name: Name | None = None


class NewGame(Strict):
    """A game to be opened."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"game": SOME, "seats": [{"kind": "me"}, {"kind": "bot", "level": 2}]},
                {"game": SOME, "options": {"players": "2"}, "seats": [{"kind": "me"}, {"kind": "open"}]},
            ]
        },
    )
    game: Annotated[str, Field(max_length=32, description="The key of a game: see /api/kinds.")]
    options: dict[Annotated[str, Field(max_length=32)], Text] = {}
    seats: Annotated[list[Chair], Field(min_length=1, max_length=16)]
    name: Name | None = None
    public: bool = False
    clock: Annotated[str, Field(max_length=16, description="Seconds and seconds a move: 300+5.")] = ""
    position: Text = ""


class Join(Strict):
    """A seat to be taken; the first open one if none is named."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"seat": 1, "name": "Bob"}]})
    seat: SeatNumber | None = None
    name: Name | None = None


class AddBot(Strict):
    """A bot for an open seat."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"level": 2}]})
    level: Annotated[int, Field(ge=1, le=99)] = 1
    seat: SeatNumber | None = None


class Claim(Strict):
    """The secret of a seat link."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"token": "q2wZ0eXampleToken_1"}]}
    )
    token: Annotated[str, Field(min_length=8, max_length=64)]


class Act(Strict):
    """Something that a player does.

    `seq` is the number of the last event the player has seen, and `client` an id of the player's own:
    the same one again is the same act.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"action": "g2", "seq": 12, "client": "0f8fad5b-d9cb"}, {"kind": "undo"}]
        },
    )
    kind: Literal["act", "resign", "draw", "undo", "yes", "no"] = "act"
    action: Text = ""
    seq: Annotated[int, Field(ge=0)] | None = None
    client: ClientId | None = None
    seat: SeatNumber | None = None


class Ask(Strict):
    """An action to be looked at, not played."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"action": "g2"}]})
    action: Text
    seat: SeatNumber | None = None


class Me(Strict):
    """How a player wants to be called."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Ann"}]})
    name: Name


class Problem(BaseModel):
    """Every refusal: a code for programs, a sentence for people, and what else is known."""

    model_config = ConfigDict(extra="allow")
    code: str
    message: str


class Said(BaseModel):
    """A fact with its clause and its sentence."""

    clause: str
    key: str
    values: dict[str, Any]
    text: str


class Scored(BaseModel):
    """An action of a seat, or a change of points by chance: what each gained by it, and how they stood."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"at": 5, "seat": 0, "gained": [45, 0], "scores": [45, 20]}]}
    )
    at: Annotated[int, Field(ge=1, description="The number of the action, counted as `positions` does.")]
    seat: Annotated[int | None, Field(description="Who acted; null for chance.")]
    gained: list[int]
    scores: list[int]


class Sight(BaseModel):
    """A game as one viewer may see it."""

    model_config = ConfigDict(extra="allow")
    id: str
    game: str
    options: str
    seq: int
    status: Literal["open", "live", "over"]
    viewer: int | None
    to_act: int | Literal["chance"] | None
    asks: Said | None
    view: dict[str, Any]
    scores: Annotated[
        list[Scored], Field(description="The course of the points; empty where none count on the way.")
    ]


class Snapshot(BaseModel):
    """Everything that one viewer may know of a game."""

    state: Sight
    log: list[dict[str, Any]]
    mine: list[int]


class Acted(BaseModel):
    """What became of an act: the number of its event, and how the game stands."""

    event: int
    state: Sight


class Previewed(BaseModel):
    """What an action would bring, or why it is refused."""

    brings: list[Said]
    refusal: Said | None


class Outlook(BaseModel):
    """How the game may end after an action, for the seat to act."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"wins": 0.62, "lead": 7.1, "scores": [-14.0, -21.1]}]}
    )
    wins: Annotated[float, Field(ge=0, le=1, description="How often its side wins.")]
    lead: Annotated[float, Field(description="Points that its side is ahead of the best other one.")]
    scores: Annotated[list[float], Field(description="The final score that each seat may expect.")]


Reach = Annotated[
    dict[str, dict[str, int]],
    Field(description="In how many steps who can come where; empty in a game without such a map."),
]


class Line(BaseModel):
    """An action with what an engine thinks of it, from -1 to 1."""

    action: str
    value: float
    line: list[str]
    facts: list[Said]
    outlook: Annotated[Outlook | None, Field(description="Null where the engine does not know.")]


class Analysed(BaseModel):
    """The moves of a position, best first."""

    facts: list[Said]
    choices: list[Line]
    reach: Reach


class Hint(Line):
    """The best move, and the best few in order with it."""

    choices: list[Line]
    reach: Reach
