"""What games are built with whose package has the modules that `docs/adding-a-game.md` lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar, cast, overload

from tripot.game import (
    Action,
    Analysis,
    AnyState,
    Engine,
    Fact,
    Game,
    HiddenInformationError,
    IllegalActionError,
    Options,
    check_text,
)

P = ParamSpec("P")
O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options
S = TypeVar("S", bound=AnyState)
T = TypeVar("T", bound=Action)


class InitialState(Generic[P, O, S]):
    """The function that returns the initial state of a game, for the body of its `Game` class.

        class Trio(PackageGame[Action, State]):
            initial_state = InitialState(Options, rules.initial_state)

    It is called with an `Options` object of the game, or with the options themselves:
    `initial_state(Options(players=2))` or `initial_state(players=2)`.
    """

    def __init__(self, options: Callable[P, O], initial_state: Callable[[O], S]) -> None:
        self._options: Any = options
        self._initial_state = initial_state

    @overload
    def __call__(self, options: Options, /) -> S: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> S: ...
    def __call__(self, *args: Any, **kwargs: Any) -> S:
        """Return the state before the first action."""
        if args and isinstance(args[0], str):
            raise TypeError(f"{args[0]!r} is text; initial_state(Options.parse({args[0]!r})) reads it")
        options = args[0] if args and isinstance(args[0], Options) else self._options(*args, **kwargs)
        if args and options is args[0] and (len(args) > 1 or kwargs):
            raise TypeError("give an Options object or single options, not both")
        if not isinstance(options, self._options):
            raise TypeError(
                f"{options!r} is not an object of {self._options.__module__}.{self._options.__name__}"
            )
        return self._initial_state(options)


class PackageGame(Game[T], Generic[T, S]):
    """A game of actions `T` and states `S`, assembled from the modules of its package.

    The package `trio` has a subclass `Trio`, from which the key and the title follow. It sets `version`,
    `Options`, `levels` and `initial_state`. The rest is found by name: `rules.State`,
    `text.parse_action(text)`, `text.parse_state(text, State)` and `engine.TrioEngine(level)`. Numba is
    imported by `engine` only.
    """

    draw_clause: ClassVar[str | None] = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.key = cls.__module__.rpartition(".")[2]
        cls.title = cls.__name__

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{type(self).__module__}.{name}")

    def parse_action(self, text: str) -> T:
        check_text(text, "an action")
        return cast(T, self._module("text").parse_action(text))

    def parse_state(self, text: str) -> S:
        check_text(text, "a position")
        return cast(S, self._module("text").parse_state(text, self._module("rules").State))

    def engine(self, level: int) -> Engine[T]:
        self.check_level(level)
        return cast(Engine[T], getattr(self._module("engine"), f"{type(self).__name__}Engine")(level))


def check_action(
    state: AnyState, action: object, actions: Any, is_well_formed: Callable[[Any], bool]
) -> None:
    """X-2: refuse every action at the end, and what is no action of the game at all.

    That is an object, such as a string, that is not one of `actions`, and an action with a field that no text
    of an action has, such as a square off the board: `is_well_formed` tells.
    """
    if not isinstance(action, actions):
        raise TypeError(f"{action!r} is not an action of this game; Game.parse_action reads one from text")
    if not is_well_formed(action):
        raise IllegalActionError("X-2", "no_action", action=repr(action))
    if state.outcome:
        raise IllegalActionError("X-2", "over")


class WordAction(Action):
    """An action without parameters, whose text is one word. Each game gives it a name of its own."""

    __slots__ = ()
    word: ClassVar[str]

    def __str__(self) -> str:
        return self.word


def is_index(value: object, count: int) -> bool:
    """Whether a value is an integer from 0 to `count` - 1."""
    return isinstance(value, int) and 0 <= value < count


def are_indices(values: object, count: int) -> bool:
    """Whether a value is a tuple of such integers."""
    return isinstance(values, tuple) and all(is_index(value, count) for value in values)


HINT_EXCEPTION = "exception"
"""The key of the fact that says what a hint leaves to be noticed."""


def offered_part(
    state: AnyState, analysis: Analysis, may_show: Callable[[str], bool], exception: Fact
) -> Analysis:
    """Return the part of an analysis that `State.hint` may show: offered actions, and facts with such keys.

    A principal variation ends before an action that its player would have to notice. What is said of the best
    action begins with the exception that all of it makes: otherwise it would be false where that decides.
    """

    def kept(facts: Sequence[Fact]) -> tuple[Fact, ...]:
        return tuple(fact for fact in facts if may_show(fact.key))

    def offered_pv(pv: Sequence[Any]) -> tuple[Any, ...]:
        now = state
        for index, action in enumerate(pv):
            if action not in now.offered_actions():
                return tuple(pv[:index])
            try:
                now = now.apply(action)
            except HiddenInformationError:
                return tuple(pv[: index + 1])
        return tuple(pv)

    offered = {*state.offered_actions()}
    candidates = tuple(
        dataclasses.replace(candidate, pv=offered_pv(candidate.pv), facts=kept(candidate.facts))
        for candidate in analysis.candidates
        if candidate.action in offered
    )
    if candidates:
        best = dataclasses.replace(candidates[0], facts=(exception, *candidates[0].facts))
        candidates = (best, *candidates[1:])
    return dataclasses.replace(analysis, candidates=candidates, facts=kept(analysis.facts))
