"""What is agreed before a game begins: of a new one, a rematch, a repetition and an imported record."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tripot.fairness import ChanceMismatchError, verify_chance
from tripot.game import AnyGame, Chance, Options, Seat, TripotError
from tripot.record import Record
from tripot.server.events import Change, JoinedPlayer, bot, human
from tripot.server.live_game import EASIEST_LEVEL_INDEX, LiveGame
from tripot.server.tables import GameRow, SeatOwnerRow
from tripot.server.wire import SeatInfo, SeatRequest

GAME_ID_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be stored, with what has already been played.

    `seed` is None if a new one is to be drawn, and empty if a finished game has none.
    """

    game: AnyGame
    options: str
    position: str
    clock: str
    public: bool
    creator_id: str
    players: Mapping[Seat, JoinedPlayer]
    owners: Sequence[tuple[Seat, str]]
    seed: str | None = None
    history: Sequence[Change] = ()
    rematch_of: str | None = None

    def row(self, seed: str, now: float) -> GameRow:
        """The row of the game before anybody has joined it."""
        return {
            "id": secrets.token_hex(GAME_ID_BYTES),
            "game_key": self.game.key,
            "version": self.game.version,
            "options": self.options,
            "position": self.position,
            "seed": seed if self.seed is None else self.seed,
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
    outcomes = [event.action for event in live.active_events if event.type == "chance"]
    start, _ = live.game.repeat_chance(live.state_after(0), outcomes)
    return NewGame(
        live.game,
        str(start.options),
        start.to_text() if live.table.position else "",
        row["clock"],
        live.public,
        user_id,
        players={seat: _player(info) for seat, info in enumerate(live.seat_infos)},
        owners=[(seat, owner) for seat, users in live.seat_owners.items() for owner in sorted(users)],
        seed=live.seed or None,
    )


def imported_game(record: Record, user_id: str) -> NewGame:
    """The game of a record. The user owns all seats, and can play on if it is unfinished.

    The seed is that of the record if its chance outcomes follow from it.
    """
    has_seed = bool(record.seed)
    try:
        verify_chance(record)
    except ChanceMismatchError:
        has_seed = False
    no_seed = "" if record.outcome else None
    return NewGame(
        record.game,
        str(record.options),
        record.position,
        clock="",
        public=False,
        creator_id=user_id,
        players={seat: human(1, name) for seat, name in enumerate(record.seats)},
        owners=[(seat, user_id) for seat in range(len(record.seats))],
        seed=record.seed if has_seed else no_seed,
        history=[*_played(record), *_terminated(record.termination)],
    )


def _played(record: Record) -> Iterator[Change]:
    """The events of the actions of a record."""
    for state, action in zip(record.states(), record.actions, strict=False):
        if isinstance(state.to_act, Chance):
            yield Change("chance", None, str(action))
        else:
            yield Change("action", state.to_act, str(action))


def _terminated(termination: str) -> Iterator[Change]:
    """The event by which players ended a game: `resign 2`, `time 2`, `agree` or nothing."""
    match termination.split():
        case ["resign", number]:
            yield Change("resign", int(number) - 1)
        case ["time", number]:
            yield Change("timeout", int(number) - 1)
        case ["agree"]:
            yield Change("offer_draw", 0)  # one person plays all seats, so it is agreed at once


def _player(info: SeatInfo) -> JoinedPlayer:
    return bot(info.level) if info.level else human(info.person or 1, info.name)
