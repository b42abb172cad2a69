"""Users and their names, lists of games, and how a user gets into a game."""

from __future__ import annotations

import unicodedata

import msgspec
from msgspec import structs

import tripot
from tripot import record
from tripot.game import AnyGame, Options, Seat, TripotError
from tripot.server import render
from tripot.server.errors import RulesTimeoutError, UnreadableGameError
from tripot.server.game_service import GameService
from tripot.server.game_types import require_game
from tripot.server.identity import User
from tripot.server.live_game import LiveGame
from tripot.server.rate_limits import RateLimits
from tripot.server.tables import GameRow
from tripot.server.wire import (
    GameSummary,
    JoinRequest,
    Lobby,
    NewGameRequest,
    Profile,
    SeatInfo,
)
from tripot.table import existing_level

BLANK_CHARACTERS = "\u115f\u1160\u2800\u3164\uffa0\ufffc\U0001d159"  # they look like spaces
MAX_TURN_LOOKUPS = 20  # games of a list that are loaded to see whose turn it is
MAX_RESULT_LOOKUPS = 6  # finished games of a list that are loaded to see how they ended

decode_seats = msgspec.json.Decoder(list[SeatInfo]).decode


class LobbyService:
    """Names of users, lists of games, and new players of games."""

    def __init__(self, games: GameService, rate_limits: RateLimits) -> None:
        self._games, self._storage, self._rate_limits = games, games.storage, rate_limits

    # -- getting into a game --

    async def create_game(self, user: User, request: NewGameRequest) -> LiveGame:
        """Create the game that a user asks for."""
        self._rate_limits.check_new_game(user)
        game = require_game(request.game_key)
        if all(seat.kind == "bot" for seat in request.seats):  # it would go on without anybody to wait for
            raise TripotError("A game needs a seat for a person.")
        seats = [
            msgspec.structs.replace(seat, name=validated_name(seat.name) if seat.name else None)
            for seat in request.seats
        ]
        name = await self.name_of(user.id, request.name)
        return await self._games.create(
            user.id,
            game.key,
            request.options,
            seats,
            name,
            request.public,
            request.clock,
            request.position,
            user.address,
        )

    async def import_record(self, user: User, text: str) -> LiveGame:
        """Create a game from a record. It counts as a new game."""
        self._rate_limits.check_new_game(user)
        return await self._games.import_record(user.id, text)

    async def join(self, game_id: str, user: User, request: JoinRequest) -> Seat:
        """Let a user take an open seat."""
        self._rate_limits.check_join(user)
        name = await self.name_of(user.id, request.name)
        return await self._games.join(game_id, user.id, name, request.seat, user.address)

    async def claim_seat(self, game_id: str, user: User, token: str) -> Seat:
        """Let a user play the seat of a link. It counts as a joined game."""
        self._rate_limits.check_join(user)
        return await self._games.claim_seat(game_id, user.id, token)

    async def rematch(self, game_id: str, user: User) -> str:
        """The id of the rematch of a game. It counts as a new game of the first user who asks for it."""
        if not (await self._games.get(game_id)).rematch_id:
            self._rate_limits.check_new_game(user)
        return await self._games.rematch(game_id, user.id, user.address)

    async def repeat(self, game_id: str, user: User) -> str:
        """The id of a game that repeats a finished one. It counts as a new game."""
        self._rate_limits.check_new_game(user)
        return await self._games.repeat(game_id, user.id, user.address)

    # -- names and lists --

    async def profile(self, user_id: str) -> Profile:
        """The name and the games of a user.

        Of the newest running games it says whether it is the user's turn, and of the newest finished ones how
        they ended.
        """
        summaries = [self._summary(row) for row in await self._storage.games_of_user(user_id)]
        live = [index for index, game in enumerate(summaries) if game.status == "live" and game.is_readable]
        for index in live[:MAX_TURN_LOOKUPS]:
            summaries[index] = await self._with_turn(summaries[index], user_id)
        over = [index for index, game in enumerate(summaries) if game.status == "over" and game.is_readable]
        for index in over[:MAX_RESULT_LOOKUPS]:
            summaries[index] = await self._with_result(summaries[index], user_id)
        return Profile(await self.name_of(user_id), summaries)

    async def _with_turn(self, summary: GameSummary, user_id: str) -> GameSummary:
        """The game with the user's seats and turn, or with the fact that it cannot be read."""
        try:
            async with self._games.locked(summary.game_id) as live:
                my_turn = await self._games.in_thread(render.is_turn_of, live, user_id)
                my_seats = live.seats_of(user_id)
        except (UnreadableGameError, RulesTimeoutError):
            return msgspec.structs.replace(summary, is_readable=False)
        return msgspec.structs.replace(summary, my_turn=my_turn, my_seats=my_seats)

    async def _with_result(self, summary: GameSummary, user_id: str) -> GameSummary:
        """The finished game with its result, or with the fact that it cannot be read."""
        try:
            async with self._games.locked(summary.game_id) as live:
                result = await self._games.in_thread(render.summary_result, live, user_id)
        except (UnreadableGameError, RulesTimeoutError):
            return msgspec.structs.replace(summary, is_readable=False)
        return msgspec.structs.replace(summary, result=result)

    async def name_of(self, user_id: str, given: str | None = None) -> str:
        """The name of a user in a new game: the one given now, else that of the profile, else none."""
        return validated_name(given) if given else await self._storage.user_name(user_id) or ""

    async def rename(self, user_id: str, name: str) -> str:
        """Change the name of a user, and return it as it is stored."""
        name = validated_name(name)
        await self._storage.set_user_name(user_id, name)
        return name

    async def public_games(self) -> Lobby:
        """Public games with an open seat, and public games to watch."""
        waiting, live = await self._storage.public_games("open"), await self._storage.public_games("live")
        return Lobby([self._summary(row) for row in waiting], [self._summary(row) for row in live])

    def _summary(self, row: GameRow) -> GameSummary:
        presence = self._games.connections.presence(row["id"])
        seats, is_readable = _readable_seats(row)
        return GameSummary(
            game_id=row["id"],
            game_key=row["game_key"],
            options=Options.split(row["options"]),
            clock=row["clock"],
            status=row["status"],
            created_at=row["created_at"],
            public=row["public"],
            seats=seats,
            present_seats=presence.present_seats,
            spectators=presence.spectators,
            is_readable=is_readable,
        )


def _readable_seats(row: GameRow) -> tuple[list[SeatInfo], bool]:
    """The seats of a listed game, and whether its rules are those of this server."""
    try:
        seats, game = decode_seats(row["seats"]), tripot.get_game(row["game_key"])
    except (msgspec.DecodeError, TripotError):
        return [], False
    try:
        record.check_version(game, row["version"], row["options"])
    except TripotError:
        return seats, False
    return [_with_existing_level(game, seat) for seat in seats], True


def _with_existing_level(game: AnyGame, seat: SeatInfo) -> SeatInfo:
    """A stored seat, with the level that its bot has once the game is loaded."""
    return seat if seat.level is None else structs.replace(seat, level=existing_level(game, seat.level))


def validated_name(name: str) -> str:
    """A name with single spaces that a record can contain and that can be seen.

    >>> validated_name(" Ann  B. ")
    'Ann B.'
    """
    name = " ".join(name.split())
    record.check_name(name)
    if not any(
        unicodedata.category(character)[0] in "LNPS" and character not in BLANK_CHARACTERS
        for character in name
    ):
        raise TripotError(f"{name!a} is no name: it has no visible character")
    return name
