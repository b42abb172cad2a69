"""The layout of Trippples as text: the tiles on the board, both ways.

Eight rows from the top, separated by `/`, of eight squares, separated by commas:

    268   an arrow tile, by the keypad digits of its directions
    N     a neutral tile
    Q O   the starts of square and round
    q o   the finishes of square and round
    .     no tile yet
    ~268  a tile that lies face down
    ?     on a view: a face-down tile that has not been revealed
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tripot.game import HIDDEN, ParseError
from tripot.games.trippples.board import (
    HIDDEN_TILE,
    HOME_TILE,
    NEUTRAL,
    NEUTRAL_TILES,
    NO_TILE,
    SQUARE_NAMES,
    SQUARES,
    TILES_BY_NAME,
    is_arrow,
    tile_name,
)
from tripot.position_text import parse_grid, parse_name

if TYPE_CHECKING:
    from tripot.games.trippples.options import Options
    from tripot.games.trippples.rules import State

HOME_NAMES: Final = ("Q", "O", "q", "o")  # in the order of `Options.homes`
FACE_DOWN: Final = "~"
EMPTY: Final = "."
ROWS_FROM_TOP: Final = tuple(tuple(range(row * 8, row * 8 + 8)) for row in range(7, -1, -1))


def layout_text(state: State) -> str:
    """The tiles of a state as text."""
    return "/".join(",".join(_square_text(state, square) for square in row) for row in ROWS_FROM_TOP)


def _square_text(state: State, square: int) -> str:
    tile = state.tiles[square]
    if tile == HOME_TILE:
        return _home_names(state.options)[square]
    if tile in (NO_TILE, HIDDEN_TILE):
        return EMPTY if tile == NO_TILE else HIDDEN
    return (FACE_DOWN if state.is_face_down(square) else "") + tile_name(tile)


def _home_names(options: Options) -> dict[int, str]:
    starts, finishes = options.homes
    return dict(zip((*starts, *finishes), HOME_NAMES, strict=True))


def parse_layout(layout: str, options: Options, text: str) -> tuple[bytes, int]:
    """The tiles of a layout, and the mask of those that were turned face up (TP-11).

    Checks what the tiles of any position satisfy. Errors are about `text`, of which the layout is a part.
    """
    homes = _home_names(options)
    tiles, revealed = bytearray(SQUARES), 0
    for row, squares in zip(parse_grid(layout, 8, text), ROWS_FROM_TOP, strict=True):
        for name, square in zip(row, squares, strict=True):
            if square in homes or name in HOME_NAMES:
                _check_home(name, square, homes, text)
                tiles[square] = HOME_TILE
                continue
            tiles[square], is_revealed = _parse_square(name, square, options, text)
            revealed |= is_revealed << square
    _check_tile_counts(tiles, text)
    _check_zone(tiles, options, text)
    return bytes(tiles), revealed


def _check_home(name: str, square: int, homes: dict[int, str], text: str) -> None:
    """The letters of homes are on the home squares, and nothing else is there."""
    if name != homes.get(square):
        expected = homes.get(square, "no home")
        raise ParseError(text, f"{SQUARE_NAMES[square]} must be {expected} with these options, not {name!r}")


def _parse_square(name: str, square: int, options: Options, text: str) -> tuple[int, bool]:
    """The tile of a square, and whether it was turned face up."""
    if name == EMPTY:
        return NO_TILE, False
    is_down = name.startswith((FACE_DOWN, HIDDEN))
    if is_down and not options.face_down:
        raise ParseError(text, f"{SQUARE_NAMES[square]} lies face down, which needs tiles=face-down")
    meanings = TILES_BY_NAME | {EMPTY: NO_TILE, HIDDEN: HIDDEN_TILE}
    return parse_tile(name.removeprefix(FACE_DOWN), text, meanings), options.face_down and not is_down


def parse_tile(name: str, text: str, meanings: dict[str, int] = TILES_BY_NAME) -> int:
    """A tile from its name."""
    return parse_name(name, meanings, text, "a tile; a tile is three keypad digits such as 268, or N")


def _check_tile_counts(tiles: bytearray, text: str) -> None:
    """Every arrow tile exists once, and there are four neutral tiles."""
    counts = Counter(tile for tile in tiles if is_arrow(tile))
    repeated = next((tile for tile, count in counts.items() if count > 1), None)
    if repeated is not None:
        raise ParseError(text, f"the tile {tile_name(repeated)} is on the board twice")
    if tiles.count(NEUTRAL) > NEUTRAL_TILES:
        raise ParseError(text, "there are only four neutral tiles")
    if NO_TILE in tiles and HIDDEN_TILE in tiles:
        raise ParseError(text, "nothing is hidden before every square has a tile")


def _check_zone(tiles: bytearray, options: Options, text: str) -> None:
    """TP-1: with zone=centre, the neutral tiles are on their squares in the middle and nowhere else.

    This is not required of a complete layout that lies face up, which may be any.
    """
    if NO_TILE not in tiles and not options.face_down:
        return
    start_tiles = options.start_tiles()
    elsewhere = {square for square, tile in enumerate(tiles) if tile == NEUTRAL} - start_tiles.keys()
    if (elsewhere and NEUTRAL in start_tiles.values()) or any(
        tiles[square] not in (tile, HIDDEN_TILE) for square, tile in start_tiles.items()
    ):
        raise ParseError(text, "with zone=centre the neutral tiles are in the middle")


def check_complete(tiles: bytes, text: str) -> None:
    """Raise ParseError unless every square has a tile and no tile is missing."""
    is_visible = HIDDEN_TILE not in tiles
    if NO_TILE in tiles or (is_visible and tiles.count(NEUTRAL) != NEUTRAL_TILES):
        raise ParseError(text, "a full board has 56 arrow tiles and four neutral tiles")
