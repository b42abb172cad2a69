"""The tables of the database, and the types of their rows.

users        who has chosen a name
games        one row per game: what was agreed before it began, and what lists show of it
seat_owners  which users may play which seat
seat_links   hashes of the secrets that share a seat with another device
events       one row per event of a game
readiness    one row that is written to check that the database can be written

Rows of `events` are only added, never changed: an undo is an event too. The position of a game, its players
and its clock follow from its row and its events; who may play its seats and the links do not.
"""

from __future__ import annotations

from typing import TypedDict

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Text

from tripot.game import Seat
from tripot.server.wire import EventType, GameStatus

metadata = sa.MetaData()

users = sa.Table(
    "users",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created_at", Float, nullable=False),
)

games = sa.Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game_key", String(32), nullable=False),
    Column("version", Integer, nullable=False),  # of the rules
    Column("options", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("clock", String(32), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("creator_id", String(32), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("status", String(8), nullable=False),
    Column("has_bots", Boolean, nullable=False),
    Column("seats", Text, nullable=False),  # a JSON list of SeatInfo, for lists of games
    Column("rematch_id", String(16), nullable=False),
    Index("games_by_status", "status", "public", "created_at"),
    Index("games_by_creator", "creator_id", "status"),
)

seat_owners = sa.Table(
    "seat_owners",
    metadata,
    Column("game_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", String(32), primary_key=True),
    Index("seat_owners_by_user", "user_id"),
)

seat_links = sa.Table(
    "seat_links",
    metadata,
    Column("game_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("token_hash", String(64), nullable=False),
)

events = sa.Table(
    "events",
    metadata,
    Column("game_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("seat", Integer),
    Column("type", String(16), nullable=False),
    Column("text", Text, nullable=False),  # an action, or of a join the player as JSON
    Column("request_id", String(64)),
    Column("created_at", Float, nullable=False),
    Column("elapsed_seconds", Float, nullable=False),  # on the clock, without the time the server was down
    Column("previous_seq", Integer, sa.Computed("NULLIF(seq - 1, 0)", persisted=True)),
    Index("events_by_request", "game_id", "request_id", unique=True),
    sa.CheckConstraint("seq > 0", name="events_seq_is_positive"),
    # Every event but the first has a predecessor, so that the numbers of a game have no gap.
    sa.ForeignKeyConstraint(
        ["game_id", "previous_seq"], ["events.game_id", "events.seq"], name="events_have_predecessors"
    ),
)

readiness = sa.Table(
    "readiness",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("checked_at", Float, nullable=False),
)


class GameRow(TypedDict):
    """A row of `games`."""

    id: str
    game_key: str
    version: int
    options: str
    position: str
    seed: str
    clock: str
    public: bool
    creator_id: str
    created_at: float
    status: GameStatus
    has_bots: bool
    seats: str
    rematch_id: str


class SeatOwnerRow(TypedDict):
    """A row of `seat_owners`."""

    game_id: str
    seat: Seat
    user_id: str


class EventRow(TypedDict):
    """A row of `events`."""

    game_id: str
    seq: int
    seat: Seat | None
    type: EventType
    text: str
    request_id: str | None
    created_at: float
    elapsed_seconds: float
