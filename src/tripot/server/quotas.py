"""How many unfinished games and seats one user and one address may have, so that none occupies all games."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Final, NamedTuple

from tripot.server.errors import RequestError
from tripot.server.live_game import LiveGame
from tripot.server.settings import Settings
from tripot.server.storage import LOBBY_SECONDS, Storage

TOO_MANY_GAMES: Final = "You have too many unfinished games."
TOO_MANY_SEATS: Final = "You have joined too many games that are not finished."
TOO_MANY_PUBLIC_GAMES: Final = "Too many public games of your network are not finished."
TOO_MANY_SEATS_OF_ADDRESS: Final = "Your network has joined too many public games that are not finished."


class Quota:
    """A limit of what a key may have, of which what is being written counts too."""

    def __init__(self, limit: int, refusal: str, count: Callable[[str], Awaitable[int]]) -> None:
        self._limit, self._refusal, self._count = limit, refusal, count
        self._pending: Counter[str] = Counter()

    @asynccontextmanager
    async def one_more(self, key: str) -> AsyncIterator[None]:
        """Let a key have one more, or raise `RequestError`."""
        self._pending[key] += 1
        with_this = self._pending[key]
        try:
            if await self._count(key) + with_this > self._limit:
                raise RequestError(429, "rate_limited", self._refusal)
            yield
        finally:
            self._pending[key] -= 1
            if not self._pending[key]:
                del self._pending[key]


class Held(NamedTuple):
    """A game that an address holds, since a time of the monotonic clock."""

    game_id: str
    since: float


class AddressQuota(Quota):
    """A limit of the unfinished games that an address holds.

    They are known in memory only, because addresses are never stored: a restart forgets them. So does a day,
    after which a game is not listed any more.
    """

    def __init__(self, storage: Storage, limit: int, refusal: str) -> None:
        super().__init__(limit, refusal, self._count_unfinished)
        self._storage = storage
        self._held: OrderedDict[str, list[Held]] = OrderedDict()  # the address with the newest one is last

    def has(self, address: str, game_id: str) -> bool:
        """Whether an address holds a game."""
        return any(held.game_id == game_id for held in self._held.get(address, ()))

    def add(self, address: str, game_id: str) -> None:
        """Let an address hold a game."""
        self._held.setdefault(address, []).append(Held(game_id, time.monotonic()))
        self._held.move_to_end(address)

    async def _count_unfinished(self, address: str) -> int:
        """The games that an address holds. If they seem too many, the database is asked which are over."""
        oldest = time.monotonic() - LOBBY_SECONDS
        while self._held and next(iter(self._held.values()))[-1].since < oldest:
            self._held.popitem(last=False)
        if len(self._held.get(address, ())) + self._pending[address] > self._limit:
            asked = [held.game_id for held in self._held.get(address, ())]
            over = {*asked} - await self._storage.unfinished_games(asked)
            kept = [
                held
                for held in self._held.pop(address, ())
                if held.since >= oldest and held.game_id not in over
            ]
            if kept:
                self._held[address] = kept
        return len(self._held.get(address, ()))


class Quotas:
    """The limits of users, whose games are in the database, and of addresses."""

    def __init__(self, storage: Storage, settings: Settings) -> None:
        self._user_games = Quota(
            settings.max_unfinished_games,
            TOO_MANY_GAMES,
            partial(storage.count_created_games, unfinished=True),
        )
        self._user_seats = Quota(
            settings.max_unfinished_seats, TOO_MANY_SEATS, storage.count_unfinished_seats
        )
        self._public_games = AddressQuota(
            storage, settings.max_public_games_per_address, TOO_MANY_PUBLIC_GAMES
        )
        self._address_seats = AddressQuota(
            storage, settings.max_unfinished_seats_per_address, TOO_MANY_SEATS_OF_ADDRESS
        )

    @asynccontextmanager
    async def new_game(
        self, user_id: str, address: str, public: bool
    ) -> AsyncIterator[Callable[[str], None]]:
        """Let a user create a game, unless there are too many. What is yielded is called with its id."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._user_games.one_more(user_id))
            if not (address and public):
                yield lambda _: None
                return
            await stack.enter_async_context(self._public_games.one_more(address))
            yield partial(self._public_games.add, address)

    @asynccontextmanager
    async def new_seat(self, live: LiveGame, user_id: str, address: str) -> AsyncIterator[None]:
        """Let a user join a game, unless the user or the address has joined too many of others.

        Of an address only public games count, and not those that were created there: the people of one
        school may play with each other.
        """
        async with AsyncExitStack() as stack:
            if user_id != live.creator_id:
                await stack.enter_async_context(self._user_seats.one_more(user_id))
            is_foreign = bool(address) and live.public and not self._public_games.has(address, live.id)
            if is_foreign:
                await stack.enter_async_context(self._address_seats.one_more(address))
            yield
            if is_foreign:
                self._address_seats.add(address, live.id)
