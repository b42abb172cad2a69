"""Programs that speak GTP, the Go Text Protocol: a command a line, answers begin with `=` or `?`.

What is particular to a game, its `Dialect` tells. Such a program keeps the game itself: it is told of
every action of the seats, in order, and what it answers is checked by our rules.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tripot.external.process import Program, ProgramError
from tripot.game import CHANCE, Action, AnyState, Dialect, TripotError, Unreadable

RESIGN = "resign"
PASS = "pass"
SET_GAME = "set_game"
ALL_LEGAL = "all_legal"


class Disagreement(TripotError):
    """A program and the rules do not agree on what is allowed."""


class GtpProgram(Program):
    """A GTP program that plays one variant of a game."""

    def __init__(self, command: str, dialect: Dialect) -> None:
        super().__init__(command)
        self.dialect = dialect
        self._told = 0  # how many actions of this game it knows
        try:
            if self.knows(SET_GAME):
                self.ask(f"{SET_GAME} {dialect.variant}")
            self.name = f"{self.ask('name')} {self.ask('version')}".strip().replace(",", " ")
        except BaseException:
            self.close()
            raise

    def ask(self, command: str) -> str:
        """The answer to a command, without its sign; a refusal is an error."""
        self.write(command)
        while not (first := self.line()):
            pass  # empty lines between answers
        said = [first[1:].strip()]
        while line := self.line():
            said.append(line.strip())
        if first[0] == "=":
            return "\n".join(said).strip()
        raise self.failed(f"answered {command!r} with {first!r}")

    def knows(self, command: str) -> bool:
        """Whether it has a command."""
        return self.ask(f"known_command {command}") == "true"

    def begin(self) -> None:
        """A new game."""
        self.ask("clear_board")
        self._told = 0

    def follow(self, states: Sequence[AnyState], actions: Sequence[Action]) -> None:
        """Tell it what happened in a game since it was last told; the states are those before the actions."""
        for state, action in zip(states[self._told :], actions[self._told :], strict=False):
            if state.to_act is not CHANCE:
                self.ask(f"play {self.dialect.colour(state)} {self.dialect.write(action)}")
        self._told = len(actions)

    def choose(self, state: AnyState) -> tuple[Action | None, float]:
        """What it plays here, None if it resigns, and the seconds from the command to the answer."""
        began = time.perf_counter()
        answer = self.ask(f"genmove {self.dialect.colour(state)}")
        took = time.perf_counter() - began
        if answer.lower() == RESIGN:
            return None, took
        if answer.lower() == PASS:
            raise Disagreement(f"{self.name} passes, but can play: {state.dump()}")
        action = self._read(answer)
        if action not in state.legal():
            raise Disagreement(f"{self.name} plays {action}, which is not allowed here: {state.dump()}")
        self._told += 1  # it knows what it played itself
        return action, took

    def check(self, state: AnyState) -> None:
        """Whether it finds the same actions legal as our rules do."""
        listed = self.ask(f"{ALL_LEGAL} {self.dialect.colour(state)}").split()
        theirs, ours = {self._read(word) for word in listed}, {*state.legal()}
        if theirs == ours and len(listed) == len(theirs):
            return
        raise Disagreement(
            f"{self.name} and the rules differ in {state.dump()}\n"
            f"the rules allow {len(ours)}, these alone: {_texts(ours - theirs)}\n"
            f"{self.name} allows {len(listed)}, these alone: {_texts(theirs - ours)}"
        )

    def _read(self, word: str) -> Action:
        try:
            action: Action = self.dialect.read(word)
        except Unreadable as error:
            raise ProgramError(f"{self.name}: {error}") from None
        return action


def _texts(actions: set[Action]) -> str:
    return "; ".join(sorted(map(str, actions))) or "none"
