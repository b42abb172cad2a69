"""What is agreed before a game begins: of a new one, a rematch and a repetition."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tripot.game import AnyGame, Options, Seat, TripotError
from tripot.server.events import JoinedPlayer, bot, human
from tripot.server.live_game import EASIEST_LEVEL_INDEX, LiveGame
from tripot.server.tables import GameRow, SeatOwnerRow
from tripot.server.wire import SeatInfo, SeatRequest

GAME_ID_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be stored. `seed` is empty if a new one is to be drawn."""

    game: AnyGame
    options: str
    position: str
    clock: str
    public: bool
    creator_id: str
    players: Mapping[Seat, JoinedPlayer]
    owners: Sequence[tuple[Seat, str]]
    seed: str = ""
    rematch_of: str | None = None

    def row(self, seed: str, now: float) -> GameRow:
        """The row of the game before anybody has joined it."""
        return {
            "id": secrets.token_hex(GAME_ID_BYTES),
            "game_key": self.game.key,
            "version": self.game.version,
            "options": self.options,
            "position": self.position,
            "seed": self.seed or seed,
            "clock": self.clock,
            "public": self.public,
            "creator_id": self.creator_id,
            "created_at": now,
            "status": "open",
            "has_bots": False,
            "seats": "[]",
            "rematch_id": "",
        }

    def owner_rows(self, game_id: str) -> list[SeatOwnerRow]:
        """The rows of the users who may play the seats."""
        return [{"game_id": game_id, "seat": seat, "user_id": user_id} for seat, user_id in self.owners]


def requested_game(
    game: AnyGame,
    options: Options,
    seats: Sequence[SeatRequest],
    user_id: str,
    name: str,
    public: bool,
    clock: str,
    position: str,
) -> NewGame:
    """The game that a user asks for. `name` is the user's, on seats without a name of their own."""
    if len(seats) != options.players:
        raise TripotError(f"{options.players} seats are to be filled, not {len(seats)}")
    players = {
        seat: human(1, request.name or name)
        if request.kind == "me"
        else bot(request.level or game.levels[EASIEST_LEVEL_INDEX])
        for seat, request in enumerate(seats)
        if request.kind != "open"
    }
    owners = [(seat, user_id) for seat, request in enumerate(seats) if request.kind == "me"]
    return NewGame(game, str(options), position, clock, public, user_id, players, owners)


def rematch_of(live: LiveGame, row: GameRow, user_id: str) -> NewGame:
    """The same game again, each player moved on by one seat."""
    seats = live.seat_infos
    order = [(seat - 1) % len(seats) for seat in range(len(seats))]
    return NewGame(
        live.game,
        row["options"],
        row["position"],
        row["clock"],
        live.public,
        user_id,
        players={seat: _player(seats[old]) for seat, old in enumerate(order)},
        owners=[(seat, owner) for seat, old in enumerate(order) for owner in sorted(live.seat_owners[old])],
        rematch_of=live.id,
    )


def repetition_of(live: LiveGame, row: GameRow, user_id: str) -> NewGame:
    """The same game again with the seed, the start and the seats.

    With the same seed, chance fills the same boards. What it threw in a game of one player becomes an option,
    so that the player knows it (TG-12).
    """
    options, position = live.table.options, live.table.position
    if not position:
        outcomes = [event.action for event in live.active_events if event.type == "chance"]
        options, _ = live.game.repeat_chance(options, outcomes)
    return NewGame(
        live.game,
        str(options),
        position,
        row["clock"],
        live.public,
        user_id,
        players={seat: _player(info) for seat, info in enumerate(live.seat_infos)},
        owners=[(seat, owner) for seat, users in live.seat_owners.items() for owner in sorted(users)],
        seed=live.seed,
    )


def _player(info: SeatInfo) -> JoinedPlayer:
    return bot(info.level) if info.level else human(info.person or 1, info.name)
