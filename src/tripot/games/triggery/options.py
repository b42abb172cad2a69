"""The options of Triggery, and the texts of boards, bags and dice in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tripot import game
from tripot.game import OptionError, ParseError, option
from tripot.games.triggery.actions import Dice
from tripot.games.triggery.board import CELLS, MAX_NUMBER, STAR, TILES_BY_NAME
from tripot.position_text import parse_grid

MAX_BAG_TILES: Final = 999
BAG_ITEM: Final = re.compile(r"(?:([1-9]\d{0,2})x)?(?:(\d{1,2})(?:-(\d{1,2}))?|(\*))", re.ASCII)


@dataclass(frozen=True)
class Options(game.Options):
    """Every choice that the booklet offers; the defaults are the game for two adults."""

    players: int = option(2, 1, 2, 3, 4, clause="TG-10")
    bonus: str = option("automatic", "automatic", "by-hand", clause="TG-11")
    score: str = option("points", "points", "rounds", clause="TG-9", relevant_if=[{"players": (2, 3, 4)}])
    bag: str = option("1-24,1-12,8x*", clause="TG-1", advanced=True)
    board: str = option("", clause="TG-13", advanced=True)
    dice: str = option("", clause="TG-12", advanced=True, relevant_if=[{"players": (1,)}])

    def check_combinations(self) -> None:
        """Raise `OptionError` for options that contradict each other, and for texts that cannot be read."""
        tiles = parse_bag(self.bag)
        if len(tiles) < CELLS:
            raise OptionError(Options, "bag", self.bag, "TG-1", "few", needed=CELLS, count=len(tiles))
        if self.solo and self.score != "points":
            raise OptionError(Options, "score", self.score, "TG-12", "no_rounds")
        if self.dice and not self.solo:
            raise OptionError(Options, "dice", self.dice, "TG-12", "alone")
        parse_known_dice(self.dice)
        if self.board and len(self.board.split("|")) != self.boards:
            raise OptionError(Options, "board", self.board, "TG-13", "boards", needed=self.boards)
        self.given_boards  # noqa: B018 - raises an error if a board cannot be read

    @property
    def solo(self) -> bool:
        """TG-12: whether one player plays alone."""
        return self.players == 1

    @property
    def boards(self) -> int:
        """The number of boards: one per side."""
        return 1 if self.solo else 2

    @property
    def by_hand(self) -> bool:
        """TG-11: whether players take their bonuses themselves, and may miss some."""
        return self.bonus == "by-hand"

    @property
    def teams(self) -> tuple[int, ...]:
        """TG-10: blue and yellow take seats alternately, so blue has one seat more of three."""
        return tuple(seat % 2 for seat in range(self.players))

    @property
    def bag_tiles(self) -> bytes:
        """TG-1: the tiles of one bag, in the order of their text."""
        return parse_bag(self.bag)

    @property
    def given_boards(self) -> tuple[bytes, ...]:
        """TG-13: the given boards; empty if chance fills the boards."""
        return tuple(parse_board(text) for text in self.board.split("|")) if self.board else ()

    @property
    def known_dice(self) -> tuple[Dice, ...]:
        """TG-12: the throws that are known beforehand."""
        return parse_known_dice(self.dice)


@lru_cache(maxsize=64)
def parse_bag(text: str) -> bytes:
    """TG-1: the tiles of a bag.

    >>> list(parse_bag("2x1-3,7,2x*"))
    [1, 2, 3, 1, 2, 3, 7, 100, 100]
    """
    tiles: list[int] = []
    for item in text.split(","):
        match = BAG_ITEM.fullmatch(item)
        if not match:
            raise OptionError(Options, "bag", text, "TG-1", "no_tile", item=item)
        times, low, high, star = match.groups()
        item_tiles = [STAR] if star else [*range(int(low), int(high or low) + 1)]
        if not item_tiles or (not star and (item_tiles[0] < 1 or item_tiles[-1] > MAX_NUMBER)):
            raise OptionError(Options, "bag", text, "TG-1", "numbers", item=item, largest=MAX_NUMBER)
        tiles += item_tiles * int(times or 1)
        if len(tiles) > MAX_BAG_TILES:
            raise OptionError(Options, "bag", text, "TG-1", "many", most=MAX_BAG_TILES)
    return bytes(tiles)


@lru_cache(maxsize=64)
def parse_board(text: str) -> bytes:
    """TG-13: the tiles of a given board, all face up: six rows, separated by `/`, of six tiles and commas."""
    try:
        rows = parse_grid(text, 6, text)
    except ParseError:
        raise OptionError(Options, "board", text, "TG-13", "rows") from None
    names = [name for row in rows for name in row]
    for name in names:
        if name not in TILES_BY_NAME:
            raise OptionError(Options, "board", text, "TG-13", "no_tile", tile=name, largest=MAX_NUMBER)
    return bytes(TILES_BY_NAME[name] for name in names)


@lru_cache(maxsize=64)
def parse_known_dice(text: str) -> tuple[Dice, ...]:
    """TG-12: throws, separated by commas: `5-6,3-3`."""
    throws = text.split(",") if text else []
    for throw in throws:
        if not re.fullmatch("[1-6]-[1-6]", throw):
            raise OptionError(Options, "dice", text, "TG-12", "no_throw", throw=throw)
    return tuple((int(throw[0]), int(throw[2])) for throw in throws)
