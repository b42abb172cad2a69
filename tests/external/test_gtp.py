"""The GTP client, with a small program for the toy game that can misbehave in several ways."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tripot.external import process
from tripot.external.client import ProtocolEngine
from tripot.external.gtp import GtpEngine, LegalMovesMismatchError
from tripot.external.process import EngineProcess, EngineProcessError
from tripot.game import AnyGame, AnyState
from tripot.testing import apply_texts

TALLY_PROGRAM = shlex.join([sys.executable, str(Path(__file__).with_name("gtp_tally.py"))])


def started(toy_game: AnyGame, *fault: str) -> GtpEngine:
    dialect = toy_game.gtp_dialect(toy_game.Options())
    assert dialect
    program = GtpEngine(" ".join([TALLY_PROGRAM, *fault]), dialect)
    program.new_game()
    return program


def dealt(toy_game: AnyGame) -> AnyState:
    return apply_texts(toy_game, toy_game.initial_state(toy_game.Options()), "deal 1,2")


def test_a_program_reports_its_name_and_plays(toy_game: AnyGame) -> None:
    with started(toy_game) as program:
        assert program.name == "Heaper 1 5", "a comma would end the name in a record"
        action, seconds = program.choose(dealt(toy_game))
    assert str(action) == "take 1"
    assert seconds > 0


def test_actions_of_seats_are_sent_and_those_of_chance_are_not(toy_game: AnyGame) -> None:
    actions = [toy_game.parse_action(text) for text in ("deal 1,2", "take 3")]
    states = [toy_game.initial_state(toy_game.Options())]
    for action in actions:
        states.append(states[-1].apply(action))
    with started(toy_game) as program:
        program.send_actions(states, actions)
        program.check_legal_moves(states[-1])
        assert program.send_command("all_legal 2").split() == ["1", "2"]


def test_moves_of_the_program_are_not_sent_back_to_it(toy_game: AnyGame) -> None:
    with started(toy_game) as program:
        program.send_actions(
            [toy_game.initial_state(toy_game.Options())], [toy_game.parse_action("deal 1,2")]
        )
        state = dealt(toy_game)
        for _ in range(4):
            action, _ = program.choose(state)
            assert action is not None
            state = state.apply(action)
        assert program.send_command("all_legal 1").split() == ["1"], "one of five is left"


def test_a_mismatch_of_legal_moves_shows_both_differences(toy_game: AnyGame) -> None:
    with started(toy_game, "blind") as program, pytest.raises(LegalMovesMismatchError) as error:
        program.check_legal_moves(dealt(toy_game))
    assert "the rules allow 3, only they: take 3" in str(error.value)
    assert "Heaper 1 5 allows 2, only it: none" in str(error.value)
    assert dealt(toy_game).to_text() in str(error.value)


@pytest.mark.parametrize(
    ("fault", "message"), [("4", "take 4, which is illegal"), ("pass", "passes, but it has a legal move")]
)
def test_moves_of_a_program_are_checked_by_the_rules(toy_game: AnyGame, fault: str, message: str) -> None:
    with started(toy_game, fault) as program, pytest.raises(LegalMovesMismatchError, match=message):
        program.choose(dealt(toy_game))


def test_a_resignation_is_no_move(toy_game: AnyGame) -> None:
    with started(toy_game, "resign") as program:
        assert program.choose(dealt(toy_game))[0] is None


def test_an_unreadable_move_is_an_error_of_the_program(toy_game: AnyGame) -> None:
    with started(toy_game, "x") as program, pytest.raises(EngineProcessError, match="Heaper"):
        program.choose(dealt(toy_game))


def test_a_refused_command_is_an_error(toy_game: AnyGame) -> None:
    with started(toy_game) as program, pytest.raises(EngineProcessError, match="unknown command"):
        program.send_command("dance")


def test_the_last_message_of_a_program_that_exits_is_quoted(toy_game: AnyGame) -> None:
    with started(toy_game, "end") as program, pytest.raises(EngineProcessError, match="no more of this"):
        program.choose(dealt(toy_game))


@pytest.mark.parametrize(
    ("command", "message"),
    [("/no/such/program", "cannot start"), ("'", "cannot parse the command"), (" ", "is empty")],
)
def test_a_command_that_cannot_be_started_is_an_error(command: str, message: str) -> None:
    with pytest.raises(EngineProcessError, match=message):
        EngineProcess(command)


# --- Programs that speak another protocol, or none -----------------------------------------------

SILENT = shlex.join([sys.executable, "-c", "import sys; sys.stdin.read()"])


def echo(answer: str) -> str:
    """A program that answers everything with the same line, and then waits."""
    program = f"import sys\nfor _ in sys.stdin: print({answer!r}, flush=True)"
    return shlex.join([sys.executable, "-c", program])


def test_a_program_that_never_answers_is_killed(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match with `sleep 100` as its engine waited as long as that, and with a silent program for ever."""
    monkeypatch.setattr(process, "HANDSHAKE_TIMEOUT", 0.01)
    with pytest.raises(EngineProcessError, match=r"did not answer 'hello' within 0\.01 seconds"):
        ProtocolEngine(SILENT, toy_game)
    with pytest.raises(EngineProcessError, match="did not answer 'known_command set_game' within"):
        started_command(toy_game, SILENT)


def test_the_processes_that_a_silent_program_started_end_with_it(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep its output open, so reading from it would go on after its end."""
    monkeypatch.setattr(process, "HANDSHAKE_TIMEOUT", 0.01)
    with pytest.raises(EngineProcessError, match="did not answer 'hello'"):
        ProtocolEngine(shlex.join(["sh", "-c", f"{SILENT}; true"]), toy_game)


@pytest.mark.parametrize("answer", ["hello", "? unknown command", "", "Welcome!"])
def test_a_program_that_answers_something_else_to_hello_is_refused(toy_game: AnyGame, answer: str) -> None:
    """`engine:cat` made a match hang: it sends back every command, and no line of it ended an answer."""
    with pytest.raises(EngineProcessError) as error:
        ProtocolEngine(echo(answer), toy_game)
    message = f"answered {answer!r} to hello; expected 'protocol 2'. For a GTP program write gtp:..."
    assert message in str(error.value)


def test_a_program_that_does_not_answer_in_gtp_is_refused(toy_game: AnyGame) -> None:
    with pytest.raises(EngineProcessError, match=r"begins with = or \?\. .* write engine:"):
        started_command(toy_game, echo("protocol 2"))


def started_command(toy_game: AnyGame, command: str) -> GtpEngine:
    dialect = toy_game.gtp_dialect(toy_game.Options())
    assert dialect
    return GtpEngine(command, dialect)
