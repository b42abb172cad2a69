"""The computer players of Triggery: better by level, exact where they can be, and never peeking."""

from __future__ import annotations

from random import Random
from statistics import fmean

import numpy as np
import pytest

from tripot.game import CHANCE, Limit, Outcome
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Options
from tripot.games.triggery.board import MAX_NUMBER, cells_of, cheapest_clear, number_mask
from tripot.games.triggery.kernel import chains, clearing
from tripot.games.triggery.rules import State
from tripot.testing import random_action

QUICK = Limit(simulations=30)
GOLDEN = "triggery 20,?,?,16,?,?/1,?,2,?,?,24/?,?,?,*,?,?/15,?,9,?,?,*/?,?,?,?,?,?/12,?,?,10,?,18 players=1"


def play(options: Options, levels: tuple[int, ...], seed: int) -> State:
    """To the end; chance is the same whatever the levels do, throw by throw."""
    state, dice, thinking = GAME.initial_state(options), Random(seed), Random(seed + 1)
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(dice)
        else:
            view = state.view(state.to_act)
            action = GAME.engine(levels[state.to_act]).choose(view, QUICK, thinking).action
        state = state.apply(action)
    return state


def ending(state: State) -> Outcome:
    """How a game that is over ended."""
    assert state.outcome is not None
    return state.outcome


def facts(text: str) -> dict[str, dict[str, str | int]]:
    """What is known of a position where a player alone is to turn tiles, by key."""
    state = GAME.parse_state(text)
    while len(certain := state.chance_outcomes()) == 1:
        state = state.apply(certain[0][0])
    analysis = GAME.engine(5).analyse(state.view(0), QUICK, Random(1))
    return {each.key: dict(each.values) for each in analysis.facts}


@pytest.mark.parametrize(("budget", "tiles"), [(1, 1), (2, 4), (3, 12)])
def test_TG_13_the_best_turn_of_the_golden_grid(budget: int, tiles: int) -> None:  # noqa: N802
    known = facts(f"{GOLDEN} budget={budget}")
    assert known["best_turn"]["tiles"] == tiles
    assert known["clears"]["cost"] == 3
    assert "proven" in known


def test_TG_13_the_chain_is_told_in_an_order_in_which_it_can_be_turned() -> None:  # noqa: N802
    """By hand every tile is turned by the player, so the rules check the order."""
    order = str(facts(f"{GOLDEN} budget=3")["order"]["cells"]).split()
    assert len(order) == 12
    state = GAME.parse_state(f"{GOLDEN} budget=3 bonus=by-hand")
    for cell in order[:-1]:
        state = state.apply(GAME.parse_action(f"turn {cell}"))
    assert state.legal_actions() == (GAME.parse_action(f"turn {order[-1]}"), GAME.parse_action("done"))


def test_TG_12_a_known_row_of_dice_is_planned_to_the_end() -> None:  # noqa: N802
    known = facts(f"{GOLDEN} dice=1-1,4-4")
    assert known["plan"] == {"throws": 1, "points": 3}
    assert "plan_proven" in known
    assert facts(f"{GOLDEN} dice=1-2")["plan"] == {"throws": 1, "points": 3}


def test_TG_12_whoever_follows_the_plan_gets_what_it_promises() -> None:  # noqa: N802
    for seed in range(3):
        rng = Random(seed)
        dice = ",".join(f"{rng.randint(1, 6)}-{rng.randint(1, 6)}" for _ in range(30))
        state = GAME.initial_state(Options(players=1, dice=dice))
        state = state.apply(state.sample_chance(rng))
        state = state.apply(state.sample_chance(rng))
        engine = GAME.engine(5)
        promised = {each.key: dict(each.values) for each in engine.analyse(state.view(0), QUICK, rng).facts}
        while state.to_act is not None:
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
            else:
                state = state.apply(engine.choose(state.view(0), QUICK, rng).action)
        assert state.outcome is not None
        reached = dict(state.outcome.reason.values)
        plan = promised["plan"]
        assert (reached["throws"], reached["points"]) <= (plan["throws"], plan["points"])
        if "plan_proven" in promised:
            assert reached == plan


def test_alone_each_level_takes_fewer_throws() -> None:
    alone = Options(players=1)
    throws = {
        level: fmean(-ending(play(alone, (level,), seed)).scores[0] for seed in range(12))
        for level in (1, 2, 3, 4)
    }
    assert throws[1] > throws[2] > throws[4]
    assert throws[3] > throws[4]


def test_racing_beats_most_tiles_now() -> None:
    """Level 5 against level 3 on the same boards and dice, sides exchanged: more games are won."""
    won = 0
    for seed in range(10):
        for levels in ((5, 3), (3, 5)):
            winners = ending(play(Options(), levels, seed)).winners
            won += sum((1 if levels[seat] == 5 else -1 for seat in winners), 0)
    assert won > 0


@pytest.mark.parametrize("players", [3, 4])
def test_TG_10_teams_of_bots_play_to_the_end(players: int) -> None:  # noqa: N802
    assert play(Options(players=players), (4, 2, 4, 2)[:players], 1).outcome is not None


def test_TG_7_by_hand_forgotten_bonuses_are_pointed_at() -> None:  # noqa: N802
    """A beginner forgets some, and whoever plays better points at them."""
    state, dice, thinking = GAME.initial_state(Options(bonus="by-hand")), Random(3), Random(4)
    pointed = 0
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(dice)
        else:
            view = state.view(state.to_act)
            action = GAME.engine((1, 4)[state.to_act]).choose(view, QUICK, thinking).action
            pointed += str(action).startswith("malus") and state.to_act == 1
        state = state.apply(action)
    assert pointed


# --- The kernel against the rules ------------------------------------------------------------------


def test_chains_of_the_kernel_end_as_those_of_the_rules() -> None:
    """Along random games: every tile that can be turned, with all that it sets off."""
    for seed in range(15):
        options = Options(players=1)
        state, rng = GAME.initial_state(options), Random(seed)
        while state.to_act is not None:
            if state.to_act is not CHANCE:
                for cell in state.costs():
                    up = state.face_up[0] & ~(1 << cell)
                    left = up & ~sum(1 << each for each in state.chain_after(cell))
                    stars = state.open_stars(0) & up
                    assert chains.after_chain_and_stars(up, up & ~stars, stars) == left
            state = state.apply(random_action(state, rng))


def test_TG_12_the_smallest_budget_is_that_of_the_rules() -> None:  # noqa: N802
    for seed in range(60):
        rng = Random(seed)
        tiles = bytes(rng.sample(Options().bag_tiles, 36))
        values = np.array([tile if tile <= MAX_NUMBER else 0 for tile in tiles], np.int64)
        up = number_mask(tiles) & rng.getrandbits(36)
        budget, bill, proven = clearing.cheapest_clearing(up, values, 1 << 20)
        assert proven
        assert budget == cheapest_clear(tiles, up) == sum(int(values[cell]) for cell in cells_of(int(bill)))
