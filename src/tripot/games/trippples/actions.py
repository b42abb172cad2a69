"""The actions of Trippples, each with its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from tripot import game
from tripot.game_package import are_indices, is_index
from tripot.games.trippples.board import SQUARE_NAMES, SQUARES, tile_name

TILE_CODES: Final = 256  # a tile is one byte


@dataclass(frozen=True, slots=True)
class LayNeutralTiles(game.Action):
    """Chance lays the four neutral tiles: `zone b2,c5,f3,g7`."""

    squares: tuple[int, ...]

    def __str__(self) -> str:
        return "zone " + ",".join(SQUARE_NAMES[square] for square in self.squares)


@dataclass(frozen=True, slots=True)
class _LayAction(game.Action):
    """A word, and the square on which a player lays a tile."""

    word: ClassVar[str]
    square: int

    def __str__(self) -> str:
        return f"{self.word} {SQUARE_NAMES[self.square]}"


@dataclass(frozen=True, slots=True)
class LayNeutralTile(_LayAction):
    """A player lays a neutral tile: `neutral d4`."""

    word = "neutral"


@dataclass(frozen=True, slots=True)
class FillBoard(game.Action):
    """Chance lays all remaining tiles on the free squares, from a1 to h8: `fill 268,N,...`."""

    tiles: bytes

    def __str__(self) -> str:
        return "fill " + ",".join(tile_name(tile) for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class DrawTile(game.Action):
    """Chance draws the arrow tile that the next player has to lay: `draw 268`."""

    tile: int

    def __str__(self) -> str:
        return f"draw {tile_name(self.tile)}"


@dataclass(frozen=True, slots=True)
class LayTile(_LayAction):
    """A player lays the drawn tile: `lay d4`."""

    word = "lay"


@dataclass(frozen=True, slots=True)
class Move(game.Action):
    """A player moves a pawn to a square, `d4`, or also announces a freeze, `d4!`."""

    square: int
    freeze: bool = False

    def __str__(self) -> str:
        return SQUARE_NAMES[self.square] + ("!" if self.freeze else "")


Action: TypeAlias = LayNeutralTiles | LayNeutralTile | FillBoard | DrawTile | LayTile | Move


def is_well_formed(action: Action) -> bool:
    """Whether squares are on the board, and tiles are sets of directions."""
    match action:
        case LayNeutralTiles(squares):
            return are_indices(squares, SQUARES)
        case FillBoard(tiles):
            return isinstance(tiles, bytes)
        case DrawTile(tile):
            return is_index(tile, TILE_CODES)
        case LayNeutralTile(square) | LayTile(square):
            return is_index(square, SQUARES)
        case Move(square, freeze):
            return is_index(square, SQUARES) and isinstance(freeze, bool)
