"""A bot: an engine that plays one seat of one game, from its first position to its last.

    with Bot(game, level=3, seat=0) as bot:
        bot.observe(state)                      the initial state, and the state after every action
        if state.to_act == 0:
            action = bot.choose(Limit(seconds=1.0), rng).action

The terminal, the server and a match keep one bot for each seat that an engine plays. So an engine can keep
what it has computed, such as a search tree, from one move to the next. `Game.engine` returns an engine
without such a context, for a single position.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Generic, Self

from tripot.game import (
    A,
    Analysis,
    AnyState,
    Candidate,
    Engine,
    EngineBusyError,
    Game,
    Limit,
    NoDecisionError,
    Rng,
    Seat,
    State,
    state_type_error,
)


class Bot(Generic[A]):
    """The player of one seat of one game.

    `choose` and `analyse` are about the position that was observed last. They raise `NoDecisionError` if the
    seat is not to act there, or if the bot is closed, and `EngineBusyError` while another thread is in one of
    them. `observe` and `close` may be called from any thread at any time.

    The engine is created for the first decision, because creating it may import Numba. `threads` is the
    number of threads that it searches with; None leaves the engine's own default.
    """

    def __init__(self, game: Game[A], level: int, seat: Seat, *, threads: int | None = None) -> None:
        game.check_level(level)
        most_seats = max(game.Options.player_counts())
        if seat not in range(most_seats):
            raise ValueError(
                f"there is no seat {seat!r}: the seats of {game.title} are 0 to {most_seats - 1}"
            )
        self.game, self.level, self.seat, self.threads = game, level, seat, threads
        self.view: AnyState | None = None
        """The position that was observed last, as the seat sees it."""
        self._engine: Engine[A] | None = None
        self._in_use = Lock()
        self._is_closed = False

    def observe(self, state: AnyState) -> None:
        """Set the position to decide in: the one that an action, or an undo, led to.

        It may be a full state or a view: the engine gets the view of the bot's seat only. The engine compares
        it with the position of its last search, and drops what no longer applies.
        """
        if not isinstance(state, State) or not isinstance(state.options, self.game.Options):
            raise state_type_error(state)
        self.view = state.view(self.seat)

    def choose(self, limit: Limit, rng: Rng) -> Candidate[A]:
        """Return the action that the bot plays in the position that was observed last."""
        with self._deciding() as (engine, view):
            return engine.choose(view, self._stoppable(limit), rng)

    def analyse(self, limit: Limit, rng: Rng) -> Analysis[A]:
        """Return every legal action of the position that was observed last, ranked."""
        with self._deciding() as (engine, view):
            return engine.analyse(view, self._stoppable(limit), rng)

    def close(self) -> None:
        """Free the engine. A search in another thread stops, and the engine is freed after it."""
        self._is_closed = True
        if self._in_use.acquire(blocking=False):
            try:
                if self._engine is not None:
                    self._engine.close()
                    self._engine = None
            finally:
                self._in_use.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _deciding(self) -> Iterator[tuple[Engine[A], AnyState]]:
        """Provide the engine and the position to decide in."""
        if not self._in_use.acquire(blocking=False):
            raise EngineBusyError("this bot is searching in another thread")
        try:
            view = self._view_to_decide()  # read once: another thread may observe a later position
            if self._engine is None:
                self._engine = self._new_engine()
            yield self._engine, view
        finally:
            self._in_use.release()
            if self._is_closed:  # closed meanwhile, by another thread
                self.close()

    def _view_to_decide(self) -> AnyState:
        if self._is_closed:
            raise NoDecisionError("this bot is closed")
        view = self.view
        if view is None:
            raise NoDecisionError("this bot has not observed a position yet")
        actor = view.to_act
        if isinstance(actor, Seat) and actor != self.seat:
            raise NoDecisionError(f"seat {actor} is to act, not seat {self.seat}")
        return view  # the engine itself refuses chance nodes and the end

    def _new_engine(self) -> Engine[A]:
        engine = self.game.engine(self.level)
        if self.threads is not None:
            if engine.threads is None:
                raise ValueError("this engine always searches with one thread")
            engine.threads = self.threads
        return engine

    def _stoppable(self, limit: Limit) -> Limit:
        """The same limit, with a search that also stops when the bot is closed."""
        return replace(limit, should_stop=lambda: self._is_closed or limit.should_stop())
