"""The base class of games whose package has the modules that `docs/adding-a-game.md` lists."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import ClassVar, Generic, TypeVar, cast

from tripot.game import A, AnyState, Engine, Game, Options

S = TypeVar("S", bound=AnyState)


class PackageGame(Game[A], Generic[A, S]):
    """A game of actions `A` and states `S`, assembled from the modules of its package.

    The package `trio` has a subclass `Trio`, from which the key and the title follow. It sets `version`,
    `Options` and `levels`. The rest is found by name: `rules.initial_state(options)`, `rules.State`,
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

    def initial_state(self, options: Options) -> S:
        if not isinstance(options, self.Options):
            raise TypeError(f"the options of {self.title} are needed, not {options!r}")
        return cast(S, self._module("rules").initial_state(options))

    def parse_action(self, text: str) -> A:
        return cast(A, self._module("text").parse_action(text))

    def parse_state(self, text: str) -> S:
        return cast(S, self._module("text").parse_state(text, self._module("rules").State))

    def engine(self, level: int) -> Engine:
        return cast(Engine, getattr(self._module("engine"), f"{type(self).__name__}Engine")(level))
