"""Parameters of search and playout. docs/experiments/trigon.md has the measurements behind the values.

Those that kernels use are NamedTuples, because Numba passes these by value and compiles the fields of
global ones as constants. Change one with `SEARCH_PARAMS._replace(exploration=1.0)`; floats must stay floats,
since their types select the compiled code. The others are frozen dataclasses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple


class SearchParams(NamedTuple):
    """Parameters of the tree search and of its rewards.

    "Regret" means that values were compared by the mean regret of the chosen moves: how much worse they are
    than the best move in the evaluation of a stronger program. "Games" means matches of the engine against
    itself or against another program.
    """

    exploration: float = 2.0
    """Factor of the PUCT exploration term. Regret: 0.5 was worse, 2 and 5 equal, 10 worse."""

    prior_visits: float = 10.0
    """Virtual visits at the prior value with which a child starts.

    Regret: 3 was worse, 30 made no difference.
    """

    rave_weight: float = 0.5
    """Weight of one RAVE visit relative to one real visit. Regret: 0, 0.1, 0.25 and 1 made no difference."""

    rave_half_visits: float = 3000.0
    """Real visits after which the weight of RAVE has halved. Chosen, not tuned."""

    expand_visits: int = 2
    """A node is expanded on the visit after this many.

    Games: one visit earlier scored 54%, four later 42%.
    """

    win_weight: float = 0.7
    """Share of the reward that is for winning; the rest is for the margin.

    Games: 0.4 and 0.9 were no better.
    """

    margin_scale: float = 25.0
    """Points ahead at which the margin's share of the reward reaches tanh(1). Chosen, not tuned."""

    playout_depth: int = 8
    """Moves of a truncated playout, after which the value table is used.

    Games: 8 lost fewest points, against 0 and 4.
    """

    full_playout_pieces: int = 16
    """Pieces on the board from which playouts run to the end of the game.

    Regret: truncated playouts in the whole game were worse. Full ones in the whole game made no difference in
    matches, at half the simulations in the opening.
    """

    prior_sharpness: float = 30.0
    """Inverse temperature of the softmax that turns prior values into priors.

    Regret: 60 made no difference.
    """

    prior_cutoff: float = 0.3
    """Moves whose logit is this much below the best get no node.

    Chosen to save memory: such moves got no visits.
    """

    root_value_weight: float = 0.7
    """Weight of the value table, against the policy, in the prior values of root moves.

    Regret: 1 was no better.
    """


class FeatureParams(NamedTuple):
    """How the policy features are quantised. The trained policy depends on it: train again after a change.

    All are chosen, not tuned. Numba compiles the arrays that are made of them as constants.
    """

    distance_buckets: tuple[int, ...] = (0, 1, 2, 3, 4, 4, 5, 5, 5, 6)
    """Bucket of each distance in steps, from 0 (`features.JUST_ATTACHED`); the last also has all larger ones.

    Finer for near cells: single steps up to 3, then two steps, three steps, and all others together."""

    centre_bucket_width: float = 1.4
    """Width of a bucket of the distance from the centre, in sides of triangles: seven reach the corners."""

    stage_by_pieces: tuple[int, ...] = (0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6)
    """Stage of the game by the number of pieces that the colour has placed; the last also has all larger
    numbers. Finer at the beginning, where a move changes most."""


class ValueParams(NamedTuple):
    """How the value table is indexed. The trained table depends on it: train again after a change.

    All are chosen, not tuned. Numba compiles the arrays that are made of them as constants.
    """

    distance_buckets: tuple[int, ...] = (0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6)
    """Bucket of each distance in steps, from 0, which does not occur; the last also has all larger ones.

    Seven buckets make 2401 rows per phase, few enough to be trained from self-play in minutes."""

    pieces_per_phase: int = 8
    """Pieces on the board, of all colours, in one phase of the game: two moves of each colour, 11 phases."""


class PlayoutParams(NamedTuple):
    """Parameters of the playout policy. A move scores the weighted sum of its size, local cells and noise."""

    size_weight: int = 1
    """Score per triangle of the piece. It fixes the scale of the other weights."""

    local_weight: int = 3
    """Score per local cell that the move covers; twice that if it is also an attach cell of the mover."""

    noise_weight: int = 6
    """Maximum of the uniform noise. The correlation of playout results with the values of a strong program
    was 0.31, 0.34, 0.40 and 0.38 for 1, 3, 6 and 10."""

    local_history: int = 3
    """Number of last moves whose attach cells are local cells. Six instead made no difference."""

    use_replies: int = 1
    """1 to try the last good reply first.

    Training sets it to 0, since it makes playouts depend on each other.
    """


