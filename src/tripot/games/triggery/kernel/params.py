"""The tunable numbers of the engine."""

from __future__ import annotations

from typing import NamedTuple


class SearchParams(NamedTuple):
    """The tunable numbers of searches and playouts. Kernels take it as an argument, by value.

    None of them has been tuned by a systematic search of its own; each says what its value rests on.
    """

    wait_weight: float = 0.3
    """The share of the throws spent waiting for a sufficient budget that is lost to the other tiles too (0 to
    1). Found by hand, with the mean number of throws per board of `python -m bench`."""

    max_bounds: int = 1 << 14
    """The bounds of a search for the maximal free set, and the payments of a planned turn, after which the
    search ends without a proof. About a tenth of a second; random boards from the default bag stay far
    below."""

    max_payments: int = 1 << 22
    """The payments that an analysis compares for the best turn. About two seconds; a full board from the
    default bag needs about ten thousand."""

    max_expectation_tiles: int = 18
    """The tiles of a paid set in the table of expected throws. The table has
    100 bytes per subset, 26 MB for 18 tiles, and each further tile doubles memory and time. The smallest
    tiles of a larger set are left out."""

    max_race_tiles: int = 11
    """The tiles of a paid set up to which a race is computed exactly, for every throw of the rival. Time
    doubles with each tile; with more tiles to pay, the fewest expected throws are the best chance anyway."""

    negligible: float = 1e-4
    """The probability that a rival is unfinished below which a race ignores later throws."""

    games_to_choose: int = 200
    """The simulated games per board for a choice with a time limit. A win rate
    then has a standard error of at most 3.5 percentage points."""

    games_to_analyse: int = 1000
    """The same for an analysis with a time limit: at most 1.6 percentage points."""

    batch_games: int = 8
    """The simulated games per board between two looks at the clock, about one
    millisecond per board. Each batch also draws the hidden tiles of the return round again, so the value must
    not depend on time."""

    rival_share: float = 0.25
    """The share of the seconds that may be spent on simulating the rival's board before a turn is chosen."""

    exact_share: float = 0.5
    """The share of the seconds after which no deeper exact search begins."""

    subset_seconds: float = 3e-7
    """The time per subset of the table of expected throws, in seconds, measured
    on a laptop core. With a short time limit the table is made smaller accordingly."""

    forget_probability: float = 0.5
    """How often level 1 overlooks a bonus, or a bonus that was forgotten by the opponent (TG-7). Chosen for
    beginners, not measured."""

    sheet_lines: int = 20
    """The lines of the printed score sheet (TG-12): the value of a game alone with as many throws is 0."""


DEFAULT_PARAMS = SearchParams()
