"""GTP programs: a tiny one for the toy game, with all that can go wrong."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tripot.external.gtp import GtpEngine, LegalMovesMismatchError
from tripot.external.process import EngineProcess, EngineProcessError
from tripot.game import AnyGame, AnyState
from tripot.testing import apply_texts

HEAPER = shlex.join([sys.executable, str(Path(__file__).with_name("gtp_tally.py"))])


def started(toy: AnyGame, *fault: str) -> GtpEngine:
    dialect = toy.gtp_dialect(toy.Options())
    assert dialect
    program = GtpEngine(" ".join([HEAPER, *fault]), dialect)
    program.new_game()
    return program


def dealt(toy: AnyGame) -> AnyState:
    return apply_texts(toy, toy.initial_state(toy.Options()), "deal 1,2")


def test_a_program_says_its_name_and_plays(toy: AnyGame) -> None:
    with started(toy) as program:
        assert program.name == "Heaper 1 5", "a comma would end the name in a record"
        action, seconds = program.choose(dealt(toy))
    assert str(action) == "take 1"
    assert seconds > 0


def test_a_program_is_told_what_the_seats_did_and_chance_is_not_told(toy: AnyGame) -> None:
    actions = [toy.parse_action(text) for text in ("deal 1,2", "take 3")]
    states = [toy.initial_state(toy.Options())]
    for action in actions:
        states.append(states[-1].apply(action))
    with started(toy) as program:
        program.send_actions(states, actions)
        program.check_legal_moves(states[-1])
        assert program.send_command("all_legal 2").split() == ["1", "2"]


def test_what_a_program_played_is_not_told_to_it_again(toy: AnyGame) -> None:
    with started(toy) as program:
        program.send_actions([toy.initial_state(toy.Options())], [toy.parse_action("deal 1,2")])
        state = dealt(toy)
        for _ in range(4):
            action, _ = program.choose(state)
            assert action is not None
            state = state.apply(action)
        assert program.send_command("all_legal 1").split() == ["1"], "one of five is left"


def test_a_difference_in_what_is_legal_shows_what_each_alone_allows(toy: AnyGame) -> None:
    with started(toy, "blind") as program, pytest.raises(LegalMovesMismatchError) as found:
        program.check_legal_moves(dealt(toy))
    assert "the rules allow 3, these alone: take 3" in str(found.value)
    assert "Heaper 1 5 allows 2, these alone: none" in str(found.value)
    assert dealt(toy).to_text() in str(found.value)


@pytest.mark.parametrize(
    ("fault", "said"), [("4", "take 4, which is not allowed"), ("pass", "passes, but can")]
)
def test_what_a_program_plays_is_checked_by_the_rules(toy: AnyGame, fault: str, said: str) -> None:
    with started(toy, fault) as program, pytest.raises(LegalMovesMismatchError, match=said):
        program.choose(dealt(toy))


def test_a_program_that_resigns_plays_nothing(toy: AnyGame) -> None:
    with started(toy, "resign") as program:
        assert program.choose(dealt(toy))[0] is None


def test_what_cannot_be_read_is_the_fault_of_the_program(toy: AnyGame) -> None:
    with started(toy, "x") as program, pytest.raises(EngineProcessError, match="Heaper"):
        program.choose(dealt(toy))


def test_a_refusal_of_the_program_is_an_error(toy: AnyGame) -> None:
    with started(toy) as program, pytest.raises(EngineProcessError, match="unknown command"):
        program.send_command("dance")


def test_a_program_that_ends_too_early_is_quoted(toy: AnyGame) -> None:
    with started(toy, "end") as program, pytest.raises(EngineProcessError, match="no more of this"):
        program.choose(dealt(toy))


@pytest.mark.parametrize(
    ("command", "said"),
    [("/no/such/program", "cannot start"), ("'", "is no command"), (" ", "a command is needed")],
)
def test_what_cannot_be_started_is_said(command: str, said: str) -> None:
    with pytest.raises(EngineProcessError, match=said):
        EngineProcess(command)
