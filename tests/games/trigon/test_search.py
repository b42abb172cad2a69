"""The search: what it looks at and plays out is legal, what it weighs is what it says, budgets are kept."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.games.trigon.moves import placements

import tripot
from tripot.game import Candidate, Limit
from tripot.games.trigon.board import CELL_INDEX, COLOURS, GRID, cells_of, edge_neighbours
from tripot.games.trigon.engine import TreeSearch, distance_maps, load_weights
from tripot.games.trigon.kernel import compact_bits, features, placement_bits, playout, value
from tripot.games.trigon.kernel import position as position_module
from tripot.games.trigon.kernel.search import (
    PLAYOUT_PARAMS,
    SEARCH_PARAMS,
    STATS_COUNT,
    STATS_SCORES,
    STATS_WINS,
    Tree,
    compute_rewards,
    root_value_weight,
)
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GAME = tripot.get_game("trigon")
VARIANTS = ["", "contact=corners", "players=3", "players=2", "players=2 contact=corners", "teams=on"]
PAIRS, ALONE = np.array([0, 1, 0, 1]), np.array([0, 1, 2, 3])


def begun(text: str, rng: Random, moves: int = 0) -> State:
    """A state some random moves into a game; large pieces, as people play."""
    state = initial_state(Options.parse(text))
    if not isinstance(state.to_act, int):
        state = state.apply(state.sample_chance(rng))
    for _ in range(moves):
        if state.to_act is None:
            break
        legal = placements(state)
        largest = max(len(move.cells) for move in legal)
        state = state.apply(rng.choice([move for move in legal if len(move.cells) == largest]))
    return state


def searched(state: State, simulations: int) -> Tree:
    """The tree after a search from nothing."""
    search = TreeSearch()
    search.set_position(state)
    assert search.run(Limit(simulations=simulations), None, Random(1)) == simulations
    return search.tree


def legal_moves(position: position_module.Position, colour: int) -> set[int]:
    """From scratch, so that nothing that is remembered can be wrong."""
    fresh = position_module.clone(position)
    for each in range(4):
        fresh.counters[position_module.MOVE_COUNT, each] = fresh.counters[
            position_module.ATTACH_SCANNED, each
        ] = 0
        fresh.cell_flags[:] &= 0xFFFF ^ (position_module.LISTED << each)
    return {int(move) for move in position_module.legal_moves(fresh, colour)}


def left_on(position: position_module.Position, few: bool = False) -> compact_bits.AvailableMoves:
    """What is left in a position; with numbered places where they are few."""
    left = compact_bits.AvailableMoves(placement_bits.new_placement_bits(), compact_bits.new_compact_bits())
    if few:
        compact_bits.init_available_moves(position, left)
    else:
        placement_bits.init_placement_bits(position, left.bits)
    return left


@pytest.mark.parametrize("text", VARIANTS)
def test_every_move_of_a_playout_is_legal_and_nobody_passes_who_could_move(text: str) -> None:
    rng = Random(text)
    for seed in range(3):
        state = begun(text, rng, moves=rng.randrange(30))
        position, heat, random = (
            position_module.from_state(state),
            playout.new_playout_state(),
            position_module.new_xorshift64(seed),
        )
        left = left_on(position, few=bool(seed))
        out, turn = (
            position.status[position_module.BLOCKED] | 0xF & ~position.status[position_module.IN_PLAY],
            state.turn,
        )
        while out != 0xF:
            if not out >> turn & 1:
                foes = 0xF & ~(0b101 << turn % 2 if state.options.is_paired else 1 << turn)
                legal = legal_moves(position, turn)
                if position.counters[position_module.PIECES_LEFT, turn] == position_module.ALL_PIECES:
                    placement_bits.attach_start_placements(position, left.bits, turn)
                move = playout.pick_move(position, left, turn, foes, PLAYOUT_PARAMS, heat, random)
                if move < 0:
                    assert not legal
                    out |= 1 << turn
                else:
                    assert move in legal
                    compact_bits.play_move(position, left, turn, move)
                    playout.append_history(heat, turn, move)
            turn = (turn + 1) % 4


@pytest.mark.parametrize("text", VARIANTS)
def test_the_sum_of_the_features_is_what_the_search_goes_by(text: str) -> None:
    rng = Random(text)
    weights, x, room = (
        load_weights(pairs=True)[0],
        np.zeros(features.FEATURE_COUNT),
        features.new_cell_workspace(),
    )
    for moves in (0, 9, 30):
        state = begun(text, rng, moves)
        if state.to_act is None:
            continue
        position, colour = position_module.from_state(state), state.turn
        for sides in (PAIRS, ALONE):
            friends = features.team_mask(colour, sides)
            own = weights[features.stage(position, colour)]
            features.compute_cell_features(position, colour, friends, room)
            features.compute_cell_weights(position, colour, friends, own, room)
            for move in rng.sample(sorted(legal_moves(position, colour)), 5):
                features.move_features(position, colour, friends, move, room, x)
                said = features.move_logit(position, friends, move, own, room)
                assert said == pytest.approx(float(own @ x))


@pytest.mark.parametrize("text", VARIANTS)
def test_the_tree_begins_with_legal_moves_and_counts_its_simulations(text: str) -> None:
    state = begun(text, Random(text), moves=8)
    tree = searched(state, 300)
    first, number = tree.first_child[0], tree.child_count[0]
    looked_at = [position_module.decode_move(int(move)) for move in tree.move[first : first + number]]
    assert len(looked_at) == len({*looked_at}) > 0
    assert {*looked_at} <= {move.cells for move in placements(state)}
    assert tree.visits[0] == 300 == tree.visits[first : first + number].sum()
    assert np.isclose(tree.prior[first : first + number].sum(), 1)
    values = tree.value_sum[first : first + number][tree.visits[first : first + number] > 0]
    assert (values >= 0).all()


@pytest.mark.parametrize("text", VARIANTS)
def test_moves_of_the_position_itself_are_guessed_by_what_they_lead_to(text: str) -> None:
    state = begun(text, Random(text), moves=10)
    tree, (weights, values), room = (
        searched(state, 1),
        load_weights(state.options.is_paired),
        features.new_cell_workspace(),
    )
    position, colour, settings = position_module.from_state(state), state.turn, SEARCH_PARAMS
    sides = PAIRS if state.options.is_paired else ALONE
    moves = tree.move[tree.first_child[0] : tree.first_child[0] + tree.child_count[0]]
    glances = features.move_logits(position, colour, sides, moves, weights, room)
    wanted, scores, got, won = [], np.zeros(4), np.zeros(4), np.zeros(4)
    for move, glance in zip(moves, glances - glances.max(), strict=True):
        after = position_module.clone(position)
        position_module.place_piece(after, colour, move)
        unsure = value.predict_scores(after, (colour + 1) % 4, values, room, scores)
        compute_rewards(scores, after.status[position_module.IN_PLAY], sides, unsure, settings, got, won)
        sure = settings[root_value_weight]
        wanted.append(sure * got[colour] + (1 - sure) * glance)
    guesses = tree.prior_value[tree.first_child[0] : tree.first_child[0] + tree.child_count[0]]
    assert guesses == pytest.approx(np.array(wanted) - max(wanted), abs=1e-5)


def test_what_is_played_soon_in_a_simulation_raises_more_hope_than_what_comes_late() -> None:
    """One simulation: blue's moves in it are hoped for in the order in which it played them."""
    state = begun("players=2", Random(3), moves=40)
    search = TreeSearch()
    search.set_position(state)
    search.run(Limit(simulations=1), None, Random(1))
    heat, met = search.workspaces[0].playout_state, search.tree.rave_visits
    own = [
        int(heat.history_moves[at])
        for at in range(heat.history_length[0])
        if heat.history_colours[at] == state.turn
    ]
    row = {int(search.tree.move[row]): row for row in search.moves}
    hopes = [float(met[row[move]]) for move in own if move in row]
    assert len(hopes) > 1
    assert hopes == sorted(hopes, reverse=True)
    assert hopes[0] == 1.0
    assert np.count_nonzero(met[search.moves.start : search.moves.stop]) == len(hopes)


