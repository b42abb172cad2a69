"""Positions kept as text: repetitions and how they end (TP-7), and counts of all that can be played.

The counts were made by a second program, written from the clauses alone, and by these rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.games.trippples.texts import effects, play

from tripot.game import CHANCE
from tripot.games.trippples import GAME
from tripot.games.trippples.actions import Action, Move
from tripot.games.trippples.perfect_play import solve
from tripot.games.trippples.rules import State

GOLDEN = Path(__file__).parent / "golden"


def blocks(name: str) -> list[list[str]]:
    """The blocks of a golden file, each the lines between two empty ones, without the heading."""
    texts = (GOLDEN / name).read_text("utf-8").split("\n\n")[1:]
    return [text.strip("\n").splitlines() for text in texts]


# --- TP-7 The indirect win ---------------------------------------------------------------------


class Repetition(NamedTuple):
    position: str
    laps: list[list[str]]
    ends: str


REPETITIONS = {
    show.removeprefix("show "): Repetition(
        position, [lap.split()[1:] for lap in laps], ends.removeprefix("ends ")
    )
    for show, position, *laps, ends in blocks("repetitions.txt")
}
WON = REPETITIONS["Round would lose by any other move: Square wins"]


@pytest.mark.parametrize("show", REPETITIONS)
def test_TP_7_the_third_time_decides(show: str) -> None:
    case = REPETITIONS[show]
    state = start = GAME.parse_state(case.position)
    *moves, last = [move for lap in case.laps for move in lap]
    for move in moves:
        state = play(state, move)
        assert state.outcome is None
    assert GAME.parse_state(state.to_text()) == state, "what could recur is part of the position"
    assert effects(state, last) == ["TP-7 " + case.ends.split()[-1]]
    state = play(state, last)
    assert state.repetition_key == start.repetition_key
    assert str(state.outcome) == case.ends


def test_TP_7_the_second_time_is_announced() -> None:
    *moves, last = WON.laps[0]
    state = play(GAME.parse_state(WON.position), *moves)
    assert effects(state, last) == ["TP-7 second"]
    assert play(state, last).outcome is None


def test_TP_7_losing_means_under_perfect_play_without_TP_7_and_TP_8() -> None:
    state = GAME.parse_state(WON.position)
    plies = solve(state.tiles, state.options)
    others = 0
    for move in WON.laps[0]:
        for other in state.legal_actions() if state.to_act == 1 else ():  # Round is the one who is forced
            assert isinstance(other, Move)
            leaves = str(other) != move
            assert state.is_losing_move(other.square) == leaves
            assert (plies[state.after_move_without_history(other.square).repetition_key] > 0) == leaves, (
                "then Square wins"
            )
            others += leaves
        state = play(state, move)
    assert others


def test_TP_7_leaving_the_start_wipes_out_what_cannot_recur() -> None:
    state = play(GAME.parse_state(WON.position), *WON.laps[0])
    assert len(list(state.past_keys())) == 4
    opening = GAME.parse_state(WON.position.partition(" pawns=")[0])
    assert play(opening, str(opening.legal_actions()[0])).history == b""


# --- Counts ------------------------------------------------------------------------------------


class Counts(NamedTuple):
    position: str
    counts: list[int]
    split: dict[str, int]


COUNTS = {
    show.removeprefix("show "): Counts(
        position,
        [int(count) for count in counts.split()[1:]],
        {text: int(count) for count, text in (line.split(maxsplit=1) for line in split)},
    )
    for show, position, counts, *split in blocks("perft.txt")
}


def actions(state: State) -> list[Action]:
    """What may be done: the legal actions, or all that chance may draw."""
    return (
        [draw for draw, _ in state.chance_outcomes()]
        if state.to_act is CHANCE
        else list(state.legal_actions())
    )


def sequences(state: State, length: int) -> int:
    """How many sequences of so many actions there are."""
    if length == 0:
        return 1
    return sum(sequences(state.apply(action), length - 1) for action in actions(state))


@pytest.mark.long
@pytest.mark.parametrize("show", COUNTS)
def test_perft_counts_are_those_of_the_golden_file(show: str) -> None:
    position, counts, split = COUNTS[show]
    state = GAME.parse_state(position)
    counted = {str(action): sequences(state.apply(action), len(counts) - 1) for action in actions(state)}
    differences = "\n".join(
        f"{action_text}: {counted.get(action_text)}, not {split.get(action_text)}"
        for action_text in counted | split
    )
    assert counted == split, f"{show}\n{differences}"
    shorter = [sequences(state, length) for length in range(1, len(counts))]
    assert [*shorter, sum(counted.values())] == counts
    assert list(counted) == list(split), "the order of legal() is part of the protocol"
