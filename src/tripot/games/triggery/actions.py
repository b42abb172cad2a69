"""What may be chosen before a game of Triggery, and what may be done in it: options and actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from tripot import game
from tripot.game import OptionError, option
from tripot.games.triggery.board import CELL_NAMES, CELLS, LINE_NAMES, MAX_NUMBER, SIDES, STAR

Dice: TypeAlias = tuple[int, ...]
"""Two dice; or one number, a budget that was set up without dice (TG-13)."""

MAX_BAG_TILES: Final = 999  # in a bag
BAG_ITEM: Final = re.compile(r"(?:([1-9]\d{0,2})x)?(?:(\d{1,2})(?:-(\d{1,2}))?|(\*))", re.ASCII)


@dataclass(frozen=True)
class Options(game.Options):
    """Every choice the booklet offers; the defaults are the game for two adults."""

    players: int = option(2, 1, 2, 3, 4, clause="TG-10")
    bonus: str = option("automatic", "automatic", "by-hand", clause="TG-11")
    score: str = option("points", "points", "rounds", clause="TG-9", relevant_if=[{"players": (2, 3, 4)}])
    bag: str = option("1-24,1-12,8x*", clause="TG-1", advanced=True)
    board: str = option("", clause="TG-13", advanced=True)
    dice: str = option("", clause="TG-12", advanced=True, relevant_if=[{"players": (1,)}])

    def check_combinations(self) -> None:
        """The combinations that make no sense, and the texts that say nothing."""
        tiles = parse_bag(self.bag)
        if len(tiles) < CELLS:
            raise OptionError(Options, "bag", self.bag, "TG-1", "few", needed=CELLS, count=len(tiles))
        if self.solo and self.score != "points":
            raise OptionError(Options, "score", self.score, "TG-12", "no_rounds")
        if self.dice and not self.solo:
            raise OptionError(Options, "dice", self.dice, "TG-12", "alone")
        parse_known_dice(self.dice)
        if self.board:
            given = self.board.split("|")
            if len(given) != self.boards:
                raise OptionError(Options, "board", self.board, "TG-13", "boards", needed=self.boards)
            for text in given:
                parse_board(text)

    @property
    def solo(self) -> bool:
        """TG-12."""
        return self.players == 1

    @property
    def boards(self) -> int:
        """One a side."""
        return 1 if self.solo else 2

    @property
    def by_hand(self) -> bool:
        """TG-11."""
        return self.bonus == "by-hand"

    @property
    def teams(self) -> tuple[int, ...]:
        """TG-10: blue and yellow take seats in turn, so blue has one more of three."""
        return tuple(seat % 2 for seat in range(self.players))

    @property
    def bag_tiles(self) -> bytes:
        """TG-1: the tiles of one bag, in the order of their text."""
        return parse_bag(self.bag)

    @property
    def given_boards(self) -> tuple[bytes, ...]:
        """The boards as given, or none: then chance fills them."""
        return tuple(parse_board(text) for text in self.board.split("|")) if self.board else ()

    @property
    def known_dice(self) -> tuple[Dice, ...]:
        """TG-12: the throws that are known beforehand."""
        return parse_known_dice(self.dice)


@lru_cache(maxsize=64)
def parse_bag(text: str) -> bytes:
    """The tiles of a bag.

    >>> list(parse_bag("2x1-3,7,2x*"))
    [1, 2, 3, 1, 2, 3, 7, 100, 100]
    """
    tiles: list[int] = []
    for item in text.split(","):
        match = BAG_ITEM.fullmatch(item)
        if not match:
            raise OptionError(Options, "bag", text, "TG-1", "no_tile", item=item)
        times, low, high, star = match.groups()
        some = [STAR] if star else [*range(int(low), int(high or low) + 1)]
        if not some or (not star and (some[0] < 1 or some[-1] > MAX_NUMBER)):
            raise OptionError(Options, "bag", text, "TG-1", "numbers", item=item, largest=MAX_NUMBER)
        tiles += some * int(times or 1)
        if len(tiles) > MAX_BAG_TILES:
            raise OptionError(Options, "bag", text, "TG-1", "many", most=MAX_BAG_TILES)
    return bytes(tiles)


@lru_cache(maxsize=64)
def parse_board(text: str) -> bytes:
    """The tiles of a board that is given, all face up: six rows with / between, six tiles with , between."""
    rows = [row.split(",") for row in text.split("/")]
    if [len(row) for row in rows] != [6] * 6:
        raise OptionError(Options, "board", text, "TG-13", "rows")
    names = [name for row in rows for name in row]
    for name in names:
        if name not in TILES:
            raise OptionError(Options, "board", text, "TG-13", "no_tile", tile=name, largest=MAX_NUMBER)
    return bytes(TILES[name] for name in names)


@lru_cache(maxsize=64)
def parse_known_dice(text: str) -> tuple[Dice, ...]:
    """Throws with commas between: `5-6,3-3`."""
    throws = text.split(",") if text else []
    for throw in throws:
        if not re.fullmatch("[1-6]-[1-6]", throw):
            raise OptionError(Options, "dice", text, "TG-12", "no_throw", throw=throw)
    return tuple((int(throw[0]), int(throw[2])) for throw in throws)


def tile_name(tile: int) -> str:
    """The name of a tile: its number, or `*`."""
    return "*" if tile == STAR else str(tile)


TILES: Final[dict[str, int]] = {tile_name(tile): tile for tile in (*range(1, MAX_NUMBER + 1), STAR)}


# --- Actions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fill(game.Action):
    """Chance fills a side's board from its bag, from a1 to f6: `fill blue 20,*,3,...`."""

    side: int
    tiles: bytes

    def __str__(self) -> str:
        return f"fill {SIDES[self.side]} " + ",".join(tile_name(tile) for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class StartRoll(game.Action):
    """Chance throws a die for each side, blue's first: `contest 3-5`."""

    dice: Dice

    def __str__(self) -> str:
        return f"contest {dice_name(self.dice)}"


@dataclass(frozen=True, slots=True)
class Throw(game.Action):
    """Chance throws two dice for the player: `throw 5-6`."""

    dice: Dice

    def __str__(self) -> str:
        return f"throw {dice_name(self.dice)}"


@dataclass(frozen=True, slots=True)
class Flip(game.Action):
    """A player turns a tile over: `turn c4`."""

    cell: int

    def __str__(self) -> str:
        return f"turn {CELL_NAMES[self.cell]}"


@dataclass(frozen=True, slots=True)
class Done(game.Action):
    """A player ends the turn: `done`."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Malus(game.Action):
    """A forgotten bonus is pointed at by its line, and a tile of that line comes back: `malus 4 c4`.

    An opponent does it; for a player alone, chance.
    """

    line: int
    cell: int

    def __str__(self) -> str:
        return f"malus {LINE_NAMES[self.line]} {CELL_NAMES[self.cell]}"


@dataclass(frozen=True, slots=True)
class Reject(game.Action):
    """A player alone has a known throw thrown anew: `reject`."""

    def __str__(self) -> str:
        return "reject"


Action: TypeAlias = Fill | StartRoll | Throw | Flip | Done | Malus | Reject


def dice_name(dice: Dice) -> str:
    """`5-6`."""
    return "-".join(map(str, dice))


def budget(throw: Dice) -> int:
    """TG-3, TG-5: the sum of the dice, doubled on a double; TG-13: or any number, set up."""
    return 2 * sum(throw) if len(throw) == 2 and throw[0] == throw[1] else sum(throw)


def is_throw(dice: Dice) -> bool:
    """Whether these are two dice."""
    return len(dice) == 2 and all(1 <= die <= 6 for die in dice)