def test_a_playout_covers_the_cells_to_which_a_foe_just_attached() -> None:
    """Blue has moved: of yellow's largest pieces one is played that takes most of blue's new cells."""
    plan = PLAYOUT_PARAMS.copy()
    plan[playout.noise_weight] = 0
    for seed in range(5):
        state, heat = begun("players=2", Random(seed), moves=24), playout.new_playout_state()
        last = max(placements(state), key=lambda move: len(move.cells))
        position, foe = position_module.from_state(state), state.turn
        position_module.place_piece(position, foe, position_module.encode_move(last.cells))
        playout.append_history(heat, foe, position_module.encode_move(last.cells))
        latest = position.attach_cells[
            foe,
            position.counters[position_module.LAST_ATTACH_START, foe] : position.counters[
                position_module.ATTACH_COUNT, foe
            ],
        ]
        colour = state.apply(last).turn
        counts = dict[int, int]()
        for move in legal_moves(position, colour):
            cells = [cell + position_module.MARGIN for cell in position_module.decode_move(move)]
            hot = [cell for cell in cells if cell in latest]
            twice = sum(bool(position.cell_flags[cell] & position_module.ATTACH << colour) for cell in hot)
            counts[move] = len(cells) + plan[playout.local_weight] * (len(hot) + twice)
        left, random = left_on(position, few=seed % 2 > 0), position_module.new_xorshift64(seed)
        chosen = playout.pick_move(position, left, colour, 1 << foe, plan, heat, random)
        assert counts[chosen] == max(counts.values())
        assert (position.cell_flags <= playout.FLAGS_MASK).all(), "nothing stays hot"


