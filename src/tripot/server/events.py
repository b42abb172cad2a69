"""The events of a game: everything that changes it, numbered from 1 by `seq`.

join                             a player takes a seat: a user, or a bot
action, chance                   an action of a seat; a chance outcome
resign, offer_draw, undo,        what `Table` knows; draw and undo are offers, unless there is no
accept, decline                  other person
timeout                          a seat has used up its time
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from tripot.game import Action, AnyState, Seat
from tripot.server.tables import EventRow
from tripot.server.wire import EventType
from tripot.table import ActionReport, Player, report_action


class Change(NamedTuple):
    """Something that is to happen in a game. `text` is an action, or of a join the player as JSON."""

    type: EventType
    seat: Seat | None
    text: str = ""


@dataclass(slots=True)
class Event:
    """Something that has happened in a game.

    `elapsed_seconds` is what it took on the clock of the seat whose time was running. An action has the state
    before it, which decides who may read it. `request_id` is a key made by `identity.request_key`.
    """

    seq: int
    type: EventType
    seat: Seat | None
    text: str
    created_at: float
    request_id: str | None = None
    elapsed_seconds: float = 0.0
    before: AnyState | None = None
    action: Action | None = None
    reports: dict[Seat | None, ActionReport] = field(default_factory=dict)
    """What each seat may know of the action, once it was asked for."""

    def report(self, viewer: Seat | None) -> ActionReport:
        """What a viewer may know of the action."""
        if viewer not in self.reports:
            assert self.before is not None
            assert self.action is not None
            self.reports[viewer] = report_action(self.before, self.action, viewer)
        return self.reports[viewer]

    def row(self, game_id: str) -> EventRow:
        """The row in the database."""
        return {
            "game_id": game_id,
            "seq": self.seq,
            "seat": self.seat,
            "type": self.type,
            "text": self.text,
            "request_id": self.request_id,
            "created_at": self.created_at,
            "elapsed_seconds": self.elapsed_seconds,
        }


UNNAMED: Final = "Guest"
"""What records call people without a name."""


class JoinedPlayer(Struct, frozen=True, omit_defaults=True):
    """The player of a `join` event, stored as JSON in its text.

    The name of a person who gave none is empty. `person` tells the people of a game apart. `reason` is given
    if a bot replaces a player who left, or a bot whose engine failed.
    """

    kind: Literal["human", "bot"]
    name: str = ""
    level: int | None = None
    person: int | None = None
    reason: Literal["left", "failed"] | None = None

    def change(self, seat: Seat) -> Change:
        """The change by which this player takes a seat."""
        return Change("join", seat, player_text(self))

    def player(self) -> Player:
        """The player as the table knows them."""
        if self.level is not None:
            return Player(f"level {self.level}", level=self.level)
        return Player(self.name or UNNAMED, person_id=str(self.person), is_named=self.name != "")


def human(person: int, name: str) -> JoinedPlayer:
    """A person who takes a seat."""
    return JoinedPlayer("human", name, person=person)


def bot(level: int, reason: Literal["left", "failed"] | None = None) -> JoinedPlayer:
    """A bot that takes a seat."""
    return JoinedPlayer("bot", level=level, reason=reason)


def player_text(player: JoinedPlayer) -> str:
    """The text of a `join` event."""
    return msgspec.json.encode(player).decode()


parse_player = msgspec.json.Decoder(JoinedPlayer).decode
"""The player of a `join` event from its text."""
