"""`tripot show`, `replay` and `verify`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from tripot import fairness, i18n
from tripot.game import CHANCE, AnyGame, IllegalActionError
from tripot.record import Record
from tripot.table import Player, Table

Run = Callable[..., Result]


@pytest.fixture
def file(played_record: Record, tmp_path: Path) -> Path:
    played_record.save(tmp_path / "game.txt")
    return tmp_path / "game.txt"


@pytest.mark.parametrize("quoted", [True, False])
def test_show_prints_board_turn_legal_actions_and_position(
    run_cli: Run, game: AnyGame, played_record: Record, quoted: bool
) -> None:
    state = list(played_record.states())[3]
    text = state.to_text()
    shown = run_cli("show", *([text] if quoted else text.split())).output
    assert str(state) in shown
    flat = " ".join(shown.split())
    assert isinstance(state.to_act, int)
    assert f"{i18n.seat_name(game, state.to_act)}: {i18n.render(game, state.prompt)}" in flat
    assert all(f"{number} {action}" in flat for number, action in enumerate(state.legal_actions(), 1))
    assert shown.endswith(text + "\n")


def test_show_takes_the_last_position_of_a_record(
    run_cli: Run, game: AnyGame, played_record: Record, file: Path
) -> None:
    shown = run_cli("show", file).output
    assert str(played_record.final_state) in shown
    assert played_record.outcome
    assert i18n.render(game, played_record.outcome.reason) in " ".join(shown.split())


def test_show_reports_when_chance_is_to_act(run_cli: Run, toy_game: AnyGame) -> None:
    start = toy_game.initial_state(toy_game.Options())
    assert start.to_act is CHANCE
    assert f"Chance: {i18n.render(toy_game, start.prompt)}" in run_cli("show", start.to_text()).output


def test_show_writes_the_picture(run_cli: Run, played_record: Record, tmp_path: Path) -> None:
    run_cli("show", played_record.final_state.to_text(), "--svg", tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text("utf-8") == played_record.final_state._repr_svg_()


@pytest.mark.parametrize("text", ["nonsense", "nonsense 1 2 3", "x" * 5000])
def test_text_that_is_neither_file_nor_position_gets_one_line(run_cli: Run, text: str) -> None:
    result = run_cli("show", text, code=2)
    assert result.stderr.count("\n") == 1
    assert "there is no game called" in result.stderr


@pytest.mark.parametrize("path", ["/nonexistent/game.txt", "game.txt", "./games/one", "~/none", "a b.TXT"])
def test_a_missing_file_is_not_taken_for_a_game(run_cli: Run, path: str) -> None:
    """The message was that there is no game called /nonexistent/game.txt."""
    message = f"tripot: there is no file {path!r}\n"
    assert run_cli("show", path, code=2).stderr == message
    assert run_cli("solve", path, code=2).stderr == message


def test_the_help_of_show_names_records(run_cli: Run) -> None:
    assert "or a record file" in " ".join(run_cli("show", "--help").output.replace("│", " ").split())


def test_a_picture_that_cannot_be_written_gets_one_line(
    run_cli: Run, played_record: Record, tmp_path: Path
) -> None:
    result = run_cli("show", played_record.final_state.to_text(), "--svg", tmp_path, code=2)
    assert result.stderr.count("\n") == 1


def test_replay_prints_every_position(run_cli: Run, played_record: Record, file: Path) -> None:
    shown = run_cli("replay", file, "--all").output
    assert all(str(state) in shown for state in played_record.states())
    assert f"{len(played_record.actions)}/{len(played_record.actions)}" in shown


def test_replay_steps_forward_back_and_jumps(run_cli: Run, played_record: Record, file: Path) -> None:
    last = len(played_record.actions)
    shown = run_cli("replay", file, lines=f"\n\nb\n{last}\n\n0\nb\n999\nq\n").output
    steps = [line.split("/")[0] for line in shown.splitlines() if f"/{last}  " in line]
    assert steps == ["0", "1", "2", "1", str(last), "0"]
    assert shown.count("no more steps in that direction") == 2
    assert "Invalid step '999'" in shown


def test_replay_ends_with_its_input(run_cli: Run, file: Path) -> None:
    run_cli("replay", file, lines="\n\n")


def test_replay_of_a_missing_file_is_refused(run_cli: Run, tmp_path: Path) -> None:
    assert "does not exist" in run_cli("replay", tmp_path / "nowhere.txt", code=2).stderr


def test_verify_says_ok_and_the_result(run_cli: Run, played_record: Record, file: Path) -> None:
    assert (
        f"OK, {len(played_record.actions)} actions, {played_record.outcome}" in run_cli("verify", file).stdout
    )


def test_verify_reports_unfinished_games(run_cli: Run, played_record: Record, tmp_path: Path) -> None:
    begun = Record(
        played_record.game,
        played_record.options,
        played_record.seats,
        played_record.date,
        played_record.actions[:3],
    )
    begun.save(tmp_path / "begun.txt")
    assert "OK, 3 actions, unfinished" in run_cli("verify", tmp_path / "begun.txt").stdout


def test_verify_names_the_line_and_the_clause_in_words(
    run_cli: Run, game: AnyGame, played_record: Record, file: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.txt"
    lines = file.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("3. "))
    refusal = list(played_record.states())[2].preview(played_record.actions[1]).error
    assert isinstance(refusal, IllegalActionError)
    lines[at] = f"3. {played_record.actions[1]}"
    wrong.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run_cli("verify", wrong, file, code=1)
    sentence = i18n.render(game, refusal.fact)
    assert result.stderr == f"{wrong}: line {at + 1}: {sentence} ({refusal.fact.clause})\n"
    assert "OK" in result.stdout, "the other file is checked all the same"


def test_verify_of_another_text_names_the_line(run_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann,\n", encoding="utf-8")
    assert "line 1:" in run_cli("verify", tmp_path / "letter.txt", code=1).stderr
    assert "line 1:" in run_cli("show", tmp_path / "letter.txt", code=2).stderr


def test_verify_repeats_chance_if_the_seed_is_known(run_cli: Run, tmp_path: Path, game: AnyGame) -> None:
    """A record from a server: what it drew follows from its seed, or the record is false."""
    seed, options = "5e" * 32, game.Options()
    table = Table(game, options, [Player("Ann")] * options.players)
    table.run_chance(fairness.chance_rng(seed, 0))
    replace(table.record(), seed=seed).save(tmp_path / "true.txt")
    assert (
        f"all match the commitment {fairness.commitment(seed)}"
        in run_cli("verify", tmp_path / "true.txt").stdout
    )
    replace(table.record(), seed="00" * 32).save(tmp_path / "false.txt")
    assert "does not follow from the seed" in run_cli("verify", tmp_path / "false.txt", code=1).output