@pytest.mark.parametrize("text", VARIANTS)
def test_no_move_counts_more_than_the_one_that_a_playout_picks(text: str) -> None:
    """Most moves are not even looked at; here all are. Chance is left out."""
    rng, plan = Random(text), PLAYOUT_PARAMS.copy()
    plan[playout.noise_weight] = 0
    state, heat = begun(text, rng), playout.new_playout_state()
    position, friends = position_module.from_state(state), 0b101 if state.options.is_paired else 1
    left, random = left_on(position), position_module.new_xorshift64(7)
    while state.to_act is not None:
        turn = state.turn
        if rng.randrange(8) == 0:
            position.status[position_module.BLOCKED] = state.blocked
            left = left_on(position, few=True)
        if position.counters[position_module.PIECES_LEFT, turn] == position_module.ALL_PIECES:
            placement_bits.attach_start_placements(position, left.bits, turn)
        foes = position.status[position_module.IN_PLAY] & ~(
            friends << turn % 2 if state.options.is_paired else 1 << turn
        )
        same = position_module.clone(position)
        playout._mark_local_cells(same, turn, foes, plan[playout.local_history], heat)
        counts = dict[int, int]()
        for move in legal_moves(position, turn):
            cells = np.array(position_module.decode_move(move)) + position_module.MARGIN
            heats = int((same.cell_flags[cells] >> position_module.LOCAL_SHIFT).sum())
            counts[move] = len(cells) * plan[playout.size_weight] + heats * plan[playout.local_weight]
        chosen = playout.pick_move(position, left, turn, foes, plan, heat, random)
        assert counts[chosen] == max(counts.values())
        action = next(each for each in placements(state) if position_module.encode_move(each.cells) == chosen)
        compact_bits.play_move(position, left, turn, chosen)
        playout.append_history(heat, turn, chosen)
        state = state.apply(action)


