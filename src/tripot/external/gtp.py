"""Programs that speak GTP, the Go Text Protocol: a command a line, answers begin with `=` or `?`.

What is particular to a game, its `GtpDialect` tells. Such a program keeps the game itself: it is told of
every action of the seats, in order, and what it answers is checked by our rules.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tripot.external.process import EngineProcess, EngineProcessError
from tripot.game import CHANCE, Action, AnyState, GtpDialect, ParseError, TripotError

RESIGN = "resign"
PASS = "pass"
SET_GAME = "set_game"
ALL_LEGAL = "all_legal"


class LegalMovesMismatchError(TripotError):
    """A program and the rules do not agree on what is allowed."""


class GtpEngine(EngineProcess):
    """A GTP program that plays one variant of a game."""

    def __init__(self, command: str, dialect: GtpDialect) -> None:
        super().__init__(command)
        self.dialect = dialect
        self._sent_count = 0  # how many actions of this game it knows
        try:
            if self.has_command(SET_GAME):
                self.send_command(f"{SET_GAME} {dialect.game_name}")
            self.name = f"{self.send_command('name')} {self.send_command('version')}".strip().replace(
                ",", " "
            )
        except BaseException:
            self.close()
            raise

    def send_command(self, command: str) -> str:
        """The answer to a command, without its sign; a refusal is an error."""
        self.write(command)
        while not (first := self.read_line()):
            pass  # empty lines between answers
        said = [first[1:].strip()]
        while line := self.read_line():
            said.append(line.strip())
        if first[0] == "=":
            return "\n".join(said).strip()
        raise self.failure(f"answered {command!r} with {first!r}")

    def has_command(self, command: str) -> bool:
        """Whether it has a command."""
        return self.send_command(f"known_command {command}") == "true"

    def new_game(self) -> None:
        """A new game."""
        self.send_command("clear_board")
        self._sent_count = 0

    def send_actions(self, states: Sequence[AnyState], actions: Sequence[Action]) -> None:
        """Tell it what happened in a game since it was last told; the states are those before the actions."""
        for state, action in zip(states[self._sent_count :], actions[self._sent_count :], strict=False):
            if state.to_act is not CHANCE:
                self.send_command(f"play {self.dialect.colour_of(state)} {self.dialect.vertex_text(action)}")
        self._sent_count = len(actions)

    def choose(self, state: AnyState) -> tuple[Action | None, float]:
        """What it plays here, None if it resigns, and the seconds from the command to the answer."""
        began = time.perf_counter()
        answer = self.send_command(f"genmove {self.dialect.colour_of(state)}")
        took = time.perf_counter() - began
        if answer.lower() == RESIGN:
            return None, took
        if answer.lower() == PASS:
            raise LegalMovesMismatchError(f"{self.name} passes, but can play: {state.to_text()}")
        action = self._read(answer)
        if action not in state.legal_actions():
            raise LegalMovesMismatchError(
                f"{self.name} plays {action}, which is not allowed here: {state.to_text()}"
            )
        self._sent_count += 1  # it knows what it played itself
        return action, took

    def check_legal_moves(self, state: AnyState) -> None:
        """Whether it finds the same actions legal as our rules do."""
        listed = self.send_command(f"{ALL_LEGAL} {self.dialect.colour_of(state)}").split()
        theirs, ours = {self._read(word) for word in listed}, {*state.legal_actions()}
        if theirs == ours and len(listed) == len(theirs):
            return
        raise LegalMovesMismatchError(
            f"{self.name} and the rules differ in {state.to_text()}\n"
            f"the rules allow {len(ours)}, these alone: {_texts(ours - theirs)}\n"
            f"{self.name} allows {len(listed)}, these alone: {_texts(theirs - ours)}"
        )

    def _read(self, word: str) -> Action:
        try:
            action: Action = self.dialect.parse_vertex(word)
        except ParseError as error:
            raise EngineProcessError(f"{self.name}: {error}") from None
        return action


def _texts(actions: set[Action]) -> str:
    return "; ".join(sorted(map(str, actions))) or "none"