@dataclass(frozen=True, slots=True)
class TreeParams:
    """Parameters of a tree that is kept from move to move, and of the threads that search it."""

    node_count: int = 12_000_000
    """Default size of a tree: 550 MB once it is full, after about 9 s in openings. Games: with 4 million it
    was full before the time of an opening move was over (docs/experiments/trigon.md, 2026-11-17)."""

    helper_batch: int = 16
    """Simulations of a helper thread between two looks at whether the search has ended: less than a
    millisecond. Chosen, not tuned."""

    recent_moves: int = 3
    """Moves before the root that the search knows, if it has followed the game: as many as
    `PlayoutParams.local_history`."""

    min_reported_simulations: int = 5
    """The mean of fewer simulations is noise: the static prediction is reported instead. Chosen, not
    tuned."""


@dataclass(frozen=True, slots=True)
class EndgameParams:
    """Limits of the exact search of endgames. All are chosen, not tuned."""

    max_moves: int = 60
    """Legal moves of all colours together; with more, an exact search is not tried."""

    max_positions: int = 30_000
    """Positions after which an exact search gives up."""

    max_depth: int = 24
    """Moves from the position to the end of a line; with a longer one, an exact search gives up. Six
    moves of each colour."""

    positions_per_second: int = 60_000
    """Positions per second of the time limit, so that a failed attempt does not use all of it."""


@dataclass(frozen=True, slots=True)
class TilingParams:
    """Parameters of the search for the tiling of a figure. All are chosen, not tuned."""

    steps_per_batch: int = 2000
    """Steps of the exact cover search that count as one simulation."""

    first_restart_steps: int = 4000
    """Length of the first attempt in steps."""

    restart_factor: float = 1.5
    """How much longer each further attempt is than the one before."""


class CompactBitsParams(NamedTuple):
    """Sizes of the renumbered placements, which Numba compiles as constants."""

    max_words: int = 1000
    """Words of 64 placements; with more, placements are not renumbered. It is reached from about 13 pieces
    on. Measured: no faster in openings, where the numbering takes 5 ms (docs/experiments/trigon.md)."""

    max_cell_words: int = 80
    """Words with placements through one cell; with more, placements are not renumbered. Chosen, not tuned."""


class ReplyParams(NamedTuple):
    """The table of last good replies. Numba compiles its size as a constant."""

    slots: int = 1 << 15
    """Entries of the table, a power of 2: 256 kB, which fit the L2 cache. Larger tables were slower and no
    better."""


class OpeningParams(NamedTuple):
    """Pruning of opening moves."""

    min_sizes: tuple[int, ...] = (6, 6, 6, 6, 5, 4, 4, 3, 3)
    """Triangles that the next piece must have at least, by the number of pieces that the colour has placed; 1
    after these. Chosen, not tuned."""

    slack: float = 0.5
    """How much farther from the centre than the best first move another first move may stay, in triangle
    sides. Chosen, not tuned.

    Only the first piece is restricted. After it, the best move is often one that encloses an opponent far
    from the centre; a rule for the first four pieces lost games within sixteen moves
    (docs/experiments/trigon.md, 2026-11-16).
    """


@dataclass(frozen=True, slots=True)
class TimeParams:
    """Time management."""

    share_by_pieces: tuple[float, ...] = (*[1.4] * 10, 1.2, 0.8, 0.5, 0.4, *[0.3] * 9)
    """Share of the average time per move, by the number of pieces that the colour has placed.

    A colour places about 20 pieces, over which the shares average 1. Chosen, not tuned: early moves decide
    most games.
    """


FEATURE_PARAMS: Final = FeatureParams()
VALUE_PARAMS: Final = ValueParams()
SEARCH_PARAMS: Final = SearchParams()
"""For two teams of two colours."""

INDIVIDUAL_PARAMS: Final = SEARCH_PARAMS._replace(exploration=1.0)
"""For three or four players: wins are rarer, rewards smaller, and the exploration term is scaled accordingly.

Games of the engine against itself, in points per seat: 1 against 2 +1.1 ± 0.4, 5 against 2 -1.3 ± 0.4, and
0.5 against 1 -0.2 ± 0.5.
"""

PLAYOUT_PARAMS: Final = PlayoutParams()
TREE_PARAMS: Final = TreeParams()
ENDGAME_PARAMS: Final = EndgameParams()
TILING_PARAMS: Final = TilingParams()
COMPACT_BITS_PARAMS: Final = CompactBitsParams()
REPLY_PARAMS: Final = ReplyParams()
OPENING_PARAMS: Final = OpeningParams()
TIME_PARAMS: Final = TimeParams()


def search_params(is_paired: bool) -> SearchParams:
    """Return the parameters for two teams of two colours, or for individual players."""
    return SEARCH_PARAMS if is_paired else INDIVIDUAL_PARAMS
