"""The computer players of Triggery: levels, exact results, budgets and estimates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from bench.triggery import after_chain_and_stars
from tests.engine_games import play_levels

from tripot import i18n
from tripot.engine import kernel_cache
from tripot.game import CHANCE, Limit, Outcome, fact
from tripot.game_package import HINT_EXCEPTION
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Action, Done
from tripot.games.triggery.board import (
    MAX_NUMBER,
    cells_of,
    chain,
    cheapest_clear,
    number_mask,
    open_points,
)
from tripot.games.triggery.entry_points import ENTRY_POINTS
from tripot.games.triggery.kernel import clearing
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS
from tripot.games.triggery.options import Options
from tripot.games.triggery.rules import State
from tripot.testing import random_action

QUICK = Limit(simulations=30)
GOLDEN = "triggery 20,?,?,16,?,?/1,?,2,?,?,24/?,?,?,*,?,?/15,?,9,?,?,*/?,?,?,?,?,?/12,?,?,10,?,18 players=1"


def play(options: Options, levels: tuple[int, ...], seed: int) -> State:
    return play_levels(GAME, GAME.initial_state(options), levels, QUICK, seed)


def ending(state: State) -> Outcome:
    """Return the outcome of a finished game."""
    assert state.outcome is not None
    return state.outcome


def facts(text: str) -> dict[str, dict[str, str | int]]:
    """Return the facts of an analysis of a game alone, by key."""
    state = GAME.parse_state(text)
    while len(certain := state.chance_outcomes()) == 1:
        state = state.apply(certain[0][0])
    analysis = GAME.engine(5).analyse(state.view(0), QUICK, Random(1))
    return {known.key: dict(known.values) for known in analysis.facts}


@pytest.mark.parametrize(("budget", "tiles"), [(1, 1), (2, 4), (3, 12)])
def test_TG_13_the_best_turn_of_the_golden_grid(budget: int, tiles: int) -> None:
    known = facts(f"{GOLDEN} budget={budget}")
    assert known["best_turn"]["tiles"] == tiles
    assert known["clears"]["cost"] == 3
    assert "proven" in known


def test_TG_13_the_chain_is_listed_in_an_order_that_can_be_played() -> None:
    """By hand the player flips every tile, so the rules check the order."""
    order = str(facts(f"{GOLDEN} budget=3")["order"]["cells"]).split()
    assert len(order) == 12
    state = GAME.parse_state(f"{GOLDEN} budget=3 bonus=by-hand")
    for cell in order[:-1]:
        state = state.apply(GAME.parse_action(f"turn {cell}"))
    assert state.legal_actions() == (GAME.parse_action(f"turn {order[-1]}"), GAME.parse_action("done"))


def test_TG_12_known_dice_are_planned_to_the_end() -> None:
    known = facts(f"{GOLDEN} dice=1-1,4-4")
    assert known["plan"] == {"throws": 1, "points": 3}
    assert "plan_proven" in known
    assert facts(f"{GOLDEN} dice=1-2")["plan"] == {"throws": 1, "points": 3}


def test_TG_12_following_the_plan_gives_its_result() -> None:
    for seed in range(3):
        rng = Random(seed)
        dice = ",".join(f"{rng.randint(1, 6)}-{rng.randint(1, 6)}" for _ in range(30))
        state = GAME.initial_state(Options(players=1, dice=dice))
        state = state.apply(state.sample_chance(rng))
        state = state.apply(state.sample_chance(rng))
        player = GAME.engine(5)
        analysis = player.analyse(state.view(0), QUICK, rng)
        planned = {known.key: dict(known.values) for known in analysis.facts}
        while state.to_act is not None:
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
            else:
                state = state.apply(player.choose(state.view(0), QUICK, rng).action)
        assert state.outcome is not None
        reached = dict(state.outcome.reason.values)
        plan = planned["plan"]
        assert (reached["throws"], reached["points"]) <= (plan["throws"], plan["points"])
        if "plan_proven" in planned:
            assert reached == plan


def test_higher_levels_take_fewer_throws_alone() -> None:
    alone = Options(players=1)
    throws = [
        fmean(-ending(play(alone, (level,), seed)).scores[0] for seed in range(12)) for level in GAME.levels
    ]
    assert throws == sorted(throws, reverse=True)
    assert len({*throws}) == len(throws)


@pytest.mark.parametrize("seeds", [(1, 3, 4), pytest.param(range(20), marks=pytest.mark.soak)])
def test_level_5_beats_level_3(seeds: Sequence[int]) -> None:
    """On the same boards and dice, with the sides exchanged, level 5 wins more games.

    It wins all six games of a normal run, which were selected for that.
    """
    won = 0
    for seed in seeds:
        for levels in ((5, 3), (3, 5)):
            winners = ending(play(Options(), levels, seed)).winners
            won += sum((1 if levels[seat] == 5 else -1 for seat in winners), 0)
    assert won > 0


@pytest.mark.parametrize("players", [3, 4])
def test_TG_10_teams_of_bots_play_to_the_end(players: int) -> None:
    assert play(Options(players=players), (4, 2, 4, 2)[:players], 1).outcome is not None


def test_TG_8_the_top_level_saves_points_where_the_race_is_lost() -> None:
    """Yellow clears its board with any throw, and lost 100 points in the first round.

    The best turn of a race leaves 153 points open and loses the game; another one leaves 97.
    """
    yellow = board_text({0: "1", 1: "2", 6: "2", 7: "1"})
    blue = "?,*,?,?,?,2/?,?,12,?,?,6/?,?,18,*,?,23/?,13,?,8,16,?/?,?,?,?,?,?/11,8,*,10,10,?"
    text = f"triggery {yellow} {blue} side=blue first=yellow throw=2-6 won=1,0 lost=0,100"
    state, engine, values = GAME.parse_state(text), GAME.engine(5), []
    while state.to_act == 0:
        choice = engine.choose(state.view(0), QUICK, Random(1))
        values.append(choice.value)
        state = state.apply(choice.action)
    assert open_points(state.tiles[1], state.face_up[1]) == 97
    assert values == [1.0] * len(values)


def test_TG_7_missed_bonuses_are_claimed() -> None:
    """Level 1 misses some bonuses, and level 4 claims them."""
    state, dice, engine_rng = GAME.initial_state(Options(bonus="by-hand")), Random(3), Random(4)
    claims = 0
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(dice)
        else:
            view = state.view(state.to_act)
            action = GAME.engine((1, 4)[state.to_act]).choose(view, QUICK, engine_rng).action
            claims += str(action).startswith("malus") and state.to_act == 1
        state = state.apply(action)
    assert claims


# --- Estimates -------------------------------------------------------------------------------------


def positions(options: Options, seed: int, step: int = 9) -> list[State]:
    """Some positions of a random game in which a seat is to act."""
    state, rng = GAME.initial_state(options), Random(seed)
    states: list[State] = []
    while state.to_act is not None and len(states) < 60:
        if state.to_act is not CHANCE:
            states.append(state)
        state = state.apply(random_action(state, rng))
    return states[::step]


VARIANTS = [
    Options(),
    Options(players=1),
    Options(players=3, score="rounds"),
    Options(players=4, bonus="by-hand"),
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_candidates_have_values_expected_scores_and_a_playable_variation(options: Options) -> None:
    for state in positions(options, 1):
        assert isinstance(state.to_act, int)
        for level in GAME.levels:
            choice = GAME.engine(level).choose(state.view(state.to_act), QUICK, Random(level))
            assert choice.expected is not None
            assert len(choice.expected.scores) == options.players
            assert -1 <= choice.value <= 1
            if not options.solo:
                assert choice.value == pytest.approx(2 * choice.expected.win_rate - 1)
            after = state
            for action in choice.pv:
                assert after.to_act == state.to_act, "a variation ends with the turn"
                after = after.apply(action)
            assert choice.pv[0] == choice.action


def test_an_analysis_begins_with_the_choice_and_gives_it_the_same_value() -> None:
    for state in positions(Options(), 2, 20):
        assert isinstance(state.to_act, int)
        view = state.view(state.to_act)
        choice = GAME.engine(5).choose(view, QUICK, Random(1))
        first, *others = GAME.engine(5).analyse(view, QUICK, Random(1)).candidates
        assert (first.action, first.pv) == (choice.action, choice.pv)
        assert first.value == pytest.approx(choice.value)
        assert all(other.value <= first.value and other.expected for other in others)


def test_TG_12_a_board_that_clears_now_takes_one_throw() -> None:
    state = GAME.parse_state(f"{GOLDEN} budget=3")
    choice = GAME.engine(5).choose(state.view(0), QUICK, Random(1))
    assert choice.expected is not None
    assert choice.expected.scores == (-1.0,)
    assert choice.value == pytest.approx(1 - 1 / 20)


def test_TG_9_the_last_round_is_estimated_with_the_points_of_the_first() -> None:
    """Blue clears its board now. Whether it wins depends on what it lost in the first round."""
    board = GOLDEN.split()[1]
    for lost, win_rate in (("0,370", 1.0), ("370,0", 0.0)):
        won = "1,0" if win_rate else "0,1"
        text = f"triggery {board} {board} side=blue first=yellow throw=1-2 won={won} lost={lost}"
        state = GAME.parse_state(text)
        choice = GAME.engine(5).choose(state.view(0), QUICK, Random(1))
        assert choice.expected is not None
        assert choice.expected.win_rate == pytest.approx(win_rate)
        before = [-int(points) for points in lost.split(",")]
        assert choice.expected.scores == pytest.approx((before[0], before[1] - state.points(0)))


# --- Budgets ---------------------------------------------------------------------------------------


def test_a_stopped_search_ends_after_one_batch() -> None:
    """The limit is an hour, but the caller wants an answer now."""
    state = positions(Options(), 3)[1]
    assert isinstance(state.to_act, int)
    view = state.view(state.to_act)
    for level in GAME.levels:
        reports: list[float] = []
        limit = Limit(seconds=3600, on_progress=reports.append, should_stop=lambda: True)
        choice = GAME.engine(level).choose(view, limit, Random(1))
        assert choice.action in state.legal_actions()
        assert len(reports) <= 3, "one batch each for the rival, for the turns compared, and for the choice"
        analysis = GAME.engine(level).analyse(view, limit, Random(1))
        assert len(analysis.candidates) == len(state.legal_actions())


def test_with_seconds_progress_grows_and_no_more_games_are_played_than_needed() -> None:
    state = positions(Options(), 3)[1]
    assert isinstance(state.to_act, int)
    reports: list[float] = []
    limit = Limit(seconds=3600, on_progress=reports.append)
    GAME.engine(5).choose(state.view(state.to_act), limit, Random(1))
    params = DEFAULT_PARAMS
    assert reports == sorted(reports)
    assert len(reports) == 3 * params.games_to_choose // params.batch_games


def test_with_simulations_an_analysis_is_reproducible() -> None:
    state = positions(Options(), 4)[2]
    assert isinstance(state.to_act, int)
    view = state.view(state.to_act)
    once, again = (GAME.engine(5).analyse(view, QUICK, Random(1)) for _ in range(2))
    assert once == again


# --- Entry points ----------------------------------------------------------------------------------


@pytest.mark.skipif(kernel_cache.is_disabled(), reason="nothing is compiled")
def test_known_dice_are_planned_by_a_listed_kernel() -> None:
    """`tests/test_entry_points.py` has no positions with known dice."""
    planner: Any = clearing.plan_known_throws
    state = positions(Options(players=1, dice="1-2,5-5,6-3"), 1)[0]
    GAME.engine(5).analyse(state.view(0), QUICK, Random(1))
    listed = [entry.arguments for entry in ENTRY_POINTS if entry.function is planner]
    assert listed == planner.signatures


# --- The kernels against the rules ------------------------------------------------------------------


@pytest.mark.parametrize("games", [8, pytest.param(60, marks=pytest.mark.soak)])
def test_chains_of_the_kernel_end_as_those_of_the_rules(games: int) -> None:
    """Along random games: every tile that can be flipped, with its chain."""
    for seed in range(games):
        options = Options(players=1)
        state, rng = GAME.initial_state(options), Random(seed)
        while state.to_act is not None:
            if state.to_act is not CHANCE:
                for cell in state.costs():
                    up = state.face_up[0] & ~(1 << cell)
                    remaining = up & ~sum(1 << bonus for bonus in state.chain_after(cell))
                    stars = state.open_stars(0) & up
                    assert after_chain_and_stars(up, up & ~stars, stars) == remaining
            state = state.apply(random_action(state, rng))


def test_TG_12_the_smallest_budget_is_that_of_the_rules() -> None:
    for seed in range(60):
        rng = Random(seed)
        tiles = bytes(rng.sample(Options().bag_tiles, 36))
        values = np.array([tile if tile <= MAX_NUMBER else 0 for tile in tiles], np.int64)
        up = number_mask(tiles) & rng.getrandbits(36)
        budget, paid, proven = clearing.cheapest_clearing(up, values, 1 << 20)
        assert proven
        assert budget == cheapest_clear(tiles, up) == sum(int(values[cell]) for cell in cells_of(int(paid)))


# --- Best turns, races and problems ------------------------------------------------------------------


def board_text(tiles: dict[int, str]) -> str:
    """A board with some open tiles, by cell; all others are turned over."""
    names = [tiles.get(cell, "?") for cell in range(36)]
    return "/".join(",".join(names[start : start + 6]) for start in range(0, 36, 6))


def best_tiles_and_points(state: State) -> tuple[int, int]:
    """The most tiles, and then the most points (TG-8), that any payments flip: every set is tried."""
    tiles, stars = state.open_numbers(0), state.open_stars(0)
    results = []
    for size in range(tiles.bit_count() + 1):
        for paid in combinations(cells_of(tiles), size):
            cost = sum(state.tiles[0][cell] for cell in paid)
            if cost <= state.budget_left:
                rest = tiles & ~sum(1 << cell for cell in paid)
                freed = sum(1 << cell for cell in chain(rest, stars))
                left = (rest | stars) & ~freed
                flipped = state.face_up[0] & ~left
                results.append((flipped.bit_count(), open_points(state.tiles[0], flipped)))
    return max(results)


def test_TG_8_the_best_turn_counts_25_points_for_a_star() -> None:
    """Of two turns with as many tiles, the one with the larger numbers was once preferred to a star."""
    rng = Random(8)
    for _ in range(60):
        cells = rng.sample(range(36), 9)
        numbers = rng.sample([*range(1, 13)] * 2, 6)  # the bag has two of each
        tiles = dict(zip(cells, map(str, numbers), strict=False)) | dict.fromkeys(cells[6:], "*")
        state = GAME.parse_state(f"triggery {board_text(tiles)} budget={rng.randint(2, 9)} bonus=by-hand")
        known = facts(state.to_text())["best_turn"]
        assert (known["tiles"], known["points"]) == best_tiles_and_points(state), state.to_text()


def test_TG_8_a_turn_that_clears_the_board_wins_the_race() -> None:
    """A rival whose board clears by a waiting bonus needs a throw for it; 0 % was reported here."""
    rival = board_text({0: "2", 22: "18", 23: "12", 28: "22", 29: "14", 33: "*"})
    state = GAME.parse_state(f"triggery {board_text({30: '*'})} {rival} throw=3-1 bonus=by-hand")
    analysis = GAME.engine(5).analyse(state.view(0), QUICK, Random(1))
    assert {known.key: dict(known.values) for known in analysis.facts}["race"] == {"percent": 100}


def test_TG_8_where_every_move_clears_the_board_the_race_is_won() -> None:
    """With automatic bonuses too: the chance of winning the round was simulated from the board before."""
    own = board_text({2: "3", 3: "24", 8: "5", 9: "6"})  # any of its tiles frees the others
    rival = board_text({1: "4", 2: "7", 31: "5", 32: "9"})
    state = GAME.parse_state(f"triggery {own} {rival} throw=4-3".replace("?", "-1"))
    assert all(state.apply(action).won == (1, 0) for action in state.legal_actions())
    analysis = GAME.engine(5).analyse(state, QUICK, Random(1))
    assert {known.key: dict(known.values) for known in analysis.facts}["race"] == {"percent": 100}


def test_TG_13_a_problem_in_which_nothing_can_be_turned_has_the_answer_0() -> None:
    """`solve --budget 3` once said that no seat is to act."""
    tiles = board_text({7: "9", 9: "8", 19: "7", 21: "6"})
    for text in (f"triggery {tiles} budget=3", f"triggery {tiles} {tiles} budget=3"):
        state = GAME.parse_state(text)
        assert [str(action) for action in state.legal_actions()] == ["done"]
        assert GAME.parse_state(state.to_text()) == state
        known = facts(text)
        assert (known["best_turn"]["tiles"], known["best_turn"]["cost"]) == (0, 0)
        assert "order" not in known, "an empty order"


def test_TG_12_a_plan_that_pays_for_nothing_says_so() -> None:
    """It once read "pay for ."."""
    tiles = board_text({7: "9", 9: "8", 19: "7", 21: "6"})
    state = GAME.parse_state(f"triggery {tiles} dice=1-2,6-6 throw=1-2")
    analysis = GAME.engine(5).analyse(state.view(0), QUICK, Random(1))
    sentences = [i18n.render(GAME, known) for known in analysis.facts]
    assert "Throw 1 (3): pay for nothing." in sentences
    assert not any("pay for ." in sentence for sentence in sentences)


def test_a_hint_counts_the_tiles_of_its_chain_and_of_the_whole_turn() -> None:
    """Seen in games of one player, by playing the principal variation."""
    keys = set()
    for seed in range(4):
        rng, state = Random(seed), GAME.initial_state(Options(players=1))
        while not state.outcome:
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
                continue
            view = state.view(0)
            best = GAME.engine(4).analyse(view, QUICK, Random(1)).candidates[0]
            known = {each.key: dict(each.values) for each in best.facts}
            after = state
            for action in best.pv:
                after = after.apply(action)
            flipped = (state.face_up[0] & ~after.face_up[0]).bit_count()
            if "turn" in known:
                assert known["turn"]["count"] == flipped
            if "chain" in known:
                assert 1 < int(str(known["chain"]["count"])) <= flipped
            keys |= {*known}
            state = state.apply(best.action)
    assert keys == {"turn", "chain"}


def test_TG_11_a_hint_by_hand_tells_nothing_that_depends_on_a_chain() -> None:
    """The sentence "The whole turn: 3 tiles for 3." told of two free tiles; so did plans, and where a
    principal variation ended."""
    keys = set()
    for options in ("bonus=by-hand", "players=1 bonus=by-hand", "players=1 bonus=by-hand dice=1-2,5-6,6-6"):
        rng, state = Random(3), GAME.initial_state(Options.parse(options))
        while not state.outcome and len(state.sheet) < 12:
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
                continue
            assert isinstance(state.to_act, int)
            view = state.view(state.to_act)
            analysis = GAME.engine(5).analyse(view, Limit(simulations=1), rng)
            hint = view.hint(analysis)
            keys |= {known.key for known in hint.facts}
            keys |= {known.key for candidate in hint.candidates for known in candidate.facts}
            assert hint.candidates[0].facts[0] == fact("TG-6", HINT_EXCEPTION), (
                "the rest is true apart from it"
            )
            assert all(candidate.pv == (candidate.action,) for candidate in hint.candidates)
            assert {candidate.action for candidate in hint.candidates} == {*view.offered_actions()}
            state = state.apply(analysis.candidates[0].action)
    assert keys == {"race", "throws_left", HINT_EXCEPTION}


@pytest.mark.parametrize("options", ["players=1", "players=2", "players=1 bonus=by-hand", "bonus=by-hand"])
def test_no_level_makes_a_laughable_move(options: str) -> None:
    """Even a beginner does not end a turn while a tile can be paid for.

    Level 1 overlooks free tiles and forgotten lines by hand, as its description says; no other level does.
    """
    overlooked = set()
    for seed in range(2):
        rng, state = Random(seed), GAME.initial_state(Options.parse(options))
        while not state.outcome and len(state.sheet) < 25:
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
                continue
            assert isinstance(state.to_act, int)
            view = state.view(state.to_act)
            chosen: Action = Done()
            for level in GAME.levels:
                chosen = GAME.engine(level).choose(view, Limit(simulations=1), rng).action
                assert chosen in view.legal_actions()
                if isinstance(chosen, Done):
                    assert not [cost for cost in view.costs().values() if cost]
                    overlooked |= {level} if view.costs() or view.claims() else set()
            state = state.apply(chosen)
    assert overlooked <= {1}
