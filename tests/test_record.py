"""Records of every game: they are parsed back, and errors name the damaged line."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tripot
from tripot.game import AnyGame, IllegalActionError, Options, TripotError
from tripot.record import Record, RecordError
from tripot.testing import random_options, random_playthrough, rejection

GAMES = tripot.list_games()
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
fuzz = settings(max_examples=60)
few_or_many_examples = pytest.mark.parametrize(
    "examples", [pytest.param(5, marks=pytest.mark.long), pytest.param(100, marks=pytest.mark.soak)]
)
DATE = "2026-11-15"


def played(game: AnyGame, options: Options, seed: int, steps: int = 10_000) -> Record:
    actions = tuple(
        action for _, action in random_playthrough(game.initial_state(options), Random(seed), steps)
    )
    return Record(game, options, tuple(f"Player {n}" for n in range(options.players)), DATE, actions)


@cache
def finished(game: AnyGame) -> Record:
    return min(
        (played(game, game.Options(), seed) for seed in range(3)), key=lambda record: len(record.actions)
    )


def unfinished(game: AnyGame) -> Record:
    return replace(finished(game), actions=finished(game).actions[:5])


def two_teams(game: AnyGame) -> Record:
    """Five actions of a game in which somebody may resign."""
    variants = (random_options(game, Random(seed)) for seed in range(100))
    options = next(
        (variant for variant in variants if len(set(game.initial_state(variant).teams)) == 2), None
    )
    if options is None:
        pytest.skip("no variant has two teams")
    return played(game, options, seed=1, steps=5)


def fault(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.reason}"
    return caught.value


def read_or_fault(text: str) -> Record | RecordError:
    try:
        return Record.parse(text)
    except RecordError as error:
        return error


def some(numbers: range, maximum: int) -> tuple[int, ...]:
    """Some of the numbers, far apart, the first and the last among them: each of them reads a whole game."""
    return *numbers[:: len(numbers) // maximum + 1], numbers[-1]


def number_of(line: str, text: str) -> int:
    """The number of the first line that starts so."""
    return next(n for n, row in enumerate(text.split("\n"), 1) if row.startswith(line))


def altered(text: str, line: str, new: str) -> str:
    """The text with one line, found by its beginning, written anew."""
    lines = text.split("\n")
    lines[number_of(line, text) - 1] = new
    return "\n".join(lines)


# --- Round trips -------------------------------------------------------------------------------


@every_game
@few_or_many_examples
def test_records_of_random_variants_are_parsed_back(game: AnyGame, examples: int) -> None:
    @settings(max_examples=examples)
    @given(seed=st.integers(0, 10_000), steps=st.integers(0, 300))
    def check(seed: int, steps: int) -> None:
        record = played(game, random_options(game, Random(seed)), seed, steps)
        text = record.to_text()
        again = Record.parse(text)
        assert again == record
        assert again.to_text() == text

    check()


@every_game
@few_or_many_examples
def test_records_that_begin_from_a_position_are_parsed_back(game: AnyGame, examples: int) -> None:
    @settings(max_examples=examples)
    @given(seed=st.integers(0, 10_000), before=st.integers(0, 60), after=st.integers(0, 30))
    def check(seed: int, before: int, after: int) -> None:
        options = random_options(game, Random(seed))
        start = played(game, options, seed, before).final_state
        actions = tuple(action for _, action in random_playthrough(start, Random(seed), after))
        names = ("N",) * options.players
        record = Record(game, options, names, DATE, actions, position=start.to_text())
        assert record.initial_state() == start
        assert f"position: {start.to_text()}\n" in record.to_text()
        assert Record.parse(record.to_text()) == record

    check()


@every_game
def test_a_record_replays_to_every_state_without_a_random_generator(game: AnyGame) -> None:
    steps = list(random_playthrough(game.initial_state(game.Options()), Random(3), 40))
    record = Record(game, game.Options(), ("N",) * game.Options().players, "", tuple(a for _, a in steps))
    states = list(Record.parse(record.to_text()).states())
    assert states[:-1] == [state for state, _ in steps]
    assert states[0] == record.initial_state()
    assert states[-1] == record.final_state


@pytest.mark.long
@every_game
def test_the_text_is_the_one_the_docstring_shows(game: AnyGame) -> None:
    record = replace(unfinished(game), actions=unfinished(game).actions[:2])
    first, second = record.actions
    assert record.to_text() == (
        f"tripot record 1\ngame: {game.key}\nversion: {game.version}\noptions:\n"
        f"seats: {', '.join(record.seats)}\ndate: {DATE}\nresult: *\n\n1. {first}\n2. {second}\n"
    )


@every_game
def test_the_result_is_the_outcome_of_the_last_state(game: AnyGame) -> None:
    record = finished(game)
    assert record.outcome == record.final_state.outcome is not None
    assert f"\nresult: {record.outcome}\n" in record.to_text()
    assert unfinished(game).outcome is None


@every_game
def test_lines_may_end_in_crlf(game: AnyGame) -> None:
    record = unfinished(game)
    assert Record.parse(record.to_text().replace("\n", "\r\n")) == record


@every_game
def test_an_unknown_date_is_left_out(game: AnyGame) -> None:
    record = replace(unfinished(game), date="")
    assert "\ndate:\n" in record.to_text()
    assert Record.parse(record.to_text()) == record


# --- Ends made at the table --------------------------------------------------------------------


@every_game
def test_a_resignation_loses_for_the_team_and_is_recorded(game: AnyGame) -> None:
    record = two_teams(game)
    for seat, team in enumerate(record.final_state.teams):
        resigned = replace(record, termination=f"resign {seat + 1}")
        outcome = resigned.outcome
        assert outcome is not None
        assert outcome.scores == tuple(-1 if seat_team == team else 1 for seat_team in outcome.teams)
        assert (outcome.reason.clause, outcome.reason.key, dict(outcome.reason.values)) == (
            "TABLE",
            "resign",
            {"seat": seat},
        )
        assert Record.parse(resigned.to_text()) == resigned


@every_game
def test_an_agreed_draw_ends_by_the_games_own_clause(game: AnyGame) -> None:
    record = replace(unfinished(game), termination="agree")
    if game.draw_clause is None:
        with pytest.raises(IllegalActionError, match="no draw by agreement"):
            record.to_text()
        return
    assert record.outcome is not None
    assert set(record.outcome.scores) == {0}
    assert str(record.outcome.reason.clause) == game.draw_clause
    assert Record.parse(record.to_text()) == record


@every_game
@pytest.mark.parametrize("end", ["resign 0", "resign 9", "resign 01", "resign", "give up", "", "agree "])
def test_an_end_that_does_not_exist_is_refused(game: AnyGame, end: str) -> None:
    text = unfinished(game).to_text() + f"end: {end}\n"
    assert fault(text).line == number_of("end", text)
    assert "an end is `resign 1`" in fault(text).reason


@every_game
def test_a_finished_game_cannot_be_ended_again(game: AnyGame) -> None:
    text = finished(game).to_text() + "end: resign 1\n"
    assert fault(text).line == number_of("end", text)
    assert "The game is over." in fault(text).reason


@every_game
def test_an_end_that_contradicts_the_result_is_refused(game: AnyGame) -> None:
    text = replace(two_teams(game), termination="resign 1").to_text()
    assert fault(altered(text, "end", "end: resign 2")).line == number_of("result", text)
    assert fault(altered(text, "result", "result: *")).line == number_of("result", text)


@every_game
@pytest.mark.parametrize("more", ["6. a1", "end: agree", "", "thank you"])
def test_nothing_may_follow_the_end(game: AnyGame, more: str) -> None:
    text = replace(two_teams(game), termination="resign 1").to_text() + more + "\n"
    assert fault(text).line == number_of("end", text) + 1
    assert fault(text).reason == "nothing may follow the end"


# --- Damage ------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize(
    ("line", "new", "reason"),
    [
        ("tripot", "tripot record 2", "begins with the line 'tripot record 1'"),
        ("tripot", "", "begins with the line"),
        ("tripot", "\ufefftripot record 1", "begins with the line"),
        ("game", "game: tic-tac-toe", "no game called 'tic-tac-toe'"),
        ("version", "version: 999", "version '999'"),
        ("version", "version: one", "version 'one'"),
        ("options", "options: players=many", "option players=many"),
        ("options", "options: moon=full", "option moon=full: no such option"),
        ("options", "options: players=2 players=2", "option players=2: given twice"),
        ("seats", "seats:", ""),
        ("seats", "seats: a, b, c, d, e, f, g, h, i", "seats, not 9"),
        ("date", "date: 2026-02-30", "no date"),
        ("date", "date: 20261115", "no date"),
        ("date", "date: yesterday", "no date"),
        ("result", "result: 5 5 WON easily", "lead to *, not to"),
        ("result", "result:", "lead to *"),
        ("date", "weather: fine", "'weather: fine' is no header"),
        ("date", "fine weather", "'fine weather' is no header"),
        ("date", "options:", "'options' is given twice"),
        ("2.", "3. x", "action 2 is expected here"),
        ("2.", "", "action 2 is expected here"),
        ("2.", "02. x", "action 2 is expected here"),
        ("2.", "2. no such action at all", "cannot read"),
        ("2.", "2. ", "cannot read"),
    ],
)
def test_a_damaged_line_is_named_with_the_reason(game: AnyGame, line: str, new: str, reason: str) -> None:
    text = unfinished(game).to_text()
    error = fault(altered(text, line, new))
    assert (error.line, reason in error.reason) == (number_of(line, text), True), error


@every_game
@pytest.mark.parametrize("header", ["game", "version", "options", "seats", "date", "result"])
def test_a_missing_header_is_named_where_the_headers_end(game: AnyGame, header: str) -> None:
    text = unfinished(game).to_text()
    error = fault(re.sub(rf"(?m)^{header}:.*\n", "", text))
    assert (error.line, error.reason) == (7, f"the header {header!r} is missing")


@every_game
@pytest.mark.parametrize("spoil", [" {}", "{} ", "{}\t", "{}\u2028"])
def test_a_line_with_other_spaces_is_refused(game: AnyGame, spoil: str) -> None:
    lines = unfinished(game).to_text().split("\n")[:-1]
    for index, line in enumerate(lines):
        error = fault("\n".join([*lines[:index], spoil.format(line), *lines[index + 1 :]]) + "\n")
        assert error.line == index + 1


@every_game
def test_headers_in_another_order_are_refused(game: AnyGame) -> None:
    lines = unfinished(game).to_text().split("\n")
    lines[4], lines[5] = lines[5], lines[4]
    assert fault("\n".join(lines)).line == 5


@every_game
def test_a_default_option_is_not_written(game: AnyGame) -> None:
    default = game.Options.schema()[0]
    text = altered(unfinished(game).to_text(), "options", f"options: {default['name']}={default['default']}")
    assert (fault(text).line, fault(text).reason) == (4, "this line is written 'options:'")


@every_game
@pytest.mark.parametrize("maximum", [12, pytest.param(10_000, marks=pytest.mark.soak)])
def test_an_illegal_action_is_named_with_its_clause_and_facts(game: AnyGame, maximum: int) -> None:
    record = finished(game)
    states = [*record.states()]
    refused = [
        next((index, action, illegal) for action in other if (illegal := rejection(states[index], action)))
        for index in some(range(len(record.actions)), maximum)
        for other in (record.actions[index:] + record.actions[:index], record.actions[::-1])
    ]
    for index, action, illegal in refused:
        text = replace(record, actions=record.actions[:index]).to_text() + f"{index + 1}. {action}\n"
        error = fault(text)
        assert error.line == len(text.splitlines())
        assert error.reason == f"not allowed here: {illegal}"
        assert isinstance(error.__cause__, IllegalActionError)


@every_game
def test_actions_after_the_end_are_refused(game: AnyGame) -> None:
    record = finished(game)
    text = record.to_text() + f"{len(record.actions) + 1}. {record.actions[-1]}\n"
    assert (fault(text).line, fault(text).reason) == (
        len(text.splitlines()),
        "the game was over before this action",
    )


@every_game
@pytest.mark.parametrize("maximum", [12, pytest.param(10_000, marks=pytest.mark.soak)])
def test_a_missing_action_is_found_by_its_number(game: AnyGame, maximum: int) -> None:
    lines = finished(game).to_text().split("\n")
    for index in some(range(8, len(lines) - 2), maximum):
        assert fault("\n".join(lines[:index] + lines[index + 1 :])).line == index + 1


@every_game
@pytest.mark.parametrize("maximum", [12, pytest.param(10_000, marks=pytest.mark.soak)])
def test_a_finished_record_cut_after_any_line_is_refused(game: AnyGame, maximum: int) -> None:
    lines = finished(game).to_text().split("\n")[:-1]
    result = 7
    for kept in (*range(result + 2), *some(range(result + 2, len(lines)), maximum)):
        error = fault("".join(line + "\n" for line in lines[:kept]))
        assert error.line == (result if kept > result else max(kept, 1)), error


@every_game
def test_a_record_cut_inside_any_line_is_refused_there(game: AnyGame) -> None:
    text = replace(unfinished(game), actions=unfinished(game).actions[:3]).to_text()
    for kept in range(1, len(text)):
        if text[kept - 1] != "\n":
            error = fault(text[:kept])
            assert error.line == (text.count("\n", 0, kept) + 1 if kept >= len("tripot record 1") else 1)


@every_game
@pytest.mark.parametrize("rubbish", ["x\n", "\n", "6.\n", "\0\n", "tripot record 1\n", "# good game\n"])
def test_rubbish_after_the_last_action_is_refused(game: AnyGame, rubbish: str) -> None:
    text = unfinished(game).to_text() + rubbish
    assert fault(text).line == len(text.split("\n")) - 1


@every_game
def test_two_records_in_one_text_are_refused(game: AnyGame) -> None:
    text = finished(game).to_text()
    assert fault(text + text).line == len(text.split("\n"))


def spoilt(data: st.DataObject, text: str) -> str:
    """The text with one to three characters changed, put in or taken out."""
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(text) - 1))
        new = data.draw(st.sampled_from(["", "\n", " ", ",", ":", *"0123456789abcdefghABZ-.~?!*", "é", "\0"]))
        text = text[:index] + new + text[index + data.draw(st.integers(0, 1)) :]
    return text


@pytest.mark.long
@every_game
@fuzz
@given(data=st.data())
def test_a_damaged_text_is_refused_or_is_the_text_of_another_record(
    game: AnyGame, data: st.DataObject
) -> None:
    record = data.draw(st.sampled_from([finished(game), unfinished(game)]))
    text = spoilt(data, record.to_text())
    again = read_or_fault(text)
    if isinstance(again, RecordError):
        assert 1 <= again.line <= text.count("\n") + 1
    else:
        assert again.to_text() == text
        assert (again == record) == (text == record.to_text())


@fuzz
@given(text=st.text())
def test_any_other_text_is_refused_in_its_first_line(text: str) -> None:
    assert fault(text).line == 1


# --- What a Record may be made of --------------------------------------------------------------


@every_game
@pytest.mark.parametrize(
    "name", ["", " Ann", "Ann ", "Ann, Bob", "Ann\n", "A\nB", "A\u2028B", "\x1b[2J", "\ud800"]
)
def test_a_name_that_a_line_cannot_hold_is_refused(game: AnyGame, name: str) -> None:
    record = unfinished(game)
    with pytest.raises(TripotError, match="is no name"):
        replace(record, seats=(name, *record.seats[1:]))


@every_game
@pytest.mark.parametrize("name", ["Ann", "level 3", "Zoë: 4. e4", "end: resign 1", "*", "李", "a;b"])
def test_any_other_name_is_parsed_back(game: AnyGame, name: str) -> None:
    record = replace(unfinished(game), seats=(name,) * len(unfinished(game).seats))
    assert Record.parse(record.to_text()) == record


@every_game
def test_seats_dates_and_positions_are_checked_when_a_record_is_made(game: AnyGame) -> None:
    record = unfinished(game)
    with pytest.raises(TripotError, match="seats, not"):
        replace(record, seats=(*record.seats, "one more"))
    with pytest.raises(TripotError, match="no date"):
        replace(record, date="15/11/2026")
    with pytest.raises(TripotError, match="cannot read"):
        replace(record, position="nowhere")
    with pytest.raises(TripotError, match="the position is written"):
        replace(record, position=" " + record.initial_state().to_text())


@every_game
def test_a_position_with_other_options_than_the_record_is_refused(game: AnyGame) -> None:
    variants = (random_options(game, Random(seed)) for seed in range(100))
    other = next(options for options in variants if options != game.Options())
    record = replace(unfinished(game), actions=(), position=game.initial_state(game.Options()).to_text())
    text = altered(record.to_text(), "position", f"position: {game.initial_state(other).to_text()}")
    assert (fault(text).line, "other options" in fault(text).reason) == (5, True)


@pytest.mark.long
@every_game
def test_a_game_cannot_start_from_a_view(game: AnyGame) -> None:
    for seed in range(60):
        options = random_options(game, Random(seed))
        last = played(game, options, seed, steps=3).final_state
        if last.view(None) != last:
            with pytest.raises(TripotError, match="hidden"):
                Record(game, options, ("N",) * options.players, DATE, (), position=last.view(None).to_text())
            return
    pytest.skip("nothing is ever hidden in this game")


# --- Files -------------------------------------------------------------------------------------


@every_game
def test_a_saved_record_is_loaded_back(game: AnyGame, tmp_path: Path) -> None:
    record = replace(unfinished(game), seats=("Zoë",) * len(unfinished(game).seats))
    record.save(tmp_path / "game.txt")
    record.save(str(tmp_path / "game.txt"))
    assert Record.load(tmp_path / "game.txt") == Record.load(str(tmp_path / "game.txt")) == record
    assert (tmp_path / "game.txt").read_bytes() == record.to_text().encode()
    assert os.listdir(tmp_path) == ["game.txt"]


@every_game
def test_invalid_bytes_are_refused_with_their_line(game: AnyGame, tmp_path: Path) -> None:
    raw = unfinished(game).to_text().encode()
    for line in range(1, raw.count(b"\n") + 1):
        parts = raw.split(b"\n")
        parts[line - 1] += b"\xff"
        (tmp_path / "game.txt").write_bytes(b"\n".join(parts))
        with pytest.raises(RecordError, match="not UTF-8 text") as caught:
            Record.load(tmp_path / "game.txt")
        assert caught.value.line == line


def broken(*_: object) -> None:
    raise OSError("the disk is full")


@every_game
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_save_that_fails_leaves_the_old_file_whole_and_no_other(
    game: AnyGame, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    unfinished(game).save(path)
    monkeypatch.setattr(os, step, broken)
    with pytest.raises(OSError, match="full"):
        finished(game).save(path)
    assert os.listdir(tmp_path) == ["game.txt"]
    assert Record.load(path) == unfinished(game)


@every_game
def test_an_invalid_record_is_not_saved(game: AnyGame, tmp_path: Path) -> None:
    actions = finished(game).actions
    with pytest.raises(IllegalActionError):
        replace(finished(game), actions=(*actions, actions[-1])).save(tmp_path / "game.txt")
    assert os.listdir(tmp_path) == []