@pytest.mark.parametrize("few", [False, True])
def test_chance_among_moves_that_do_not_block_is_as_if_drawn_for_each(few: bool) -> None:
    """A number is drawn for a size, and then one of its moves: what comes of it must be the same."""
    rng, heat, plan = Random(5), playout.new_playout_state(), PLAYOUT_PARAMS
    state = begun("players=2", rng, moves=52)
    position, random, draws = position_module.from_state(state), position_module.new_xorshift64(3), 20_000
    left, moves = left_on(position, few), sorted(legal_moves(position, state.turn))
    assert bool(left.compact.word_count[0]) == few
    sizes = np.array([len(position_module.decode_move(move)) for move in moves])
    assert len({*sizes}) > 2, "a choice of pieces"
    each = np.random.default_rng(1).random((draws, len(moves))) * plan[playout.noise_weight]
    expected = np.bincount((sizes * plan[playout.size_weight] + each).argmax(1), minlength=len(moves))
    picked = np.zeros(len(moves))
    for _ in range(draws):
        picked[moves.index(playout.pick_move(position, left, state.turn, 0, plan, heat, random))] += 1
    assert np.abs(picked - expected).sum() / (2 * draws) < 0.05


def test_rewards_of_a_finished_game_go_to_the_winners() -> None:
    got, won, settings = np.zeros(4), np.zeros(4), SEARCH_PARAMS
    compute_rewards(np.array([-3.0, -20, -9, 15]), 0xF, PAIRS, 0.0, settings, got, won)
    assert got[1] == got[3] > 0.5 > got[0] == got[2]
    assert won.tolist() == [0, 1, 0, 1]
    compute_rewards(np.array([-3.0, -20, -9, 15]), 0xF, ALONE, 0.0, settings, got, won)
    assert got.argmax() == 3
    compute_rewards(np.array([5.0, 0, 5, 0]), 0b0101, ALONE, 0.0, settings, got, won)
    assert got[0] == got[2] == won[0] == won[2] == 0.5


def test_who_is_out_comes_nowhere_and_keeps_what_is_left() -> None:
    state = begun("players=2", Random(5), moves=200)
    assert state.outcome
    position, room = position_module.from_state(state), features.new_cell_workspace()
    assert value.value_features(position, 0, room, room.value_rows, room.stock_features) == 0
    for colour in range(4):
        assert room.stock_features[colour, value.TRIANGLES_LEFT] == -min(0, state.score(colour))
        assert room.stock_features[colour, value.IS_BLOCKED] == 1


def test_the_last_good_reply_is_played_again_while_it_is_legal_and_did_well() -> None:
    """Yellow answered blue's move well: so it answers again, until that is not legal, or went badly."""
    state, heat = begun("players=2", Random(2)), playout.new_playout_state()
    position = position_module.from_state(state)
    asked = int(position_module.legal_moves(position, 0)[0])
    position_module.place_piece(position, 0, asked)
    answer = int(position_module.legal_moves(position, 1)[-1])
    for colour, move in ((0, asked), (1, answer)):
        playout.append_history(heat, colour, move)
    playout.update_replies(heat, np.array([0.1, 0.9, 0.1, 0.9]))
    heat.history_length[0] = 1
    assert playout.last_good_reply(heat, position, 1) == answer
    closed = position_module.clone(position)
    position_module.place_piece(closed, 2, answer)
    position_module.add_start_cells(closed, 1)
    assert playout.last_good_reply(heat, closed, 1) == -1
    heat.history_length[0] = 2
    playout.update_replies(heat, np.array([0.9, 0.1, 0.9, 0.1]))
    heat.history_length[0] = 1
    assert playout.last_good_reply(heat, position, 1) == -1


def sifted(position: position_module.Position, turn: int) -> tuple[NDArray[np.int32], list[int]]:
    """The legal moves of a colour, and those of them that are worth a thought."""
    legal, into = (
        position_module.legal_moves(position, turn).copy(),
        np.zeros(position_module.MAX_MOVES, np.int32),
    )
    return legal, into[: features.prune_opening_moves(position, turn, legal, into)].tolist()


