"""A client for programs that speak GTP, the Go Text Protocol (version 2).

A command is one line. The answer begins with `=`, or with `?` if the program refuses, and ends with an empty
line. Everything that depends on the game comes from its `GtpDialect`. The program keeps the position itself:
it is sent every action of the seats in order, and the moves that it generates are checked by our rules.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from tripot.external.process import EngineProcess, EngineProcessError
from tripot.game import CHANCE, Action, AnyState, GtpDialect, ParseError, TripotError

RESIGN: Final = "resign"
PASS: Final = "pass"
SET_GAME: Final = "set_game"
ALL_LEGAL: Final = "all_legal"


class LegalMovesMismatchError(TripotError):
    """A program and our rules disagree on which moves are legal."""


class GtpEngine(EngineProcess):
    """A GTP program that plays one variant of a game.

    `name` is the name and version that the program reports.
    """

    def __init__(self, command: str, dialect: GtpDialect) -> None:
        super().__init__(command)
        self.dialect = dialect
        self._sent_count = 0  # actions of the current game that the program knows
        try:
            with self.handshake():
                if self.has_command(SET_GAME):
                    self.send_command(f"{SET_GAME} {dialect.game_name}")
                name = f"{self.send_command('name')} {self.send_command('version')}".strip()
            self.name = name.replace(",", " ")  # a comma separates names in a record
        except BaseException:
            self.close()
            raise

    def send_command(self, command: str) -> str:
        """Send a command and return its answer, without the sign before it; a refusal raises an error."""
        self.write(command)
        while not (first := self.read_line()):
            pass  # empty lines between answers
        if first[0] not in "=?":
            raise self.failure(
                f"answered {first[:60]!r} to {command!r}; expected an answer of GTP, which begins "
                "with = or ?. For a program with the engine protocol write engine:..."
            )
        lines = [first[1:].strip()]
        while line := self.read_line():
            lines.append(line.strip())
        if first[0] == "=":
            return "\n".join(lines).strip()
        raise self.failure(f"answered {command!r} with {first!r}")

    def has_command(self, command: str) -> bool:
        """Return whether the program has a command."""
        return self.send_command(f"known_command {command}") == "true"

    def new_game(self) -> None:
        """Start a new game."""
        self.send_command("clear_board")
        self._sent_count = 0

    def send_actions(self, states: Sequence[AnyState], actions: Sequence[Action]) -> None:
        """Send the actions of a game that the program does not know yet.

        `actions` are all actions so far, and `states` the states before each of them. Actions of chance are
        not sent.
        """
        for state, action in zip(states[self._sent_count :], actions[self._sent_count :], strict=False):
            if state.to_act is not CHANCE:
                self.send_command(f"play {self.dialect.colour_of(state)} {self.dialect.vertex_text(action)}")
        self._sent_count = len(actions)

    def choose(self, state: AnyState) -> tuple[Action | None, float]:
        """Return the move of the program, None if it resigns, and the seconds that it took."""
        started = time.perf_counter()
        answer = self.send_command(f"genmove {self.dialect.colour_of(state)}")
        seconds = time.perf_counter() - started
        if answer.lower() == RESIGN:
            return None, seconds
        if answer.lower() == PASS:
            raise LegalMovesMismatchError(f"{self.name} passes, but it has a legal move: {state.to_text()}")
        action = self._parse_vertex(answer)
        if action not in state.legal_actions():
            raise LegalMovesMismatchError(
                f"{self.name} plays {action}, which is illegal in this position: {state.to_text()}"
            )
        self._sent_count += 1  # the program has played its own move
        return action, seconds

    def check_legal_moves(self, state: AnyState) -> None:
        """Raise `LegalMovesMismatchError` unless the program lists exactly our legal actions."""
        words = self.send_command(f"{ALL_LEGAL} {self.dialect.colour_of(state)}").split()
        their_moves, our_moves = {self._parse_vertex(word) for word in words}, {*state.legal_actions()}
        if their_moves == our_moves and len(words) == len(their_moves):
            return
        raise LegalMovesMismatchError(
            f"{self.name} and the rules disagree in {state.to_text()}\n"
            f"the rules allow {len(our_moves)}, only they: {_action_texts(our_moves - their_moves)}\n"
            f"{self.name} allows {len(words)}, only it: {_action_texts(their_moves - our_moves)}"
        )

    def _parse_vertex(self, word: str) -> Action:
        try:
            action: Action = self.dialect.parse_vertex(word)
        except ParseError as error:
            raise EngineProcessError(f"{self.name}: {error}") from None
        return action


def _action_texts(actions: set[Action]) -> str:
    return "; ".join(sorted(map(str, actions))) or "none"
