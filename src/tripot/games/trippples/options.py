"""The options of Trippples."""

from __future__ import annotations

from dataclasses import dataclass

from tripot import game
from tripot.game import OptionError, ParseError, option
from tripot.games.trippples import layout_text
from tripot.games.trippples.board import AROUND_CENTRE, CENTRE, HOME_TILE, NEUTRAL, Homes, home_squares


@dataclass(frozen=True)
class Options(game.Options):
    """Every choice that the booklet offers; the defaults are its basic game."""

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
        """Raise `OptionError` for options that contradict each other, or for a board that is not a layout."""
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
            self.given_tiles()

    @property
    def face_down(self) -> bool:
        """TP-11: whether tiles lie face down until a pawn enters them."""
        return self.tiles == "face-down"

    @property
    def wild(self) -> bool:
        """TP-6: whether neutral squares may be entered.

        TP-11: they may if tiles lie face down, because a neutral tile is not recognised before it is entered.
        """
        return self.neutral == "wild" or self.face_down

    @property
    def homes(self) -> Homes:
        """The two start squares and the two finish squares, square's first."""
        return home_squares(self.corners == "inset", self.finish == "centre")

    @property
    def repetition_can_win(self) -> bool:
        """Whether a third repetition can win (TP-7); otherwise it is a draw.

        The clause speaks of a player, one opponent, and moves that lose. So it applies to two players
        only, and not to face-down tiles, with which it is unknown whether a move loses.
        """
        return self.indirect and self.players == 2 and not self.face_down

    def start_tiles(self) -> dict[int, int]:
        """TP-1, TP-10, TP-12: the tiles that are on the board, by square, before any is drawn or laid."""
        starts, finishes = self.homes
        tiles = dict.fromkeys((*starts, *finishes), HOME_TILE)
        if self.zone == "centre":
            tiles |= dict.fromkeys(AROUND_CENTRE if self.finish == "centre" else CENTRE, NEUTRAL)
        return tiles

    def given_tiles(self) -> bytes:
        """TP-1: the tiles of the given layout."""
        try:
            tiles, _ = layout_text.parse_layout(self.board, self, self.board)
            layout_text.check_complete(tiles, self.board)
        except ParseError as error:
            raise OptionError(Options, "board", self.board, "TP-1", "unread", why=error.reason) from None
        return tiles