@pytest.mark.parametrize("text", VARIANTS)
def test_openings_are_sifted_and_something_is_always_left(text: str) -> None:
    rng = Random(text)
    for moves in (0, 3, 10, 25, 50):
        state = begun(text, rng, moves)
        if state.to_act is None:
            continue
        position = position_module.from_state(state)
        legal, kept = sifted(position, state.turn)
        assert 0 < len(kept) == len({*kept}) <= len(legal)
        assert {*kept} <= {*legal.tolist()}
        if (
            not position.counters[position_module.PIECES_LEFT, state.turn] & position_module.ALL_PIECES
            ^ position_module.ALL_PIECES
        ):
            assert len(kept) < len(legal) / 6, "one start of six, large pieces towards the middle"


def test_after_its_first_piece_a_colour_also_looks_at_moves_away_from_the_middle() -> None:
    """Once only moves towards the middle were looked at for three pieces more: a foe was never shut in.

    The best move then often was none of those, and games were lost within their first sixteen moves.
    """
    rng = Random(5)
    for moves in (4, 7, 9, 14):
        state = begun("players=2 start=free", rng, moves)
        legal, kept = sifted(position_module.from_state(state), state.turn)
        large = legal[
            position_module.SIZE_OF_PIECE[
                position_module.PIECE_OF_SHAPE[legal >> position_module.SHAPE_SHIFT]
            ]
            == 6
        ]
        assert {*large.tolist()} == {*kept}


def test_a_search_hears_a_stop_and_returns_what_it_has() -> None:
    state, parts = begun("players=2", Random(3), moves=6), list[float]()
    limit = Limit(seconds=1000, on_progress=parts.append, should_stop=lambda: len(parts) >= 3)
    choice = GAME.engine(9).choose(state, limit, Random(1))
    assert isinstance(choice, Candidate)
    assert choice.action in state.legal_actions()
    assert len(parts) == 3


def test_a_line_can_be_played() -> None:
    state = begun("", Random(9), moves=12)
    best = GAME.engine(9).choose(state, Limit(simulations=600), Random(2))
    for action in best.pv:
        assert action in state.legal_actions()
        state = state.apply(action)


@pytest.mark.parametrize("text", VARIANTS)
def test_the_outlook_is_what_the_simulations_of_a_move_ended_with(text: str) -> None:
    state = begun(text, Random(text), moves=14)
    tree = searched(state, 300)
    first, number = int(tree.first_child[0]), int(tree.child_count[0])
    seen, visits = tree.root_stats[:number], tree.visits[first : first + number]
    assert (seen[:, STATS_COUNT] == visits).all()
    assert not tree.root_stats[number:].any()
    wins = seen[:, STATS_WINS:STATS_SCORES].sum(axis=0)
    sides = [colour % 2 if state.options.is_paired else colour for colour in range(4)]
    shares = {sides[colour]: wins[colour] for colour in state.in_play}
    assert sum(shares.values()) == pytest.approx(300), "in every simulation one win is shared"
    cells = [position_module.decode_move(int(move)) for move in tree.move[first : first + number]]
    tries = dict(zip(cells, visits.tolist(), strict=True))
    for choice in GAME.engine(9).analyse(state, Limit(simulations=300), Random(1)).candidates:
        tried = tries.get(choice.action.cells, 0)
        assert (choice.expected is not None) >= (tried >= 5)
        if choice.expected:
            assert 0 <= choice.expected.win_rate <= 1
            assert len(choice.expected.scores) == state.options.players


def test_close_to_the_end_the_outlook_is_the_end_itself() -> None:
    """One colour has one move left, and nobody else any: the outlook is the outcome after it."""
    for seed in range(40):
        state = begun("players=2", Random(seed), moves=200)
        before = begun("players=2", Random(seed), moves=len(state.pieces_on_board) - 1)
        if len(before.legal_actions()) == 1:
            break
    assert state.outcome
    (choice,) = GAME.engine(9).analyse(before, Limit(simulations=10), Random(1)).candidates
    assert choice.expected
    assert choice.expected.scores == state.outcome.scores
    seat = before.to_act
    assert isinstance(seat, int)
    assert choice.expected.win_rate == (1.0 if state.outcome.winners == (seat,) else 0.0)
    own, other = state.outcome.scores[seat], state.outcome.scores[1 - seat]
    assert choice.expected.score_lead(seat, before.teams) == own - other


