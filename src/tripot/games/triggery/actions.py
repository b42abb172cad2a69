"""The actions of Triggery, each with its text, and the budget of a throw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from tripot import game
from tripot.game_package import WordAction, is_index
from tripot.games.triggery.board import CELL_NAMES, CELLS, LINE_NAMES, LINES, SIDES, tile_name

Dice: TypeAlias = tuple[int, ...]
"""Two dice; or one number, a budget that was set up without dice (TG-13)."""


@dataclass(frozen=True, slots=True)
class Fill(game.Action):
    """Chance fills the board of a side from its bag, from a1 to f6: `fill blue 20,*,3,...`."""

    side: int
    tiles: bytes

    def __str__(self) -> str:
        return f"fill {SIDES[self.side]} " + ",".join(tile_name(tile) for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class _DiceAction(game.Action):
    """A word, and the dice that chance throws."""

    word: ClassVar[str]
    dice: Dice

    def __str__(self) -> str:
        return f"{self.word} {dice_name(self.dice)}"


@dataclass(frozen=True, slots=True)
class StartRoll(_DiceAction):
    """Chance throws one die for each side, blue's first: `contest 3-5`."""

    word = "contest"


@dataclass(frozen=True, slots=True)
class Throw(_DiceAction):
    """Chance throws two dice for the player: `throw 5-6`."""

    word = "throw"


@dataclass(frozen=True, slots=True)
class Flip(game.Action):
    """A player turns a tile over: `turn c4`."""

    cell: int

    def __str__(self) -> str:
        return f"turn {CELL_NAMES[self.cell]}"


@dataclass(frozen=True, slots=True)
class Done(WordAction):
    """A player ends the turn: `done`."""

    word = "done"


@dataclass(frozen=True, slots=True)
class Malus(game.Action):
    """A missed bonus is claimed by its line, and a tile of that line is turned face up: `malus 4 c4`.

    An opponent claims it, or chance if a player plays alone.
    """

    line: int
    cell: int

    def __str__(self) -> str:
        return f"malus {LINE_NAMES[self.line]} {CELL_NAMES[self.cell]}"


@dataclass(frozen=True, slots=True)
class Reject(WordAction):
    """A player alone rejects a known throw, which is then thrown again: `reject`."""

    word = "reject"


Action: TypeAlias = Fill | StartRoll | Throw | Flip | Done | Malus | Reject


def dice_name(dice: Dice) -> str:
    """Dice as text: `5-6`."""
    return "-".join(map(str, dice))


def budget(throw: Dice) -> int:
    """TG-3, TG-5: the sum of the dice, doubled on a double; TG-13: or the number that was set up."""
    return 2 * sum(throw) if is_double(throw) else sum(throw)


def is_double(throw: Dice) -> bool:
    """TG-5: whether these are two equal dice, which count double."""
    return len(throw) == 2 and throw[0] == throw[1]


def is_throw(dice: Dice) -> bool:
    """Whether these are two dice, and not a budget that was set up."""
    return len(dice) == 2 and all(1 <= die <= 6 for die in dice)


def is_well_formed(action: Action) -> bool:
    """Whether sides, lines and cells are those of the board, and dice are numbers."""
    match action:
        case Fill(side, tiles):
            return is_index(side, len(SIDES)) and isinstance(tiles, bytes)
        case StartRoll(dice) | Throw(dice):
            return isinstance(dice, tuple) and all(isinstance(die, int) for die in dice)
        case Flip(cell):
            return is_index(cell, CELLS)
        case Malus(line, cell):
            return is_index(line, len(LINES)) and is_index(cell, CELLS)
        case Done() | Reject():
            return True
