"""The tunable numbers of the engine."""

from __future__ import annotations

from typing import Final, NamedTuple


class SearchParams(NamedTuple):
    """The tunable numbers of searches and playouts. Kernels take them as one argument, by value.

    Measurements were made on 2026-11-18 with 300 full boards from the default bag.
    """

    wait_weight: float = 0.3
    """The weight of the throws spent waiting for a sufficient budget, in the throw costs of a tile (0 to 1).
    The mean length of playouts is 17.6 throws with 0, and 15.9 throws with all of 0.1 to 1."""

    max_bounds: int = 1 << 14
    """The bounds of a search for the maximal free set, and the payments of a planned turn, after which the
    search ends without a proof. 299 boards needed at most 64 bounds; with a budget of 24, all turns of 298
    boards were listed. The limit is about a tenth of a second, and is reached with unusual bags."""

    first_bounds: int = 1 << 5
    """The bounds, of at most `max_bounds`, with which these searches begin under a time limit. Chosen, not
    tuned: about a millisecond."""

    first_payments: int = 1 << 11
    """The same for searches that list payments. Chosen, not tuned: about a millisecond."""

    deepening_factor: int = 8
    """How much larger the limit of each further search of the same position is. Chosen, not tuned: all the
    earlier searches together take a seventh of the time of the last."""

    max_payments: int = 1 << 22
    """The payments that an analysis compares for the best turn: about two seconds, reached with unusual
    bags."""

    max_expectation_tiles: int = 18
    """The tiles of a paid set in the table of expected throws. The table has 100 bytes per subset, 26 MB for
    18 tiles, and each further tile doubles memory and time. The smallest tiles of a larger set are left
    out."""

    max_race_tiles: int = 11
    """The tiles of a paid set up to which a race is computed exactly, for every throw of the rival. Each
    further tile doubles the time. Not tuned; with more tiles the fewest expected throws are used instead."""

    fewest_points_turns: int = 4
    """How many turns, those that leave the fewest points open, level 5 compares with the turn that clears the
    board soonest (TG-8). Chosen, not tuned."""

    fewest_points_payments: int = 1 << 12
    """The payments among which these turns are looked for: some milliseconds. Chosen, not tuned."""

    comparing_share: float = 0.5
    """The share of the remaining seconds that the comparison of these turns takes; the rest is for the
    estimates. Chosen, not tuned."""

    negligible: float = 1e-4
    """The probability of an unfinished rival below which a race ignores later throws. Far below the error of
    simulated games."""

    games_to_choose: int = 200
    """The simulated games per board for a choice with a time limit. A win rate then has a standard error of
    at most 3.5 percentage points."""

    games_to_analyse: int = 1000
    """The same for an analysis with a time limit: at most 1.6 percentage points."""

    batch_games: int = 8
    """The simulated games per board between two looks at the clock: about a millisecond per board. Every
    batch samples the hidden tiles of the return round again, so another value changes the estimates."""

    rival_share: float = 0.25
    """The share of the seconds that may be spent on the rival's board before a turn is chosen. Not tuned."""

    exact_share: float = 0.5
    """The share of the seconds after which no deeper exact search begins. Not tuned."""

    subset_seconds: float = 3e-7
    """The time per subset of the table of expected throws, in seconds: 0.08 s for 18 tiles on a busy core.
    With a short time limit the table is made smaller accordingly."""

    forget_probability: float = 0.5
    """How often level 1 overlooks a bonus, its own or one that the opponent has missed (TG-7). Not tuned."""

    sheet_lines: int = 20
    """The lines of the printed score sheet (TG-12): the value of a game alone with as many throws is 0."""


DEFAULT_PARAMS: Final = SearchParams()
