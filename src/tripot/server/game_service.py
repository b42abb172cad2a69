"""All games of a server: creating, joining, acting, clocks, bots, and broadcasting.

Each game has a lock that serialises its changes. The path of a change is `act` (or a clock, or a bot), then
`commit_changes`: it is applied in memory, where the rules validate it, committed to the database, and then
broadcast. If the commit fails, the game is evicted from memory and loaded again, so memory is never ahead of
the database; clients are sent what they missed if the commit had succeeded after all. Requests that waited
for the lock of an evicted game go on with the one that was loaded again. What may take long in the rules
(applying actions, views, positions) runs in threads, because the event loop must not wait.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final, ParamSpec, TypeVar

import structlog

import tripot
from tripot.game import AnyGame, IllegalActionError, Seat, TripotError
from tripot.games import UnknownGameError
from tripot.record import Record, RulesVersionError, starting_state
from tripot.server import render
from tripot.server.bots import BotPool
from tripot.server.clock import Clock, ServerTime
from tripot.server.connections import Connection, ConnectionRegistry, Messages
from tripot.server.engine_queue import EngineQueue
from tripot.server.errors import (
    RequestError,
    RequestIdReusedError,
    RulesBusyError,
    RulesTimeoutError,
    StaleSeqError,
    UnreadableGameError,
    game_not_found,
)
from tripot.server.events import Change, Event, bot, human
from tripot.server.game_types import language_for
from tripot.server.identity import hash_token, new_link_token, request_key
from tripot.server.live_game import LiveGame
from tripot.server.live_games import LiveGames
from tripot.server.metrics import ACTION_DURATION, EVENTS_COMMITTED, GAMES_CREATED, PENDING_WRITES
from tripot.server.new_game import (
    GAME_ID_BYTES,
    NewGame,
    imported_game,
    rematch_of,
    repetition_of,
    requested_game,
)
from tripot.server.quotas import Quotas
from tripot.server.randomness import Randomness
from tripot.server.render import Viewer
from tripot.server.rules_pool import RulesPool
from tripot.server.scheduler import Scheduler
from tripot.server.seats import acting_seat, changes_for, open_seat, viewing_seat
from tripot.server.settings import Settings
from tripot.server.storage import IntegrityError, Storage
from tripot.server.tables import GameRow, SeatOwnerRow
from tripot.server.wire import (
    ActionAccepted,
    ActionRequest,
    HelloMessage,
    PlayerChange,
    RematchMessage,
    SeatRequest,
    encode,
)

P = ParamSpec("P")
Result = TypeVar("Result")

log = structlog.get_logger("tripot")
GAME_ID: Final = re.compile(f"[0-9a-f]{{{2 * GAME_ID_BYTES}}}")
RULES_THREADS: Final = 4
MAX_SEAT_OWNERS: Final = 16  # devices, and people without cookies, of one seat; a rematch copies them all
MAX_EVENTS: Final = 10_000
"""How many events a game may have: undone moves count, so a user alone could go on for ever. A game with
three times as many could not be loaded within `rules_seconds` any more."""


class GameService:
    """The games and the bots of one server."""

    def __init__(
        self,
        settings: Settings,
        server_version: str = tripot.__version__,
        server_time: ServerTime | None = None,
    ) -> None:
        self.settings, self.server_version = settings, server_version
        self.time = server_time or ServerTime()
        self.storage = Storage(settings.database_url, settings.database_timeout)
        self._quotas = Quotas(self.storage, settings)
        self.randomness = Randomness(settings.seed)
        self.bots = BotPool(
            EngineQueue(
                settings.bot_threads,
                settings.max_engine_questions,
                settings.max_engine_questions_per_address,
            ),
            settings.bot_seconds,
            settings.bot_simulations or None,
            self.randomness,
            settings.max_cached_bots,
        )
        self.connections = ConnectionRegistry(settings.presence_seconds)
        self.live_games = LiveGames(
            settings.max_cached_games, self._load, self._is_idle, on_evict=self.bots.forget
        )
        self._rules_pool = RulesPool(RULES_THREADS, settings.rules_seconds, self.time)
        self.scheduler = Scheduler(self, self.time)
        self._sent_seqs: dict[str, int] = {}  # what clients know of games whose last write failed

    async def open(self) -> None:
        """Open the database; games with bots or clocks continue by themselves."""
        await self.storage.open()
        self.scheduler.spawn(self.scheduler.resume_all())

    async def close(self) -> None:
        """Announce the shutdown to all clients, finish pending writes, and stop."""
        self.bots.close()
        await self.scheduler.close()
        await self.connections.shut_down()
        for live in self.live_games.all():
            async with live.lock:  # held while a change is written
                pass
        await self.storage.close()
        self._rules_pool.close()

    async def in_thread(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Run work that calls the rules, which may take long, beside the event loop, with a deadline."""
        return await self._rules_pool.run(lambda: work(*args, **kwargs))

    # -- finding games --

    async def get(self, game_id: str) -> LiveGame:
        """A game by its id, from memory or from the database."""
        return await self.live_games.get(game_id)

    @asynccontextmanager
    async def locked(self, game_id: str) -> AsyncIterator[LiveGame]:
        """A game with its lock held.

        A game that was evicted while this call waited for its lock is ahead of the database, so the game is
        loaded again. Clients that missed what a failed write has stored are sent it first.
        """
        with self.live_games.in_use(game_id):
            while True:
                live = await self.get(game_id)
                async with live.lock:
                    if live.is_in_memory:
                        with self._evicted_on_failure(live, None, (RulesTimeoutError,)):
                            await self._send_missed_messages(live)
                            yield live
                        return

    async def _send_missed_messages(self, live: LiveGame) -> None:
        """Send what was committed although the database reported an error or did not answer."""
        if (sent := self._sent_seqs.get(live.id)) is None:
            return
        if live.rematch_id:
            self.connections.broadcast(live.id, RematchMessage(live.rematch_id))
        if sent < live.seq:
            viewers = self.connections.viewers(live)
            messages = {
                viewer: await self.in_thread(render.event_messages, live, live.events[sent:], viewer)
                for viewer in {*viewers.values()}
            }
            self.connections.send_rendered(live.id, viewers, messages)
        self._sent_seqs.pop(live.id, None)

    @contextmanager
    def _evicted_on_failure(
        self,
        live: LiveGame,
        sent_seq: int | None,
        failures: tuple[type[BaseException], ...] = (BaseException,),
    ) -> Iterator[None]:
        """Evict a game when something about it fails or is cancelled: memory may differ from the database.

        When it is written, that may be anything; otherwise only that a thread was given up, which may still
        use the object in memory. `sent_seq` is the last event that clients were sent; None means all.
        """
        try:
            yield
        except failures as error:
            if live.is_in_memory:
                self.live_games.evict(live)
                self._sent_seqs.setdefault(live.id, live.seq if sent_seq is None else sent_seq)
                self.scheduler.recover(live.id, error)
            raise

    def game_of(self, game_id: str) -> AnyGame | None:
        """The game type of a game, if it is in memory."""
        live = self.live_games.find(game_id)
        return live.game if live else None

    async def _load(self, game_id: str) -> LiveGame:
        live = await self.load_from_rows(game_id)
        live.clock.resume(self.time.started_at, self.time.now())
        self.scheduler.schedule(live)
        return live

    async def load_from_rows(self, game_id: str) -> LiveGame:
        """A game built from its rows alone; UnreadableGameError if that is not possible."""
        row = await self._row(game_id)
        events, owners = await self.storage.events(game_id), await self.storage.seat_owners(game_id)
        try:
            return await self.in_thread(LiveGame, row, events, owners)
        except RulesBusyError:
            raise
        except (RulesVersionError, UnknownGameError) as error:
            raise UnreadableGameError(str(error)) from error
        except Exception as error:  # anywhere in the rules; its text may have hidden parts of an event
            log.warning("a game is damaged", game_id=game_id, exc_info=True)
            raise UnreadableGameError("it is damaged") from error

    async def _row(self, game_id: str) -> GameRow:
        row = await self.storage.game(game_id) if GAME_ID.fullmatch(game_id) else None
        if row is None:
            raise game_not_found(game_id)
        return row

    def _is_idle(self, live: LiveGame) -> bool:
        """Whether a game may leave memory: it has no connection and no bot is to act or to answer.

        A clock may run: its timer belongs to the scheduler, and the game is loaded again when time is up.
        """
        return not (
            live.lock.locked()
            or self.connections.for_game(live.id)
            or live.bot_to_act is not None
            or live.bot_to_answer is not None
        )

    # -- act, validate, commit, broadcast --

    async def act(
        self,
        game_id: str,
        user_id: str,
        type_: PlayerChange,
        text: str,
        seq: int | None,
        request_id: str | None,
        seat: Seat | None = None,
        offer_seq: int | None = None,
    ) -> tuple[LiveGame, int]:
        """Apply an action or a command of a user, and return its event.

        A request that a user sends twice with the same id is applied once. An answer is for the offer of
        event `offer_seq` only.
        """
        started_at = time.monotonic()
        async with self.locked(game_id) as live:
            if request_id and (known := live.event_of_request(user_id, request_id)):
                if not await self.in_thread(live.is_event_of, known, type_, text, seat, offer_seq):
                    raise RequestIdReusedError
                return live, known.seq
            seat = acting_seat(live, user_id, type_, seat)
            if seq is not None and seq != live.seq:
                raise StaleSeqError(live.seq)
            if type_ in ("accept", "decline") and live.table.offer and offer_seq != live.offer_seq:
                raise StaleSeqError(live.seq)
            if live.seq >= MAX_EVENTS and type_ in ("action", "undo", "offer_draw"):
                raise IllegalActionError("TABLE", "too_long")
            remaining = live.clock.remaining(self.time.now())
            if remaining is not None and remaining <= 0:
                await self.apply_timeout(live)
                raise StaleSeqError(live.seq)
            key = request_key(user_id, request_id) if request_id else None
            first = await self.commit_changes(live, changes_for(live, type_, seat, text), key)
        ACTION_DURATION.observe(time.monotonic() - started_at)
        return live, first

    async def act_and_answer(
        self, game_id: str, user_id: str, request: ActionRequest, language: str
    ) -> ActionAccepted:
        """Apply a request as `act` does, and return its event and the game as the user may see it now.

        The refusal of a request for an earlier position has the current game too.
        """
        try:
            _, seq = await self.act(
                game_id,
                user_id,
                request.type,
                request.action,
                request.seq,
                request.request_id,
                request.seat,
                request.offer_seq,
            )
        except StaleSeqError as error:
            async with self.locked(game_id) as live:
                viewer = _viewer_after(live, user_id, request.seat, language)
                current = await self.in_thread(render.snapshot, live, user_id, viewer)
            raise StaleSeqError(error.seq, current) from None
        async with self.locked(game_id) as live:
            viewer = _viewer_after(live, user_id, request.seat, language)
            return ActionAccepted(seq, await self.in_thread(render.state, live, viewer))

    async def commit_changes(
        self,
        live: LiveGame,
        changes: Sequence[Change],
        request_key: str | None = None,
        new_owner: SeatOwnerRow | None = None,
    ) -> int:
        """Apply changes, let chance act, commit everything at once, then broadcast it.

        The lock of the game must be held. Returns the number of the first event.
        """
        now, seq_before = self.time.now(), live.seq

        def apply_and_render() -> tuple[list[Event], dict[Connection, Viewer], Messages]:
            events = [
                live.append_event(change, now, request_key if index == 0 else None)
                for index, change in enumerate(changes)
            ]
            events += live.run_chance(now)
            self.bots.observe(live, events)
            viewers = self.connections.viewers(live)
            return (
                events,
                viewers,
                {viewer: render.event_messages(live, events, viewer) for viewer in {*viewers.values()}},
            )

        refusal: TripotError | None = None
        with self._evicted_on_failure(live, seq_before):
            try:
                events, viewers, messages = await self.in_thread(apply_and_render)
            except TripotError as error:
                if live.seq != seq_before or isinstance(error, RulesTimeoutError):
                    raise
                refusal = error  # nothing has changed, so nothing is evicted
            else:
                await self._append_events(live, events, new_owner)
        if refusal:
            raise refusal
        self.bots.update(live)
        self.scheduler.on_commit(live.id)
        PENDING_WRITES.set(self.storage.pending_writes)
        EVENTS_COMMITTED.labels(live.game.key).inc(len(events))
        self.connections.send_rendered(live.id, viewers, messages)
        self.scheduler.schedule(live)
        return events[0].seq

    async def _append_events(
        self, live: LiveGame, events: Sequence[Event], new_owner: SeatOwnerRow | None
    ) -> None:
        has_new_players = any(event.type == "join" for event in events) or live.table.outcome is not None
        seats = (live.status, live.has_bots, encode(live.seat_infos).decode()) if has_new_players else None
        rows = [event.row(live.id) for event in events]
        try:
            await self.storage.append_events(live.id, rows, seats, new_owner)
        except IntegrityError:  # another server has written events of this game
            raise StaleSeqError((await self.load_from_rows(live.id)).seq) from None

    async def apply_timeout(self, live: LiveGame) -> None:
        """Let the running seat lose on time. The lock of the game must be held."""
        seat = live.clock.running
        if seat is not None:
            await self.commit_changes(live, changes_for(live, "timeout", seat, ""))

    # -- creating games --

    async def create(
        self,
        user_id: str,
        game_key: str,
        options: dict[str, str],
        seats: Sequence[SeatRequest],
        name: str,
        public: bool = False,
        clock: str = "",
        position: str = "",
        address: str = "",
    ) -> LiveGame:
        """Create a game. `name` is the user's, on seats without a name of their own.

        What an empty address does is not counted, here and below.
        """
        game = tripot.get_game(game_key)
        chosen = game.Options.parse(options)
        if position:
            chosen = (await self.in_thread(starting_state, game, chosen, position)).options
        new = requested_game(game, chosen, seats, user_id, name, public, clock, position)
        Clock.parse(clock, chosen.players, self.settings.shortest_clock)
        return await self._insert_counted(new, address)

    async def import_record(self, user_id: str, text: str) -> LiveGame:
        """Create a game from the text of a record, whose seats are all the user's."""
        new = await self.in_thread(lambda: imported_game(Record.parse(text), user_id))
        return await self._insert_counted(new, "")

    async def _insert_counted(self, new: NewGame, address: str) -> LiveGame:
        """Store a new game, unless its creator or the creator's address has too many."""
        async with self._quotas.new_game(new.creator_id, address, new.public) as note_game:
            live = await self._insert_game(new)
            note_game(live.id)
            return live

    async def _insert_game(self, new: NewGame) -> LiveGame:
        now = self.time.now()
        number = await self.storage.count_created_games(new.creator_id) if self.settings.seed else 0
        row = new.row(self.randomness.game_seed(new.game.key, number), now)
        owners = new.owner_rows(row["id"])

        def begin() -> tuple[LiveGame, list[Event]]:
            live = LiveGame(row, (), owners)
            changes = [player.change(seat) for seat, player in new.players.items()]
            events = [live.append_event(change, now) for change in (*changes, *new.history)]
            return live, events + live.run_chance(now)

        live, events = await self.in_thread(begin)
        row |= {"status": live.status, "has_bots": live.has_bots}
        row["seats"] = encode(live.seat_infos).decode()
        try:
            rows = [event.row(live.id) for event in events]
            await self.storage.insert_game(row, owners, rows, new.rematch_of)
        except BaseException as error:  # it may be stored nevertheless, with a bot to act
            self.scheduler.recover(live.id, error)
            raise
        GAMES_CREATED.labels(live.game.key).inc()
        present = self.live_games.add(live)  # another request may have loaded the game after the commit
        if present is live:
            self.scheduler.schedule(live)
        return present

    async def rematch(self, game_id: str, user_id: str, address: str = "") -> str:
        """The id of the next game of the same players, each moved on by one seat; the same for everybody."""
        async with self.locked(game_id) as live:
            if not live.seats_of(user_id):
                raise IllegalActionError("TABLE", "not_seated")
            if not live.table.outcome:
                raise RequestError(409, "game_not_over", "A rematch comes after the end of a game.")
            if not live.rematch_id:
                async with self._quotas.new_game(user_id, address, live.public) as note_game:
                    new = rematch_of(live, await self._row(game_id), user_id)
                    with self._evicted_on_failure(live, live.seq):
                        live.rematch_id = (await self._insert_game(new)).id
                    note_game(live.rematch_id)
                live.invalidate_cache()
                self.connections.broadcast(live.id, RematchMessage(live.rematch_id))
            return live.rematch_id

    async def repeat(self, game_id: str, user_id: str, address: str = "") -> str:
        """The id of a new game with the seed, the start and the seats of a finished one."""
        async with self.locked(game_id) as live:
            own = live.seats_of(user_id)
            if not own:
                raise IllegalActionError("TABLE", "not_seated")
            if not live.table.outcome:
                raise RequestError(409, "game_not_over", "A game is repeated after its end.")
            if not live.table.has_no_human_opponent(own[0]):
                raise IllegalActionError("TABLE", "others_play")
            new = repetition_of(live, await self._row(game_id), user_id)
            return (await self._insert_counted(new, address)).id

    # -- seats --

    async def join(
        self, game_id: str, user_id: str, name: str, seat: Seat | None = None, address: str = ""
    ) -> Seat:
        """Let a user take an open seat: the one asked for, or the first.

        A user who has that seat, or any if none is asked for, keeps it: the request may have been sent again
        after a write that was reported as failed.
        """
        async with self.locked(game_id) as live:
            own = live.seats_of(user_id)
            if own and (seat is None or seat in own):
                return own[0] if seat is None else seat
            seat = open_seat(live, seat)
            player = human(live.person_of(user_id), name)
            owner: SeatOwnerRow = {"game_id": live.id, "seat": seat, "user_id": user_id}
            async with self._quotas.new_seat(live, user_id, address):
                await self.commit_changes(live, [player.change(seat)], new_owner=owner)
            live.seat_owners[seat].add(user_id)
        return seat

    async def add_bot(self, game_id: str, user_id: str, seat: Seat | None, level: int) -> Seat:
        """Let a bot take an open seat, on request of a player or of the creator of the game."""
        async with self.locked(game_id) as live:
            if user_id != live.creator_id and not live.seats_of(user_id):
                raise IllegalActionError("TABLE", "not_seated")
            seat = open_seat(live, seat)
            await self.commit_changes(live, [bot(level).change(seat)])
        return seat

    async def create_seat_link(self, game_id: str, user_id: str, seat: Seat) -> str:
        """A new secret that shares a seat with another device; an older one is no longer valid."""
        token = new_link_token()
        async with self.locked(game_id) as live:
            if seat not in live.seats_of(user_id):
                raise IllegalActionError("TABLE", "not_yours")
            await self.storage.replace_seat_link(live.id, seat, hash_token(token))
        return token

    async def claim_seat(self, game_id: str, user_id: str, token: str) -> Seat:
        """Let a user play the seat of a link."""
        async with self.locked(game_id) as live:
            seat = await self.storage.seat_of_link(game_id, hash_token(token))
            if seat is None:
                raise RequestError(
                    403, "invalid_seat_link", "This seat link is not valid any more: ask for a new one."
                )
            if user_id not in live.seat_owners[seat]:
                if len(live.seat_owners[seat]) >= MAX_SEAT_OWNERS:
                    raise RequestError(
                        403,
                        "invalid_seat_link",
                        f"This seat has {MAX_SEAT_OWNERS} devices already, and no more are possible.",
                    )
                owner: SeatOwnerRow = {"game_id": live.id, "seat": seat, "user_id": user_id}
                with self._evicted_on_failure(live, live.seq):
                    await self.storage.add_seat_owner(owner)
                live.seat_owners[seat].add(user_id)
        return seat

    # -- connections --

    async def subscribe(self, game_id: str, connection: Connection, hello: HelloMessage) -> LiveGame:
        """Send a connection the events that it missed, or a snapshot; from then on it gets every event.

        The lock is held, so no event is lost, and the user owns the seat that is looked through. If the hello
        is refused, an earlier one of the same connection remains valid.
        """
        async with self.locked(game_id) as live:
            seat = viewing_seat(live, connection.user_id, hello.seat)
            viewer = Viewer(seat, language_for(live.game, hello.lang))
            message = await self.in_thread(
                render.first_message, live, connection.user_id, viewer, hello.seq, self.server_version
            )
            connection.viewer = viewer
            connection.send(message)
            self.connections.add(live.id, connection)
        self.connections.announce_presence(live.id)
        return live

    def unsubscribe(self, live: LiveGame, connection: Connection) -> None:
        """Send a connection nothing more. One that never said hello was not present."""
        if self.connections.remove(live.id, connection):
            self.connections.announce_presence(live.id)


def _viewer_after(live: LiveGame, user_id: str, seat: Seat | None, language: str) -> Viewer:
    """Who looks after a request for a seat. A bot may have taken it: then another seat, or a spectator."""
    own = seat if seat in live.seats_of(user_id) else None
    return Viewer(viewing_seat(live, user_id, own), language_for(live.game, language))
