"""The engine: strength of the levels, stops and progress, and the completeness of results."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from tripot.engine import budget
from tripot.game import CHANCE, Candidate, Limit
from tripot.games.trippples import GAME, perfect_play
from tripot.games.trippples.actions import Action, Move
from tripot.games.trippples.board import HIDDEN_TILE
from tripot.games.trippples.kernel.results import ResultKind, immediate_facts
from tripot.games.trippples.kernel.tablebase import position_index, solve_layout
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State
from tripot.testing import random_action

QUICK = Limit(simulations=30)


def laid(options: Options, seed: int) -> State:
    state, rng = GAME.initial_state(options), Random(seed)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    return state


def play(state: State, levels: tuple[int, ...], seed: int, limit: Limit = QUICK) -> State:
    """To the end, each seat at its level; level 0 moves at random."""
    rng = Random(seed)
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(rng)
        elif level := levels[state.to_act]:
            action = GAME.engine(level).choose(state.view(state.to_act), limit, rng).action
        else:
            action = rng.choice(state.legal_actions())
        state = state.apply(action)
    return state


@pytest.mark.parametrize("text", ["", "neutral=wild", "corners=inset finish=centre"])
@pytest.mark.parametrize("layouts", [5, pytest.param(30, marks=pytest.mark.soak)])
def test_the_top_level_never_loses_a_position_that_is_not_lost(text: str, layouts: int) -> None:
    """It wins won positions and does not lose drawn ones, against any opponent."""
    rng = Random(text)
    for seed in range(layouts):
        state = laid(Options.parse(text), seed)
        for _ in range(rng.randrange(12)):
            after = state.apply(rng.choice(state.legal_actions()))
            state = after if after.to_act is not None else state
        table, seat = solve_layout(state.tiles, state.options), rng.choice((0, 1))
        rank = table.result_rank(position_index(state))
        rank = rank if seat == state.turn else rank.for_other_side()
        other = rng.choice((0, 1, 3, 6))
        ended = play(state, (6, other) if seat == 0 else (other, 6), seed)
        assert ended.outcome is not None
        if rank.score >= 0:
            assert ended.outcome.scores[seat] >= (rank.kind == ResultKind.WIN), state.to_text()


def fresh_positions(options: Options, seeds: range) -> list[tuple[State, int]]:
    """Positions that are drawn without TP-7 and won with it, with their winners."""
    positions_won = []
    for seed in seeds:
        state = laid(options, seed)
        table = solve_layout(state.tiles, options)
        for key, plies in perfect_play.solve(state.tiles, options).items():
            there = State(options, state.tiles, key[:2], key[2])
            rank = int(table.indirect[position_index(there)])
            if rank and not plies and not table.play[position_index(there)]:
                positions_won.append((there, there.turn if rank > 0 else 1 - there.turn))
    return positions_won


def test_TP_7_the_top_level_wins_by_repetition() -> None:
    """Against a perfect defender, level 5 and a random opponent."""
    cases = fresh_positions(Options(), range(3))
    assert len(cases) > 20
    ends = set()
    for index, (state, winner) in enumerate(Random(1).sample(cases, 20)):
        other = (6, 5, 0)[index % 3]
        ended = play(state, (6, other) if winner == 0 else (other, 6), index)
        assert ended.outcome is not None
        assert ended.outcome.winners == (winner,), state.to_text()
        ends.add(ended.outcome.reason.key)
    assert "indirect" in ends


@pytest.mark.parametrize("layouts", [25, pytest.param(100, marks=pytest.mark.soak)])
def test_TP_8_the_top_level_announces_a_freeze(layouts: int) -> None:
    options, called = Options(), 0
    for seed in range(layouts):
        state = laid(options, seed)
        for _ in range(15):
            freezes = [move for move in state.legal_actions() if isinstance(move, Move) and move.freeze]
            if freezes:
                chosen = GAME.engine(6).choose(state, QUICK, Random(seed))
                assert chosen.value == 1.0
                called += chosen.action in freezes
            after = state.apply(Random(seed).choice(state.legal_actions()))
            if after.to_act is None:
                break
            state = after
    assert called


@pytest.mark.parametrize("seeds", [range(2, 7), pytest.param(range(30), marks=pytest.mark.soak)], ids=str)
def test_each_level_is_stronger_than_the_one_below(seeds: range) -> None:
    """Over the same layouts with seats exchanged, each level scores more against the one below.

    Without TP-7: `perfect_play.solve` takes half a second per layout.
    """
    options = Options(indirect=False)
    for level in GAME.levels[1:]:
        score = 0
        for seed in seeds:
            for seat in (0, 1):
                levels = (level, level - 1) if seat == 0 else (level - 1, level)
                outcome = play(laid(options, seed), levels, seed).outcome
                assert outcome is not None
                score += outcome.scores[seat]
        assert score > 0, f"level {level} against {level - 1}: {score}"


@pytest.mark.parametrize("text", ["", "tiles=face-down", "players=4"])
def test_no_level_overlooks_a_win_in_one_move(text: str) -> None:
    """Random moves of level 1 once did, which even a beginner does not."""
    options, wins = Options.parse(text), 0
    for seed in range(20):
        state, rng = laid(options, seed), Random(seed)
        for _ in range(200):
            if state.to_act is None:
                break
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
                continue
            view = state.view(state.to_act)
            winning = {move for move in view.legal_actions() if immediate_facts(view, move)}
            for level in GAME.levels if winning else ():
                assert GAME.engine(level).choose(view, Limit(simulations=1), rng).action in winning
            if winning:
                wins += 1
                break
            state = state.apply(rng.choice(state.legal_actions()))
    assert wins


def test_TP_1_tiles_are_laid_by_valuing_completions() -> None:
    """The squares differ in value after enough random completions."""
    state = GAME.initial_state(Options(layout="drafted"))
    rng = Random(4)
    for _ in range(104):
        action = random_action(state, rng)
        state = state.apply(action)
    state = state.apply(state.sample_chance(rng)) if state.to_act is CHANCE else state
    analysis = GAME.engine(6).analyse(state, Limit(simulations=300), rng)
    assert analysis.facts[0].key == "drafted"
    assert analysis.candidates[0].value > analysis.candidates[-1].value


@pytest.mark.parametrize("layouts", [3, pytest.param(20, marks=pytest.mark.soak)])
def test_TP_11_determinizations_of_hidden_tiles_are_solved(layouts: int) -> None:
    options = Options(tiles="face-down", zone="random")
    for seed in range(layouts):
        assert play(laid(options, seed), (6, 1), seed).outcome is not None
    view = laid(options, 1).view(0)
    analysis = GAME.engine(6).analyse(view, QUICK, Random(1))
    assert dict(analysis.facts[0].values)["count"] == 30


def test_a_stop_ends_a_search_after_the_current_determinization() -> None:
    view = laid(Options(tiles="face-down", zone="random"), 1).view(0)
    for limit in (
        Limit(seconds=3600, should_stop=lambda: True),
        Limit(simulations=30, should_stop=lambda: True),
    ):
        analysis = GAME.engine(6).analyse(view, limit, Random(1))
        assert dict(analysis.facts[0].values)["count"] == 1


SEARCHES = {
    "hidden": ("tiles=face-down zone=random", 6),
    "laying": ("layout=drafted", 6),
    "team": ("players=4", 5),
    "hidden_team": ("players=4 tiles=face-down", 6),
}


def first_decision(options: Options) -> State:
    state = laid(options, 1)
    assert isinstance(state.to_act, int)
    return state.view(state.to_act)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_reports_progress_and_the_best_move_so_far(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, level = SEARCHES[name]
    view = first_decision(Options.parse(text))
    monkeypatch.setattr(budget, "INFO_INTERVAL", 0.0)
    shares: list[float] = []
    best: list[Candidate] = []
    limit = Limit(simulations=30, on_progress=shares.append, on_best=best.append)
    GAME.engine(level).analyse(view, limit, Random(1))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert best
    assert {candidate.action for candidate in best} <= {*view.legal_actions()}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_returns_all_moves_when_it_is_stopped(name: str) -> None:
    text, level = SEARCHES[name]
    view = first_decision(Options.parse(text))
    shares: list[float] = []
    limit = Limit(seconds=3600, on_progress=shares.append, should_stop=lambda: True)
    analysis = GAME.engine(level).analyse(view, limit, Random(1))
    assert {candidate.action for candidate in analysis.candidates} == {*view.legal_actions()}
    assert len(shares) == 1


def has_reported(shares: list[float], count: int) -> bool:
    return len(shares) >= count


def test_a_stopped_team_search_names_the_depth_that_it_completed() -> None:
    view = first_decision(Options(players=4))
    moves = len(view.legal_actions())
    for searched, plies in ((1, 1), (moves - 1, 1), (moves, 2), (2 * moves, 3)):
        shares: list[float] = []
        stop = partial(has_reported, shares, searched)
        limit = Limit(seconds=3600, on_progress=shares.append, should_stop=stop)
        analysis = GAME.engine(5).analyse(view, limit, Random(1))
        assert dict(analysis.facts[0].values)["plies"] == plies
    full = GAME.engine(5).analyse(view, Limit(simulations=1), Random(1))
    assert dict(full.facts[0].values)["plies"] == 4


def test_TP_13_the_top_level_solves_the_team_game() -> None:
    """From a position that is won for a team it wins, against any opponents."""
    state = laid(Options(players=4), 1)
    shares: list[float] = []
    analysis = GAME.engine(6).analyse(state, Limit(seconds=1000, on_progress=shares.append), Random(0))
    assert shares[-1] == 1.0
    assert analysis.facts[0].key == "team_win"
    for seed in range(2):
        ended = play(state, (6, 5, 6, 0), seed, Limit(seconds=1000))  # the solution is complete
        assert ended.outcome is not None
        assert ended.outcome.winners == (0, 2)


@pytest.mark.parametrize("interval", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_TP_13_a_search_states_the_wins_and_losses_that_it_proves(interval: int) -> None:
    """Near the end of a game. They agree with the exact solution, distances included."""
    proved = 0
    for view in positions("players=4", 1000, seed=1)[-12::interval]:  # the layout that the test above solves
        solution = GAME.engine(6).analyse(view, Limit(seconds=1000), Random(0))
        exact = {solved.action: solved for solved in solution.candidates}
        for candidate in GAME.engine(5).analyse(view, QUICK, Random(0)).candidates:
            if candidate.facts:
                assert candidate.facts == exact[candidate.action].facts
                proved += 1
    assert proved


# --- Results ---------------------------------------------------------------------------------------

KINDS = ("", "tiles=face-down", "layout=drafted", "players=4", "players=4 tiles=face-down", "zone=chosen")


def check_candidate(view: State, candidate: Candidate) -> None:
    """A candidate has an outcome that agrees with its value, and a line that can be played."""
    expected = candidate.expected
    assert expected is not None
    assert 0 <= expected.win_rate <= 1
    assert expected.scores == ()  # the game is only won or lost
    if HIDDEN_TILE not in view.tiles:  # otherwise near results count more in the value
        assert expected.win_rate == (1 + candidate.value) / 2
    assert candidate.pv[0] == candidate.action
    state = view
    for action in candidate.pv if len(candidate.pv) > 1 else ():
        assert action in state.legal_actions()
        state = state.apply(action)


def positions(text: str, count: int, seed: int = 2) -> list[State]:
    """Views of the seat to act along a random game."""
    state, rng = laid(Options.parse(text), seed), Random(2)
    views: list[State] = []
    while state.to_act is not None and len(views) < count:
        if isinstance(state.to_act, int):
            views.append(state.view(state.to_act))
            state = state.apply(rng.choice(state.legal_actions()))
        else:
            state = state.apply(state.sample_chance(rng))
    return views


@pytest.mark.parametrize("text", KINDS)
def test_every_level_fills_all_fields_of_its_candidates(text: str) -> None:
    limit = Limit(simulations=3)
    for index, view in enumerate(positions(text, 10)):
        level = 1 + index % 6
        check_candidate(view, GAME.engine(level).choose(view, limit, Random(index)))
        for candidate in GAME.engine(level).analyse(view, limit, Random(index)).candidates:
            check_candidate(view, candidate)


def test_a_choice_has_all_fields_of_the_best_candidate() -> None:
    for seed, view in enumerate(positions("", 6)):
        best = GAME.engine(6).analyse(view, QUICK, Random(seed)).candidates[0]
        assert GAME.engine(6).choose(view, QUICK, Random(seed)) == best
        assert best.facts


def test_levels_with_a_horizon_do_not_call_a_position_drawn() -> None:
    """They once stated a draw as a fact wherever they saw neither a win nor a loss."""
    for view in positions("", 12):
        exact = {
            solved.action: solved for solved in GAME.engine(6).analyse(view, QUICK, Random(0)).candidates
        }
        for candidate in GAME.engine(2).analyse(view, QUICK, Random(0)).candidates:
            assert {*candidate.facts} <= {*exact[candidate.action].facts}
            assert "draw" not in {known.key for known in candidate.facts}


def test_the_only_move_that_wins_or_does_not_lose_is_called_so() -> None:
    only_moves = 0
    for seed in range(6):
        for view in positions("", 30, seed):
            best, *others = GAME.engine(6).analyse(view, QUICK, Random(0)).candidates
            keys = {known.key for known in best.facts} & {"only_win", "only_draw"}
            is_only = bool(others) and others[0].value < best.value
            assert keys == ({"only_win" if best.value > 0 else "only_draw"} if is_only else set())
            only_moves += is_only
    assert only_moves


def test_level_2_does_not_let_the_opponent_win_with_the_next_move() -> None:
    """What its description says of games of two with open tiles."""
    avoided = 0
    for seed in range(30):
        state, rng = laid(Options(indirect=False), seed), Random(seed)
        while state.to_act is not None:
            safe = {move for move in state.legal_actions() if not loses_at_once(state, move)}
            if 0 < len(safe) < len(state.legal_actions()):
                assert GAME.engine(2).choose(state.view(state.turn), QUICK, rng).action in safe
                avoided += 1
            state = state.apply(rng.choice(state.legal_actions()))
    assert avoided > 20


def loses_at_once(state: State, move: Action) -> bool:
    after = state.apply(move)
    if after.outcome or after.turn == state.turn:
        return False
    return any(immediate_facts(after, reply) for reply in after.legal_actions())
