"""What may be chosen before a game of Trippples, and what may be done in it: options and actions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from tripot import game
from tripot.game import OptionError, option
from tripot.games.trippples.board import KEYPAD_KEYS, NEUTRAL, SQUARE_NAMES, home_squares


@dataclass(frozen=True)
class Options(game.Options):
    """Every choice the booklet offers; the defaults are the plain game."""

    players: int = option(2, 2, 4, clause="TP-13")
    layout: str = option("random", "random", "drafted", "given", clause="TP-1")
    zone: str = option("centre", "centre", "chosen", "random", clause="TP-1", advanced=True)
    neutral: str = option("closed", "closed", "wild", clause="TP-6")
    corners: str = option("corner", "corner", "inset", clause="TP-10")
    finish: str = option("corner", "corner", "centre", clause="TP-12", advanced=True)
    tiles: str = option("face-up", "face-up", "face-down", clause="TP-11")
    indirect: bool = option(True, True, False, clause="TP-7", advanced=True)
    freeze: bool = option(True, True, False, clause="TP-8", advanced=True)
    board: str = option("", clause="TP-1", advanced=True, relevant_if=[{"layout": ("given",)}])

    def check_combinations(self) -> None:
        """The combinations that make no sense."""
        if self.layout == "given" and not self.board:
            raise OptionError(Options, "board", self.board, "TP-1", "unwritten")
        if self.board and self.layout != "given":
            raise OptionError(Options, "board", self.board, "TP-1", "not_given")
        if self.layout == "given" and self.zone != "centre":
            raise OptionError(Options, "zone", self.zone, "TP-1", "zone_given")
        if self.face_down and self.layout != "random":
            raise OptionError(Options, "layout", self.layout, "TP-11", "at_random")
        if self.face_down and self.zone == "chosen":
            raise OptionError(Options, "zone", self.zone, "TP-11", "unseen")
        if self.board:
            from tripot.games.trippples import text

            text.parse_board(self.board, self)

    @property
    def face_down(self) -> bool:
        """TP-11."""
        return self.tiles == "face-down"

    @property
    def wild(self) -> bool:
        """TP-6, and TP-11: among face-down tiles nobody can tell a neutral one before entering it."""
        return self.neutral == "wild" or self.face_down

    @property
    def homes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two start squares and the two finish squares, square's first."""
        return home_squares(self.corners == "inset", self.finish == "centre")

    @property
    def repetition_can_win(self) -> bool:
        """Whether a third repetition may win (TP-7). Only where two players see the whole board:

        the clause speaks of a player and his opponent, and of moves that lose, which among
        face-down tiles nobody can know. Elsewhere a third repetition is a draw.
        """
        return self.indirect and self.players == 2 and not self.face_down


# --- Actions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LayNeutralTiles(game.Action):
    """Chance lays the four neutral tiles: `zone b2,c5,f3,g7`."""

    squares: tuple[int, ...]

    def __str__(self) -> str:
        return "zone " + ",".join(SQUARE_NAMES[square] for square in self.squares)


@dataclass(frozen=True, slots=True)
class LayNeutralTile(game.Action):
    """A player lays a neutral tile: `neutral d4`."""

    square: int

    def __str__(self) -> str:
        return f"neutral {SQUARE_NAMES[self.square]}"


@dataclass(frozen=True, slots=True)
class FillBoard(game.Action):
    """Chance lays all tiles left, on the free squares from a1 to h8: `fill 268,N,...`."""

    tiles: bytes

    def __str__(self) -> str:
        return "fill " + ",".join(tile_name(tile) for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class DrawTile(game.Action):
    """Chance draws the arrow tile that the player to lay takes: `draw 268`."""

    tile: int

    def __str__(self) -> str:
        return f"draw {tile_name(self.tile)}"


@dataclass(frozen=True, slots=True)
class LayTile(game.Action):
    """A player lays the tile drawn: `lay d4`."""

    square: int

    def __str__(self) -> str:
        return f"lay {SQUARE_NAMES[self.square]}"


@dataclass(frozen=True, slots=True)
class Move(game.Action):
    """A player moves a pawn to a square, `d4`, perhaps announcing a freeze, `d4!`."""

    square: int
    freeze: bool = False

    def __str__(self) -> str:
        return SQUARE_NAMES[self.square] + ("!" if self.freeze else "")


Action: TypeAlias = LayNeutralTiles | LayNeutralTile | FillBoard | DrawTile | LayTile | Move


@cache
def tile_name(tile: int) -> str:
    """The name of a tile: the keys of its directions, ascending; `N` if it is neutral."""
    if tile == NEUTRAL:
        return "N"
    return "".join(sorted(key for bit, key in enumerate(KEYPAD_KEYS) if tile >> bit & 1))