def test_levels_that_do_not_search_have_no_outlook_but_a_map() -> None:
    analysis = GAME.engine(3).analyse(begun("", Random(4), moves=9), Limit(simulations=10), Random(1))
    assert all(choice.expected is None for choice in analysis.candidates)
    assert [each.owner for each in analysis.distance_maps] == ["blue", "yellow", "red", "green"]


@pytest.mark.parametrize("text", VARIANTS)
def test_the_map_of_reach_begins_where_a_colour_attaches_and_goes_on_over_open_cells(text: str) -> None:
    state = begun(text, Random(text), moves=17)
    for reached in distance_maps(state):
        colour = COLOURS.index(reached.owner)
        steps = {CELL_INDEX[name]: number for name, number in reached.distances.items()}
        assert {cell for cell, number in steps.items() if number == 1} == {
            *cells_of(state.attach_cells(colour))
        }
        assert not any(state.forbidden_cells(colour) >> cell & 1 for cell in steps)
        for cell, number in steps.items():
            nearest = min((steps[each] for each in edge_neighbours(cell) if each in steps), default=number)
            assert number == 1 or nearest == number - 1
    assert all(CELL_INDEX[cell] in range(GRID) for each in distance_maps(state) for cell in each.distances)


def test_the_best_move_so_far_is_told_during_a_long_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tripot.games.trigon.engine.INFO_INTERVAL", 0.0)
    state, heard = begun("players=2", Random(3), moves=6), list[Candidate]()
    GAME.engine(9).choose(state, Limit(simulations=200, on_best=heard.append), Random(1))
    assert heard
    for choice in heard:
        assert choice.action == choice.pv[0]
        assert choice.expected


@pytest.mark.parametrize("text", VARIANTS)
def test_a_tree_is_kept_while_the_game_goes_on_in_it(text: str) -> None:
    state, search, rng = begun(text, Random(text), moves=10), TreeSearch(), Random(1)
    search.set_position(state)
    search.run(Limit(simulations=800), None, rng)
    tree = search.tree
    for _ in range(2):
        row = max(search.moves, key=lambda row: int(tree.visits[row]))
        visits = int(tree.visits[row])
        state = state.apply(search.best_candidate().action)
        search.set_position(state)
        assert search.tree is tree
        assert search.root == row
        search.run(Limit(simulations=50), None, rng)
        assert tree.visits[row] == visits + 50
        looked_at = {position_module.decode_move(int(tree.move[each])) for each in search.moves}
        assert looked_at <= {move.cells for move in placements(state)}


def test_a_tree_is_not_kept_for_another_game() -> None:
    search = TreeSearch()
    for seed in (1, 2):
        state = begun("players=2", Random(seed), moves=9)
        search.set_position(state)
        assert search.root == 0
        search.run(Limit(simulations=40), None, Random(seed))
    search.set_position(begun("players=2", Random(2), moves=8))
    assert search.root == 0 == search.tree.visits[0], "going back is not going on"
    assert not search.recent_moves


def test_a_search_that_followed_the_game_knows_the_last_moves() -> None:
    """They are where blocking is looked for first, and what good replies answer."""
    state, search, played = begun("players=2", Random(6), moves=12), TreeSearch(), list[int]()
    search.set_position(state)
    assert not search.recent_moves
    for _ in range(2):
        for _ in range(2):
            action = placements(state)[0]
            played.append(position_module.encode_move(action.cells))
            state = state.apply(action)
        search.set_position(state)
    assert [move for _, move in search.recent_moves] == played[-3:]
    for colour, move in search.recent_moves[1:]:
        latest = search.position.counters[position_module.LAST_ATTACH_START, colour]
        attached = search.position.attach_cells[
            colour, latest : search.position.counters[position_module.ATTACH_COUNT, colour]
        ]
        near = {
            (move & position_module.ANCHOR_MASK) + int(each)
            for each in position_module.VERTEX_OFFSETS[move >> position_module.SHAPE_SHIFT]
        }
        assert {*attached.tolist()} <= near


