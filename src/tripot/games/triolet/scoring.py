"""The points of a placement in Triolet: sets, multipliers and the bonus (TO-4 to TO-6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from tripot.game import Fact, fact
from tripot.games.triolet.actions import PlacedToken
from tripot.games.triolet.board import FACTORS, IS_JOKER, MAX_LINE, lines, points_of, square_names
from tripot.games.triolet.placement import check_placement

TRIO_POINTS: Final = 30  # TO-4: 15, plus a bonus of 15
TRIOLET_BONUS: Final = 50  # TO-5: for three tokens without a joker


class ScoredSet(NamedTuple):
    """A pair or a trio with its points. `multiplier` is its square that multiplies the points, or -1."""

    squares: tuple[int, ...]
    points: int
    multiplier: int = -1


class PlacementResult(NamedTuple):
    """The result of a legal placement: the board after it, its sets with their points, and the bonus."""

    cells: bytes
    sets: tuple[ScoredSet, ...]
    bonus: int

    @property
    def points(self) -> int:
        """The total points of the placement."""
        return sum(scored.points for scored in self.sets) + self.bonus

    def facts(self) -> Iterator[Fact]:
        """The breakdown of the points: every set, the bonus, the total."""
        for scored in self.sets:
            yield self._set_fact(scored)
        if self.bonus:
            yield fact("TO-5", "bonus", points=self.bonus)
        yield fact("TO-4", "total", points=self.points)

    def _set_fact(self, scored: ScoredSet) -> Fact:
        """The tokens, squares and points of a pair or a trio."""
        squares, points, multiplier = scored
        is_trio = len(squares) == MAX_LINE
        factor = FACTORS[multiplier] if multiplier >= 0 else 1
        cells = [self.cells[square] for square in squares]
        tokens = ["J" if cell >= IS_JOKER else str(cell - 1) for cell in cells]
        if multiplier >= 0 and not is_trio:
            tokens[squares.index(multiplier)] += f"×{factor}"
        values = {"tokens": ("-" if is_trio else "+").join(tokens), "squares": square_names(squares)}
        key = "trio" if is_trio else "pair"
        if factor == 1:
            return fact("TO-4", key, **values, points=points)
        return fact("TO-6", key, **values, factor=factor, points=points)


def scored_sets(cells: bytes, squares: tuple[int, ...]) -> Iterator[ScoredSet]:
    """TO-4, TO-6: every set that has a new token, once, with its points.

    A special square multiplies only one set: a trio if it is part of one.
    """
    sets = lines(cells, squares) or [squares]  # only the first token of the game can be alone
    special = next((square for square in squares if FACTORS[square] > 1), -1)
    multiplied = max((line for line in sets if special in line), key=len, default=None)
    for line in sets:
        multiplier = special if line is multiplied else -1
        factor = FACTORS[special] if line is multiplied else 1
        if len(line) == MAX_LINE:
            yield ScoredSet(line, TRIO_POINTS * factor, multiplier)
        else:
            points = [points_of(cells[square]) * (factor if square == multiplier else 1) for square in line]
            yield ScoredSet(line, sum(points), multiplier)


@lru_cache(maxsize=8192)
def score_placement(cells: bytes, tokens: tuple[PlacedToken, ...]) -> PlacementResult:
    """The result of a placement. Raises IllegalActionError if the board forbids it.

    TO-5: three tokens without a joker earn a bonus.
    """
    after = check_placement(cells, tokens)
    sets = tuple(scored_sets(after, tuple(token.square for token in tokens)))
    is_triolet = len(tokens) == MAX_LINE and not any(token.joker for token in tokens)
    return PlacementResult(after, sets, TRIOLET_BONUS if is_triolet else 0)
