"""What happens in games without a request: clocks run out, bots move, and games recover from failed writes.

A timer belongs to a game and not to its object in memory, so it survives the eviction of the game. After a
failed write the game is loaded again, with exponential backoff, which restarts its timer and its bot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import TYPE_CHECKING, Any, Final

import structlog

from tripot.game import TripotError
from tripot.server.clock import ServerTime
from tripot.server.errors import DatabaseUnavailableError, RulesBusyError, RulesTimeoutError
from tripot.server.live_game import LiveGame

if TYPE_CHECKING:
    from tripot.server.game_service import GameService

log = structlog.get_logger("tripot")

FIRST_RETRY_SECONDS: Final = 0.1
LONGEST_RETRY_SECONDS: Final = 30.0
TEMPORARY_ERRORS: Final = (DatabaseUnavailableError, RulesBusyError)
# In a row. Then a game waits until it is opened by a user, since each timeout costs a thread.
MAX_RULES_TIMEOUTS: Final = 5


def backoff_seconds(failures: int, rng: Random) -> float:
    """The pause after some failures in a row: it doubles, and jitter spreads the retries of many games.

    >>> [round(backoff_seconds(failures, Random(1)), 2) for failures in (0, 1, 2, 3, 20)]
    [0.0, 0.06, 0.11, 0.23, 17.02]
    """
    if failures == 0:
        return 0.0
    longest = min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2.0 ** (failures - 1))
    return longest * rng.uniform(0.5, 1.0)


class Scheduler:
    """The timers, the running bots and the retries of all games of a server."""

    def __init__(self, games: GameService, time: ServerTime) -> None:
        self._games, self._time, self._rng = games, time, Random()
        self.tasks: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._bots_running: set[tuple[str, int]] = set()
        self._failures: dict[str, int] = {}  # failed writes and loads in a row, by game
        self._recovering: set[str] = set()
        self._is_closing = False

    async def close(self) -> None:
        """Stop everything, and start nothing more."""
        self._is_closing = True
        for timer in self._timers.values():
            timer.cancel()
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine until the server closes."""
        if self._is_closing:  # a task that is stopped while it writes would recover its game
            work.close()
            return
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def schedule(self, live: LiveGame) -> None:
        """Start the timer of the clock, and the bot that is to act or to answer."""
        if timer := self._timers.pop(live.id, None):
            timer.cancel()
        remaining, game_id, seq = live.clock.remaining(self._time.now()), live.id, live.seq
        if remaining is not None:
            # The timer is for the current event only: after the next one, the clock of another seat runs.
            delay = max(remaining, self._retry_delay(game_id), 0.0)
            self._timers[game_id] = self._time.call_later(
                delay, lambda: self.spawn(self._on_flag(game_id, seq))
            )
        self._start_bot(live)

    def _start_bot(self, live: LiveGame) -> None:
        is_bot_asked = live.bot_to_act is not None or live.bot_to_answer is not None
        if is_bot_asked and (live.id, live.seq) not in self._bots_running:
            self._bots_running.add((live.id, live.seq))
            self.spawn(self._run_bot(live.id, live.seq))

    async def _on_flag(self, game_id: str, seq: int) -> None:
        """Let the running seat lose on time, unless the game has moved on since event `seq`."""
        try:
            async with self._games.locked(game_id) as live:
                remaining = live.clock.remaining(self._time.now())
                if live.seq != seq or remaining is None:
                    return
                if remaining <= 0:
                    await self._games.apply_timeout(live)
                else:
                    self.schedule(live)
        except TEMPORARY_ERRORS as error:
            self.recover(game_id, error)
        except TripotError as error:
            log.warning("a clock cannot run out", game_id=game_id, reason=str(error))

    async def _run_bot(self, game_id: str, seq: int) -> None:
        """Let a bot answer an offer or play, unless the game moves on meanwhile."""
        try:
            await self._time.sleep(self._retry_delay(game_id))
            if (evictable := self._games.live_games.find(game_id)) is None:
                return  # evicted: the bot acts when the game is loaded again
            changes = await self._games.bots.choose_changes(evictable, seq)
            if changes:
                async with self._games.locked(game_id) as live:
                    if live.seq == seq:
                        await self._games.commit_changes(live, changes)
        except TEMPORARY_ERRORS as error:
            self.recover(game_id, error)
        except Exception:
            self._count_failure(game_id)
            log.exception("the move of a bot could not be applied", game_id=game_id)
        finally:
            self._bots_running.discard((game_id, seq))
        # If the game was evicted and loaded again during the search, its bot has not been asked yet.
        if live_now := self._games.live_games.find(game_id):
            self._start_bot(live_now)

    # -- retries --

    def on_commit(self, game_id: str) -> None:
        """Forget the failures of a game after a successful write."""
        self._failures.pop(game_id, None)

    def recover(self, game_id: str, error: BaseException) -> None:
        """Load a game again after an error, so that its clock and its bots go on."""
        self._count_failure(game_id)
        if self._may_retry(game_id, error):
            self._start_recovery(game_id)

    def _start_recovery(self, game_id: str) -> None:
        if game_id not in self._recovering:
            self._recovering.add(game_id)
            self.spawn(self._recover(game_id))

    async def _recover(self, game_id: str) -> None:
        try:
            while not await self.load(game_id):
                await self._time.sleep(self._retry_delay(game_id))
        finally:
            self._recovering.discard(game_id)

    async def load(self, game_id: str) -> bool:
        """Load a game, which starts its timer and its bot; return False if that is to be tried again."""
        try:
            async with self._games.locked(game_id) as live:
                if live.clock.running is None and live.bot_to_act is None and live.bot_to_answer is None:
                    self._failures.pop(game_id, None)  # nothing here is going to write by itself
        except TEMPORARY_ERRORS as error:
            self._count_failure(game_id)
            return not self._may_retry(game_id, error)
        except TripotError as error:
            log.warning("a game cannot be resumed", game_id=game_id, reason=str(error))
            self._failures.pop(game_id, None)
        return True

    async def resume_all(self) -> None:
        """After a restart, load the games with bots or clocks."""
        failures = 0
        while True:
            try:
                game_ids = await self._games.storage.games_to_resume()
                break
            except DatabaseUnavailableError:
                failures += 1
                await self._time.sleep(backoff_seconds(failures, self._rng))
        for game_id in game_ids:
            if not await self.load(game_id):
                self._start_recovery(game_id)

    def _may_retry(self, game_id: str, error: BaseException) -> bool:
        """Whether it is worth trying again what ended in this error."""
        is_hopeless = self._failures[game_id] > MAX_RULES_TIMEOUTS
        if is_hopeless and isinstance(error, RulesTimeoutError):
            log.error("the rules never answer in this game", game_id=game_id)
            return False
        return True

    def _count_failure(self, game_id: str) -> None:
        self._failures[game_id] = self._failures.get(game_id, 0) + 1

    def _retry_delay(self, game_id: str) -> float:
        return backoff_seconds(self._failures.get(game_id, 0), self._rng)