def test_a_move_that_leads_by_what_was_known_before_has_an_outlook_too() -> None:
    """A tree was kept, and the few simulations of this move went elsewhere: then it is told at a glance."""
    search, state = TreeSearch(), begun("players=2", Random(8), moves=14)
    search.set_position(state)
    search.run(Limit(simulations=3000), None, Random(1))
    state = state.apply(search.best_candidate().action)
    search.set_position(state)
    outlook = search.best_candidate().expected
    assert outlook
    assert 0 <= outlook.win_rate <= 1
    assert all(-110 < score < 110 for score in outlook.scores)


def test_several_threads_search_one_tree() -> None:
    state, engine = begun("players=2", Random(7), moves=16), GAME.engine(9)
    engine.threads = 2
    analysis = engine.analyse(state, Limit(simulations=2000), Random(1))
    assert {choice.action for choice in analysis.candidates} == {*state.legal_actions()}
    assert len(analysis.candidates) == len(state.legal_actions())
    ((_, done),) = analysis.facts[0].values
    assert isinstance(done, int)
    assert done >= 2000
    for action in analysis.candidates[0].pv:
        assert action in state.legal_actions()
        state = state.apply(action)


def test_the_same_seed_and_one_thread_play_the_same() -> None:
    def game(seed: int) -> list[object]:
        state, engine, rng, played = begun("players=2", Random(4), moves=4), GAME.engine(9), Random(seed), []
        for _ in range(6):
            played.append(engine.choose(state, Limit(simulations=120), rng).action)
            state = state.apply(played[-1])
        return played

    assert game(1) == game(1)


def ending(text: str, seed: int, most: int) -> State:
    """The first position of a game in which few moves are left to all together."""
    state = begun(text, Random(seed), moves=20)
    while state.to_act is not None:
        if 1 < len(state.legal_actions()) <= most:  # else it is too early: the moves of all are not fewer
            turns = [
                state.legal_placements(colour) for colour in state.in_play if not state.blocked >> colour & 1
            ]
            if sum(len([*places]) for places in turns) <= most:
                return state
        state = state.apply(max(placements(state), key=lambda move: len(move.cells)))
    raise AssertionError(f"the game of seed {seed} has no such ending")


@cache
def best_margin(state: State, side: int) -> float:
    """Plain minimax over the rules: the points by which a side of two comes out ahead."""
    if state.outcome:
        return state.outcome.scores[side] - state.outcome.scores[1 - side]
    margins = [best_margin(state.apply(move), side) for move in state.legal_actions()]
    return max(margins) if state.to_act == side else min(margins)


CLOSE_ENDINGS = (0, 3, 4, 7, 10, 12)  # seeds of endings in which some moves are worse than others


@pytest.mark.parametrize(
    "seed",
    [pytest.param(each, marks=() if each in CLOSE_ENDINGS else pytest.mark.soak) for each in range(16)],
)
def test_endings_are_played_as_well_as_they_can_be(seed: int) -> None:
    """Forced wins, and blocks that save points, against minimax over the rules."""
    state = ending("players=2", seed, most=25)
    seat = state.to_act
    assert isinstance(seat, int)
    margins = {move: best_margin(state.apply(move), seat) for move in state.legal_actions()}
    assert seed not in CLOSE_ENDINGS or len({*margins.values()}) > 1
    chosen = GAME.engine(9).choose(state, Limit(simulations=3000), Random(1)).action
    assert margins[chosen] == max(margins.values())
