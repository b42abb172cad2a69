"""All games of a server: opening, joining, acting, bots, and telling whoever watches.

One lock a game orders what happens to it. An event is applied in memory, committed, and only then
told; if it cannot be committed the game is dropped from memory and read again. The rules run in
threads, since a rule may take long, and the event loop must not wait for it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar

import sqlalchemy as sa
import structlog

import tripot
from tripot.game import AnyGame, IllegalActionError, Seat, TripotError
from tripot.record import starting_state
from tripot.server import storage
from tripot.server.bots import Bots
from tripot.server.clock import Clock
from tripot.server.errors import Refused, Stale, no_such_game
from tripot.server.live import SIMPLEST, Event, Kind, Live, What
from tripot.server.metrics import ACT_SECONDS, ACTIONS, GAMES, LIVE, WRITES_WAITING
from tripot.server.randomness import Randomness
from tripot.server.settings import Settings
from tripot.server.telling import encode, news, welcome
from tripot.server.visitors import digest, new_token
from tripot.server.watching import Watcher, Watchers

P = ParamSpec("P")
Result = TypeVar("Result")

log = structlog.get_logger("tripot")
ID_BYTES: Final = 8


class House:
    """The games, the players and the bots of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.storage = storage.Storage(settings.database_url)
        self.randomness = Randomness(settings.seed)
        simulations = settings.bot_simulations or None
        self.bots = Bots(
            settings.bot_threads, settings.think, simulations, self.randomness, settings.max_cached_bots
        )
        self.watchers = Watchers()
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._rules = ThreadPoolExecutor(4, thread_name_prefix="rules")
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._thinking: set[tuple[str, int]] = set()

    async def open(self) -> None:
        """Begin; games in which a bot is to move go on by themselves."""
        await self.storage.open()
        self._start(self._go_on())

    async def close(self) -> None:
        """Tell everybody, let what was begun be committed, and stop."""
        self.bots.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for timer in self._timers.values():
            timer.cancel()
        await self.watchers.farewell()
        for live in tuple(self._live.values()):
            async with live.lock:  # whoever holds it is writing
                pass
        await self.storage.close()
        self._rules.shutdown(wait=False)

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def in_thread(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Run what may take long, and asks the rules, beside the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._rules, lambda: work(*args, **kwargs))

    # -- finding games --

    async def get(self, game: str) -> Live:
        """A game by its id, from memory or rebuilt from its rows."""
        if found := self._live.get(game):
            self._live.move_to_end(game)
            return found
        async with self._loading.setdefault(game, asyncio.Lock()):
            try:
                return self._live.get(game) or await self._load(game)
            finally:
                self._loading.pop(game, None)

    def kind_of(self, game: str) -> AnyGame | None:
        """Which game is played under an id, if it is in memory."""
        found = self._live.get(game)
        return found.game if found else None

    async def _load(self, game: str) -> Live:
        live = await self.rebuilt(game)
        live.clock.restart(time.time())
        self._keep(live)
        self._wake(live)
        return live

    async def rebuilt(self, game: str) -> Live:
        """A game made anew from its rows alone."""
        row = await self.storage.row(sa.select(storage.games).where(storage.games.c.id == game))
        if row is None:
            raise no_such_game(game)
        actions = sa.select(storage.actions).where(storage.actions.c.game == game)
        held = sa.select(storage.holders).where(storage.holders.c.game == game)
        return await self.in_thread(
            Live,
            row,
            await self.storage.rows(actions.order_by(storage.actions.c.seq)),
            await self.storage.rows(held),
        )

    def _keep(self, live: Live) -> None:
        self._live[live.id] = live
        if len(self._live) > self.settings.kept:
            for other in tuple(self._live.values()):
                if len(self._live) <= self.settings.kept:
                    break
                if self._is_idle(other):
                    self._drop(other)
        LIVE.set(len(self._live))

    def _is_idle(self, live: Live) -> bool:
        """Whether a game may leave memory: nobody watches or thinks, and no clock runs."""
        return not (
            live.lock.locked()
            or self.watchers.of(live.id)
            or live.bot_to_act is not None
            or live.clock.running is not None
        )

    def _drop(self, live: Live) -> None:
        """Forget what memory says of a game; the rows are the truth."""
        if self._live.get(live.id) is live:
            del self._live[live.id]
            self.bots.forget(live)

    # -- opening and joining --

    async def create(
        self,
        player: str,
        game: str,
        options: dict[str, str],
        seats: Sequence[dict[str, Any]],
        name: str,
        public: bool = False,
        clock: str = "",
        position: str = "",
    ) -> Live:
        """Open a game. Seats are `me`, `open`, or `bot` with a level."""
        found = tripot.get_game(game)
        chosen = found.Options.parse(options)
        if position:
            chosen = (await self.in_thread(starting_state, found, chosen, position)).options
        if len(seats) != chosen.players:
            raise TripotError(f"{chosen.players} seats are to be filled, not {len(seats)}")
        Clock.read(clock, chosen.players, self.settings.shortest_clock)
        mine = sa.and_(storage.games.c.creator == player, storage.games.c.status != "over")
        if await self.storage.count(storage.games, mine) >= self.settings.open_games:
            raise Refused(429, "too_many", "You have too many unfinished games.")
        taken = [
            f"human 1 {each.get('name') or name}"
            if each["kind"] == "me"
            else f"bot {each.get('level') or found.levels[SIMPLEST]}"
            if each["kind"] == "bot"
            else ""
            for each in seats
        ]
        held = [(seat, player) for seat, each in enumerate(seats) if each["kind"] == "me"]
        return await self._open(found.key, str(chosen), position, clock, public, player, taken, held)

    async def _open(
        self,
        game: str,
        options: str,
        position: str,
        clock: str,
        public: bool,
        creator: str,
        taken: Sequence[str],
        held: Sequence[tuple[Seat, str]],
    ) -> Live:
        now = time.time()
        own = storage.games.c.creator == creator
        number = await self.storage.count(storage.games, own) if self.settings.seed else 0
        row = {
            "id": secrets.token_hex(ID_BYTES),
            "game": game,
            "version": tripot.get_game(game).version,
            "options": options,
            "position": position,
            "seed": self.randomness.game_seed(game, number),
            "clock": clock,
            "public": public,
            "creator": creator,
            "created": now,
            "status": "open",
            "bots": False,
            "seats": "[]",
            "rematch": "",
        }
        holders = [{"game": row["id"], "seat": seat, "player": player} for seat, player in held]
        live = await self.in_thread(Live, row, (), holders)

        def sit() -> list[Event]:
            events = [live.add("sit", seat, text, now) for seat, text in enumerate(taken) if text]
            return events + live.settle(now)

        events = await self.in_thread(sit)
        row |= {"status": live.status, "bots": any(each.is_bot for each in live.table.players)}
        row["seats"] = json.dumps(live.chairs)
        await self.storage.write(
            (storage.ADD_GAME, row),
            *((storage.ADD_HOLDER, each) for each in holders),
            *((storage.ADD_ACTION, event.row(live.id)) for event in events),
        )
        GAMES.labels(game).inc()
        self._keep(live)
        self._wake(live)
        return live

    async def join(self, game: str, player: str, name: str, seat: Seat | None = None) -> Seat:
        """Take an open seat: the one asked for, or the first."""
        live = await self.get(game)
        async with live.lock:
            seat = self._open_seat(live, seat)
            text = f"human {live.person(player)} {name}"
            held = {"game": live.id, "seat": seat, "player": player}
            await self._happen(live, [("sit", seat, text)], also=[(storage.ADD_HOLDER, held)])
            live.holders[seat].add(player)
        return seat

    async def add_bot(self, game: str, player: str, seat: Seat | None, level: int) -> Seat:
        """A bot takes an open seat; for whoever plays here, or opened the game."""
        live = await self.get(game)
        async with live.lock:
            if player != live.creator and not live.seats_of(player):
                raise IllegalActionError("TABLE", "not_seated")
            seat = self._open_seat(live, seat)
            await self._happen(live, [("sit", seat, f"bot {level}")])
        return seat

    def _open_seat(self, live: Live, seat: Seat | None) -> Seat:
        free = live.open_seats
        if not free or (seat is not None and seat not in free):
            raise IllegalActionError("TABLE", "taken")
        return free[0] if seat is None else seat

    async def link(self, game: str, player: str, seat: Seat) -> str:
        """A new secret that brings a seat to another device; an older one no longer works."""
        live = await self.get(game)
        if seat not in live.seats_of(player):
            raise IllegalActionError("TABLE", "not_yours")
        token = new_token()
        await self.storage.write((storage.DROP_LINK, {"of": live.id, "at": seat}))
        await self.storage.write((storage.ADD_LINK, {"game": live.id, "seat": seat, "digest": digest(token)}))
        return token

    async def claim(self, game: str, player: str, token: str) -> Seat:
        """Take one's seat along by its link."""
        live = await self.get(game)
        links = storage.links
        known = sa.select(links).where(links.c.game == game, links.c.digest == digest(token))
        row = await self.storage.row(known)
        if row is None:
            raise Refused(403, "no_such_link", "This seat link is not valid any more: ask for a new one.")
        seat: Seat = row["seat"]
        if player not in live.holders[seat]:
            with suppress(storage.IntegrityError):
                held = {"game": live.id, "seat": seat, "player": player}
                await self.storage.write((storage.ADD_HOLDER, held))
            live.holders[seat].add(player)
        return seat

    async def rematch(self, game: str, player: str) -> str:
        """Another game with the seats exchanged: everybody moves on by one. Asked twice, it is the same."""
        live = await self.get(game)
        async with live.lock:
            if not live.seats_of(player):
                raise IllegalActionError("TABLE", "not_seated")
            if not live.table.outcome:
                raise Refused(409, "not_over", "A rematch comes after the end of a game.")
            if not live.rematch:
                await self._open_rematch(live)
        return live.rematch

    async def _open_rematch(self, live: Live) -> None:
        players = live.table.players
        order = [(seat - 1) % len(players) for seat in range(len(players))]
        taken = [
            f"bot {players[old].level}"
            if players[old].is_bot
            else f"human {players[old].person_id} {players[old].name}"
            for old in order
        ]
        held = [(seat, player) for seat, old in enumerate(order) for player in live.holders[old]]
        row = await self.storage.row(sa.select(storage.games).where(storage.games.c.id == live.id))
        assert row is not None
        again = await self._open(
            row["game"], row["options"], row["position"], row["clock"], live.public, live.creator, taken, held
        )
        await self.storage.write((storage.SET_REMATCH, {"of": live.id, "rematch": again.id}))
        live.rematch = again.id
        live.look_again()
        self.watchers.tell(live.id, encode({"type": "rematch", "id": again.id}))

    # -- acting --

    async def act(
        self,
        game: str,
        player: str,
        kind: Kind,
        text: str,
        seq: int | None,
        client: str | None,
        seat: Seat | None = None,
    ) -> tuple[Live, int]:
        """A player acts. Sent twice with the same client id it happens once; returns its number."""
        began = time.monotonic()
        live = await self.get(game)
        async with live.lock:
            if client and client in live.clients:
                return live, live.clients[client]
            seat = self._seat(live, player, kind, seat)
            if seq is not None and seq != live.seq:
                raise Stale(live.seq)
            remaining = live.clock.remaining(time.time())
            if remaining is not None and remaining <= 0:
                await self._time_is_up(live)
                raise Stale(live.seq)
            first = await self._happen(live, self._what(live, kind, seat, text), client)
        ACT_SECONDS.observe(time.monotonic() - began)
        return live, first

    def _seat(self, live: Live, player: str, kind: Kind, seat: Seat | None) -> Seat:
        """Which of the player's seats this is for: the one to act, or the one asked for, or the first."""
        own = live.seats_of(player)
        if not own:
            raise IllegalActionError("TABLE", "not_seated")
        if seat is not None and seat not in own:
            raise IllegalActionError("TABLE", "not_yours")
        if seat is None and kind in ("yes", "no") and (offer := live.table.offer):
            return next((each for each in own if each not in {*offer.accepted_by, offer.seat}), own[0])
        if seat is None and kind == "undo":
            return next(
                (each.seat for each in reversed(live.events) if each.kind == "act" and each.seat in own),
                own[0],
            )
        if seat is None:
            return live.to_act if live.to_act in own else own[0]
        return seat

    def _what(self, live: Live, kind: Kind, seat: Seat, text: str) -> list[What]:
        """What an act comes to: in a game of many sides, a bot plays on for whoever resigns."""
        many = len({*live.table.state.teams}) != 2
        if kind in ("resign", "time") and many and live.is_begun and not live.table.outcome:
            if all(player.is_bot or at == seat for at, player in enumerate(live.table.players)):
                raise IllegalActionError("TABLE", "too_many")
            return [("sit", seat, f"bot {live.game.levels[SIMPLEST]} left")]
        return [(kind, seat, text)]

    async def _happen(
        self,
        live: Live,
        what: Sequence[What],
        client: str | None = None,
        also: Sequence[storage.Statement] = (),
    ) -> int:
        """Events happen, chance follows, all is committed at once, then everybody is told.

        The lock must be held. Returns the number of the first event.
        """
        now, before = time.time(), live.seq
        audience = self.watchers.kinds(live.id)

        def go() -> tuple[list[Event], dict[tuple[Seat | None, str], list[bytes]]]:
            events = [
                live.add(kind, seat, text, now, client if index == 0 else None)
                for index, (kind, seat, text) in enumerate(what)
            ]
            events += live.settle(now)
            self.bots.observe(live, events)
            return events, {each: news(live, events, *each) for each in audience}

        try:
            events, messages = await self.in_thread(go)
        except BaseException:  # whatever happened, memory must not be ahead of the database
            if live.seq != before:
                self._drop(live)
            raise
        statements: list[storage.Statement] = [(storage.ADD_ACTION, each.row(live.id)) for each in events]
        if any(each.kind == "sit" for each in events) or live.table.outcome:
            seats = {
                "seats": json.dumps(live.chairs),
                "bots": any(each.is_bot for each in live.table.players),
            }
            statements.append((storage.SET_SEATS, {"of": live.id, "status": live.status} | seats))
        try:
            await self.storage.write(*statements, *also)
        except storage.IntegrityError:  # another server has written here
            self._drop(live)
            raise Stale((await self.rebuilt(live.id)).seq) from None
        except BaseException:
            self._drop(live)
            raise
        self.bots.update(live)
        WRITES_WAITING.set(self.storage.waiting)
        ACTIONS.labels(live.game.key).inc(len(events))
        for watcher in self.watchers.of(live.id):
            for message in messages.get((watcher.seat, watcher.language), ()):
                watcher.send(message)
        self._wake(live)
        return events[0].seq

    # -- clocks --

    def _wake(self, live: Live) -> None:
        """Whatever has to happen by itself now: a bot thinks or answers, a clock runs out."""
        if timer := self._timers.pop(live.id, None):
            timer.cancel()
        remaining = live.clock.remaining(time.time())
        if remaining is not None:
            loop = asyncio.get_running_loop()
            self._timers[live.id] = loop.call_later(
                max(0.0, remaining), lambda: self._start(self._flag(live, live.seq))
            )
        asked = live.bot_to_act is not None or live.bot_to_answer is not None
        if asked and (live.id, live.seq) not in self._thinking:
            self._thinking.add((live.id, live.seq))
            self._start(self._think(live, live.seq))

    async def _flag(self, live: Live, seq: int) -> None:
        async with live.lock:
            if live.seq == seq and self._live.get(live.id) is live:
                await self._time_is_up(live)

    async def _time_is_up(self, live: Live) -> None:
        seat = live.clock.running
        if seat is not None:
            with suppress(IllegalActionError):
                await self._happen(live, self._what(live, "time", seat, ""))

    # -- bots --

    async def _go_on(self) -> None:
        """After a restart: load what waits for a bot."""
        waiting = sa.select(storage.games.c.id).where(storage.games.c.status == "live", storage.games.c.bots)
        for row in await self.storage.rows(waiting.order_by(storage.games.c.created.desc())):
            try:
                await self.get(row["id"])
            except TripotError as error:
                log.warning("cannot go on", game=row["id"], reason=str(error))

    async def _think(self, live: Live, seq: int) -> None:
        """A bot answers an offer or plays, unless the game moves on meanwhile. It never gives up."""
        try:
            what = await self.bots.decide(live)
            async with live.lock:
                if live.seq == seq and self._live.get(live.id) is live:
                    await self._happen(live, what)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a bot's answer could not be played", game=live.id)
        finally:
            self._thinking.discard((live.id, seq))

    # -- telling --

    def present(self, live: Live) -> bytes:
        """Who is there now."""
        seats, watching = self.watchers.presence(live.id)
        return encode({"type": "presence", "seats": seats, "watching": watching})

    async def hello(self, live: Live, watcher: Watcher, since: int | None) -> None:
        """Begin to watch: what was missed, or a snapshot; from then on every event in order."""
        async with live.lock:
            message = await self.in_thread(welcome, live, watcher, since)
            watcher.send(message)
            self.watchers.add(live.id, watcher)
        self.watchers.tell(live.id, self.present(live))

    def goodbye(self, live: Live, watcher: Watcher) -> None:
        """Watch no more."""
        self.watchers.remove(live.id, watcher)
        self.watchers.tell(live.id, self.present(live))
