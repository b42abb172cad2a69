"""`Game.initial_state` for type checkers, which then know the options and the states of each game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, overload

from tripot.game import AnyState, Options

P = ParamSpec("P")
O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options
S = TypeVar("S", bound=AnyState)


class InitialState(Generic[P, O, S]):
    """The function that returns the initial state of a game, for the body of its `Game` class.

        class Trio(Game[Action]):
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
        options = args[0] if args and isinstance(args[0], Options) else self._options(*args, **kwargs)
        if not isinstance(options, self._options):
            needed = f"{self._options.__module__}.{self._options.__qualname__}"
            raise TypeError(f"options of {needed} are needed, not {options!r}")
        return self._initial_state(options)
