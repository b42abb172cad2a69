"""`tripot play`: whole games typed in at the prompt."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from tests.cli.fixed_engines import FixedEngine, FixedValueEngine
from typer.testing import Result

import tripot
from tripot import i18n
from tripot.cli import console
from tripot.game import (
    AnyGame,
    Engine,
    IllegalActionError,
)
from tripot.record import Record
from tripot.table import Player, Table

Run = Callable[..., Result]
TWO = ("--seats", "Ann,Bob", "--seed", 1)
QUICK = ("--seconds", "0.01", "--simulations", 1)


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def kept(saves_home: Path) -> list[Record]:
    return [Record.load(file) for file in sorted(saves_home.rglob("*.txt"))]


# --- whole games ---------------------------------------------------------------------------------


def test_two_people_play_a_whole_game(
    run_cli: Run, game: AnyGame, played_record: Record, typed_moves: list[str], saves_home: Path
) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed(*typed_moves)).output
    assert played_record.outcome
    assert console.outcome_text(game, played_record.outcome) in " ".join(shown.split())
    assert "tripot replay" in shown
    assert [record.actions for record in kept(saves_home)] == [played_record.actions]


def test_moves_can_be_typed_by_their_number(
    run_cli: Run, game: AnyGame, played_record: Record, saves_home: Path
) -> None:
    states = zip(played_record.states(), played_record.actions, strict=False)
    numbers = [str(s.legal_actions().index(a) + 1) for s, a in states if isinstance(s.to_act, int)]
    run_cli("play", game.key, *TWO, lines=typed(*numbers))
    assert kept(saves_home)[0].actions == played_record.actions


@pytest.mark.kernel
def test_bots_play_alone_and_the_same_seed_gives_the_same_game(
    run_cli: Run, game: AnyGame, saves_home: Path
) -> None:
    for _ in range(2):
        shown = run_cli("play", game.key, "--seats", "bot1,bot2", "--seed", 4, *QUICK).output
        assert f"{i18n.seat_name(game, 0)} (level 1): " in shown
        assert f"{i18n.seat_name(game, 1)} (level 2): " in shown
    one, two = kept(saves_home)
    assert one == two
    assert one.outcome


@pytest.mark.kernel
def test_the_default_is_a_person_first_and_bots_of_the_middle_level(
    run_cli: Run, game: AnyGame, saves_home: Path
) -> None:
    run_cli("play", game.key, "--seed", 1, *QUICK, lines="1\n")
    assert kept(saves_home)[0].seats == ("me", f"level {game.levels[len(game.levels) // 2]}")


def test_one_engine_plays_a_seat_and_one_gives_hints_for_the_whole_game(
    run_cli: Run, game: AnyGame, saves_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine keeps its search tree from move to move, also after an undo."""
    levels: list[int] = []

    def engine(_game: AnyGame, level: int) -> Engine:
        levels.append(level)
        return FixedValueEngine(0.0)

    monkeypatch.setattr(type(game), "engine", engine)
    lines = typed("hint", "1", "undo", "hint", "1", "hint", "1")
    run_cli("play", game.key, "--seats", "Ann,bot1", "--seed", 1, lines=lines)
    assert len(kept(saves_home)[0].actions) > 3
    assert sorted(levels) == [1, game.levels[-1]]


# --- quitting and resuming -----------------------------------------------------------------------


@pytest.mark.parametrize("last", ["", "quit\n", "q\n"])
def test_quitting_says_how_to_resume(
    run_cli: Run, game: AnyGame, typed_moves: list[str], saves_home: Path, last: str
) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed(*typed_moves[:3]) + last).output
    (file,) = saves_home.rglob("*.txt")
    assert f"tripot play --resume {file}" in shown


def test_every_action_is_saved_at_once_and_the_game_resumes(
    run_cli: Run, game: AnyGame, played_record: Record, typed_moves: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "ours.txt"
    run_cli("play", game.key, *TWO, "--save", file, lines=typed(*typed_moves[:3]))
    assert (
        Record.load(file).actions
        == played_record.actions[: len(played_record.actions) - len(typed_moves) + 3]
    )
    run_cli("play", game.key, "--resume", file, lines=typed(*typed_moves[3:]))
    whole = Record.load(file)
    assert (whole.actions, whole.outcome, whole.seats) == (
        played_record.actions,
        played_record.outcome,
        ("Ann", "Bob"),
    )


def test_a_game_that_is_over_resumes_to_its_ending(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path
) -> None:
    played_record.save(tmp_path / "over.txt")
    assert played_record.outcome
    shown = run_cli("play", game.key, "--resume", tmp_path / "over.txt").output
    assert i18n.render(game, played_record.outcome.reason) in " ".join(shown.split())


@pytest.mark.kernel
def test_others_may_take_the_seats_of_a_resumed_game(
    run_cli: Run, game: AnyGame, typed_moves: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "ours.txt"
    run_cli("play", game.key, *TWO, "--save", file, lines=typed(typed_moves[0]))
    run_cli("play", game.key, "--resume", file, "--seats", "bot1,Cid", *QUICK, lines="1\n")
    assert Record.load(file).seats == ("level 1", "Cid")


@pytest.mark.kernel
def test_a_bot_of_a_level_that_was_removed_plays_on_at_the_top_level(
    run_cli: Run, toy_game: AnyGame, tmp_path: Path
) -> None:
    """A game that has fewer levels than when it was recorded could not be resumed."""
    file, top = tmp_path / "ours.txt", toy_game.levels[-1]
    Table(toy_game, toy_game.Options(), [Player("Ann"), Player("level 15")]).record().save(file)
    shown = run_cli("play", toy_game.key, "--resume", file, *QUICK, lines="1\n").output
    assert "invalid player" not in shown
    assert Record.load(file).seats == ("Ann", f"level {top}")


def test_a_game_without_actions_leaves_no_file(run_cli: Run, game: AnyGame, saves_home: Path) -> None:
    assert "Goodbye." in run_cli("play", game.key, *TWO).output
    assert not kept(saves_home)


def test_games_are_kept_side_by_side(run_cli: Run, game: AnyGame, saves_home: Path) -> None:
    for _ in range(3):
        run_cli("play", game.key, *TWO, lines="1\n")
    assert len(kept(saves_home)) == 3


# --- where it begins -----------------------------------------------------------------------------


@pytest.mark.parametrize("with_key", [True, False])
def test_a_game_begins_from_a_position(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path, with_key: bool
) -> None:
    position = list(played_record.states())[5].to_text()
    text = position if with_key else position.removeprefix(f"{game.key} ")
    run_cli("play", game.key, "--from", text, "--seats", "a,b", "--save", tmp_path / "g.txt", lines="1\n")
    assert Record.load(tmp_path / "g.txt").position == position


def test_real_dice_and_draws_are_typed_in_by_hand(
    run_cli: Run, game: AnyGame, played_record: Record, typed_moves: list[str], saves_home: Path
) -> None:
    chances = len(played_record.actions) - len(typed_moves)
    lines = ["nonsense", *map(str, played_record.actions[: chances + 2])]
    shown = run_cli("play", game.key, "--seats", "a,b", "--real-dice", lines=typed(*lines)).output
    assert "Cannot read 'nonsense'" in shown
    assert kept(saves_home)[0].actions == played_record.actions[: chances + 2]


def test_the_number_of_seats_sets_the_number_of_players(
    run_cli: Run, game: AnyGame, saves_home: Path
) -> None:
    form = {entry["name"]: entry for entry in game.Options.schema()}
    most = int(form["players"]["choices"][-1])
    names = ",".join("abcdefgh"[:most])
    run_cli("play", game.key, "--seats", names, "--seed", 1, lines="1\n")
    assert kept(saves_home)[0].options.players == most


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seats", "a"], "option players=1"),
        (["--seats", "a,b", "-o", "players=9"], "choose one of"),
        (["--seats", "a,bot99"], "invalid player 'bot99'"),
        (["--seats", "a,"], "is no name"),
        (["-o", "nonsense=1"], "no such option"),
        (["--from", "nonsense"], "cannot read"),
        (["--from", "x", "-o", "players=2"], "its own options"),
    ],
)
def test_invalid_start_options_are_one_line(
    run_cli: Run, game: AnyGame, arguments: list[str], message: str
) -> None:
    result = run_cli("play", game.key, *arguments, code=2)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout


def test_seats_must_match_the_option_players(run_cli: Run, game: AnyGame) -> None:
    result = run_cli("play", game.key, "--seats", "a,b,c", "-o", "players=2", code=2)
    assert "expected 2 players, got 3" in result.stderr


def test_a_record_is_never_overwritten_by_another_game(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path
) -> None:
    played_record.save(tmp_path / "old.txt")
    assert "exists already" in run_cli("play", game.key, "--save", tmp_path / "old.txt", code=2).stderr


def test_a_resumed_game_keeps_its_options(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path
) -> None:
    played_record.save(tmp_path / "old.txt")
    result = run_cli("play", game.key, "--resume", tmp_path / "old.txt", "-o", "players=2", code=2)
    assert "leave out -o" in result.stderr


def test_a_record_of_another_game_is_not_resumed(
    run_cli: Run, toy_game: AnyGame, game: AnyGame, played_record: Record, tmp_path: Path
) -> None:
    played_record.save(tmp_path / "other.txt")
    result = run_cli("play", toy_game.key, "--resume", tmp_path / "other.txt", code=2)
    assert f"is a record of {game.title}, not of {toy_game.title}" in result.stderr


# --- at the prompt -------------------------------------------------------------------------------


def a_refused_action(played_record: Record) -> tuple[str, IllegalActionError]:
    """A readable action that the rules forbid at the first prompt of that game."""
    first = next(state for state in played_record.states() if isinstance(state.to_act, int))
    for action in reversed(played_record.actions):
        if refusal := first.preview(action).error:
            return str(action), refusal
    raise AssertionError("everything was allowed at once")


def test_a_refusal_names_its_clause_and_the_command_that_prints_it(
    run_cli: Run, game: AnyGame, played_record: Record, typed_moves: list[str], saves_home: Path
) -> None:
    text, refusal = a_refused_action(played_record)
    clause = refusal.fact.clause
    shown = run_cli("play", game.key, *TWO, lines=typed(text, f"rules {clause}", typed_moves[0])).output
    flat = " ".join(shown.split())
    assert i18n.render(game, refusal.fact) in flat
    assert f"rules {clause}" in flat
    assert i18n.clauses(game)[clause].split()[0] in flat
    assert str(kept(saves_home)[0].actions[-1]) == typed_moves[0], "the refusal changed nothing"


def test_unreadable_text_gets_its_reason(run_cli: Run, game: AnyGame) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed("What now?")).output
    assert "Cannot read 'What now?'" in shown
    assert "type help" in shown


def test_capital_letters_do_not_matter(
    run_cli: Run, game: AnyGame, typed_moves: list[str], saves_home: Path
) -> None:
    run_cli("play", game.key, *TWO, lines=typed(typed_moves[0].upper(), "QUIT"))
    assert str(kept(saves_home)[0].actions[-1]) == typed_moves[0]


def test_the_prompt_names_the_seat_and_says_what_is_asked(
    run_cli: Run, game: AnyGame, played_record: Record
) -> None:
    first = next(state for state in played_record.states() if isinstance(state.to_act, int))
    flat = " ".join(run_cli("play", game.key, *TWO).output.split())
    assert f"{i18n.seat_name(game, 0)} (Ann): {i18n.render(game, first.prompt)}" in flat
    assert f"{i18n.seat_name(game, 0)}> " in flat


def test_the_last_moves_are_shown_under_the_board(
    run_cli: Run, game: AnyGame, typed_moves: list[str]
) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed(*typed_moves[:2])).output
    seats = [i18n.seat_name(game, seat) for seat in (0, 1)]
    assert f"{seats[0]} {typed_moves[0]}" in shown


def test_undo_takes_the_last_move_of_a_person_back(
    run_cli: Run, game: AnyGame, played_record: Record, typed_moves: list[str], saves_home: Path
) -> None:
    run_cli("play", game.key, *TWO, lines=typed(typed_moves[0], typed_moves[1], "undo", "undo", "quit"))
    assert len(kept(saves_home)[0].actions) == len(played_record.actions) - len(typed_moves)


@pytest.mark.kernel
def test_undo_takes_the_bots_answer_back_too(
    run_cli: Run, game: AnyGame, typed_moves: list[str], saves_home: Path
) -> None:
    run_cli("play", game.key, "--seed", 1, *QUICK, lines=typed(typed_moves[0], "undo", typed_moves[0]))
    assert str(kept(saves_home)[0].actions[-2]) == typed_moves[0]


def test_undo_without_an_action_to_undo_is_refused(run_cli: Run, game: AnyGame) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed("undo")).output
    assert "has played nothing that could be taken back" in shown


@pytest.mark.kernel
def test_a_hint_is_a_legal_action_and_changes_nothing(
    run_cli: Run, game: AnyGame, played_record: Record, saves_home: Path
) -> None:
    first = next(state for state in played_record.states() if isinstance(state.to_act, int))
    shown = run_cli("play", game.key, *TWO, *QUICK, lines=typed("hint")).output
    assert any(f"Hint: {action}." in shown for action in first.legal_actions())
    assert not kept(saves_home)


def test_a_hint_shows_expected_outcome_principal_variation_and_next_best_moves(
    run_cli: Run, game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedEngine())
    shown = run_cli("play", game.key, *TWO, lines=typed("hint")).output
    names = [i18n.seat_name(game, seat) for seat in range(2)]
    hint = rf"Hint: (\S+)\. .*62% \+5 points \({names[0]} 3, {names[1]} -2\)\. Principal variation: \1 \S+ "
    assert re.search(rf"{hint}Next best: \S+ 40% -1 point", " ".join(shown.split())), shown


def test_a_hint_is_shown_on_a_distance_map_if_there_is_one(
    run_cli: Run, game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedEngine())
    first = run_cli("play", game.key, *TWO, lines=typed("hint map")).output
    assert "no distance map" not in first
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedValueEngine(0.5))
    second = run_cli("play", game.key, *TWO, lines=typed("hint map", "hint me")).output
    assert "This position has no distance map.\nHint: " in second
    assert "expected `hint` or `hint map`" in second


def test_list_shows_the_legal_actions_with_a_prefix(
    run_cli: Run, game: AnyGame, played_record: Record
) -> None:
    first = next(state for state in played_record.states() if isinstance(state.to_act, int))
    shown = run_cli("play", game.key, *TWO, lines=typed("list", "list @")).output
    assert all(f"{number:>3} {action}" in shown for number, action in enumerate(first.legal_actions(), 1))
    assert "Nothing in the list begins with '@'." in shown
    announced = " ".join(i18n.render(game, announcement) for announcement in first.announcements)
    assert announced in " ".join(shown.split("begins with '@'.")[1].split())


def test_help_lists_every_word_that_can_be_typed(run_cli: Run, game: AnyGame) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed("help", "?")).output
    for word in ("list", "hint", "undo", "draw", "resign", "rules", "save FILE", "quit"):
        assert shown.count(f"\n  {word}") == 2


def test_enter_shows_the_board_again(run_cli: Run, game: AnyGame, played_record: Record) -> None:
    first = next(state for state in played_record.states() if isinstance(state.to_act, int))
    assert run_cli("play", game.key, *TWO, lines="\n\n").output.count(str(first)) == 3


def test_rules_shows_the_rulebook_and_refuses_unknown_clauses(run_cli: Run, game: AnyGame) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed("rules", "rules ZZ-99")).output
    flat = " ".join(shown.split())
    assert all(number in flat for number in i18n.clauses(game))
    assert "has no clause ZZ-99" in flat


def test_save_writes_the_game_so_far(
    run_cli: Run, game: AnyGame, typed_moves: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "with a space.txt"
    shown = run_cli("play", game.key, *TWO, lines=typed(typed_moves[0], f"save {file}", "save")).output
    assert str(Record.load(file).actions[-1]) == typed_moves[0]
    assert "expected the name of a file after `save`" in shown


def test_a_file_that_cannot_be_written_does_not_end_the_game(
    run_cli: Run, game: AnyGame, typed_moves: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    blocked = tmp_path / "file" / "game.txt"
    result = run_cli(
        "play", game.key, *TWO, "--save", blocked, lines=typed(*typed_moves[:2], f"save {blocked}")
    )
    assert "is not saved: cannot write" in result.stderr
    assert "Cannot write" in result.stdout
    assert result.stdout.count(f"{i18n.seat_name(game, 0)}> ") == 3


def test_resigning_needs_confirmation(run_cli: Run, game: AnyGame, saves_home: Path) -> None:
    shown = run_cli("play", game.key, *TWO, lines=typed("resign", "n", "resign", "y")).output
    assert f"{i18n.seat_name(game, 1)} wins." in shown
    outcome = kept(saves_home)[0].outcome
    assert outcome is not None
    assert i18n.render(game, outcome.reason) in shown


# --- draws ---------------------------------------------------------------------------------------


def test_a_draw_is_agreed_between_people(
    run_cli: Run, game: AnyGame, typed_moves: list[str], saves_home: Path
) -> None:
    assert game.draw_clause
    shown = run_cli("play", game.key, *TWO, lines=typed(typed_moves[0], "draw", "n", "draw", "y")).output
    assert f"{i18n.seat_name(game, 0)} (Ann) plays on." in shown
    outcome = kept(saves_home)[0].outcome
    assert outcome
    assert not outcome.winners


def test_a_game_without_draws_by_agreement_refuses_the_offer(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("play", toy_game.key, "--seed", 1, lines=typed("draw")).output
    assert "This game has no draw by agreement." in shown


@pytest.mark.parametrize(("value", "agrees"), [(-0.5, False), (0.0, False), (0.5, True)])
def test_a_bot_accepts_an_early_draw_only_if_it_is_worse(
    run_cli: Run, game: AnyGame, saves_home: Path, monkeypatch: pytest.MonkeyPatch, value: float, agrees: bool
) -> None:
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedValueEngine(value))
    shown = run_cli("play", game.key, "--seed", 1, lines=typed("1", "draw")).output
    assert ("plays on." not in shown) == agrees
    assert bool(kept(saves_home)[0].outcome) == agrees


# --- skipped turns -------------------------------------------------------------------------------


def skip_second(monkeypatch: pytest.MonkeyPatch, game: AnyGame) -> str:
    """Let every action of a seat skip a turn of the second seat; return what is then said."""
    monkeypatch.setattr(
        type(game.initial_state()),
        "skipped_by",
        lambda state, _: (1,) if isinstance(state.to_act, int) else (),
    )
    return f"{i18n.seat_name(game, 1)} cannot play and is skipped."


def test_skipped_turns_are_said_where_only_bots_act(
    run_cli: Run, game: AnyGame, saves_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were said before the turn of a person only, who may never act again."""
    said = skip_second(monkeypatch, game)
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedValueEngine(0.0))
    shown = run_cli("play", game.key, "--seats", "bot1,bot1", "--seed", 1).output
    acted = [seat for seat, _ in _log(kept(saves_home)[0]) if seat is not None]
    assert " ".join(shown.split()).count(said) == len(acted)


def test_skipped_turns_are_said_after_the_last_action(
    run_cli: Run, game: AnyGame, typed_moves: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = skip_second(monkeypatch, game)
    shown = run_cli("play", game.key, *TWO, lines=typed(*typed_moves)).output
    assert " ".join(shown.split()).count(said) == len(typed_moves)


def test_after_an_undo_earlier_skipped_turns_are_not_said_again(
    run_cli: Run, game: AnyGame, typed_moves: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = skip_second(monkeypatch, game)
    shown = run_cli("play", game.key, *TWO, lines=typed(*typed_moves[:3], "undo", "quit")).output
    assert " ".join(shown.split()).count(said) == 3


def _log(record: Record) -> list[tuple[int | None, str]]:
    states = zip(record.states(), record.actions, strict=False)
    return [
        (state.to_act if isinstance(state.to_act, int) else None, str(action)) for state, action in states
    ]


# --- input ---------------------------------------------------------------------------------------


def test_input_that_is_not_utf_8_is_an_unreadable_move(run_cli: Run, game: AnyGame) -> None:
    """It ended the game with a traceback."""
    shown = run_cli("play", game.key, *TWO, lines=b"\xff\xfe\nquit\n").output
    assert "Cannot read" in shown
    assert "Goodbye." in shown


# --- hidden information --------------------------------------------------------------------------


def test_the_up_arrow_does_not_show_what_the_other_person_typed(
    run_cli: Run, toy_game: AnyGame, game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exchanges and other hidden moves stayed in the history of the input line."""
    cleared: list[None] = []
    editor = SimpleNamespace(clear_history=lambda: cleared.append(None))
    monkeypatch.setitem(sys.modules, "readline", editor)
    run_cli("play", toy_game.key, *TWO, lines=typed("", "take 2", "", "take 2", "", "quit"))
    assert len(cleared) == 3, "each time that the screen is handed over"
    run_cli("play", game.key, *TWO, lines=typed("1", "1", "quit"))
    assert len(cleared) == 3, "nothing is hidden in this game"


def test_people_hand_over_the_screen_if_information_is_hidden(run_cli: Run, toy_game: AnyGame) -> None:
    lines = typed("", "take 2", "", "take 2", "", "take 1")
    shown = run_cli("play", toy_game.key, *TWO, lines=lines).output
    assert shown.count("Pass the screen to") == 3
    first, second = shown.split("Pass the screen to Second (Bob)")[:2]
    card = next(text for text in ("(1, 0)", "(2, 0)", "(3, 0)") if text in first)
    assert card not in second.split("Pass the screen")[0]


def test_one_person_against_a_bot_does_not_hand_over_the_screen(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("play", toy_game.key, "--seed", 1, lines=typed("1", "1", "1", "1", "1")).output
    assert "Pass the screen" not in shown
    assert "Scores: First" in shown


def test_people_do_not_hand_over_the_screen_if_nothing_is_hidden(
    run_cli: Run, game: AnyGame, typed_moves: list[str]
) -> None:
    assert "Pass the screen" not in run_cli("play", game.key, *TWO, lines=typed(*typed_moves[:4])).output


def test_hidden_parts_of_an_action_are_not_shown_to_the_next_player(run_cli: Run, tmp_path: Path) -> None:
    """In every game in which a player may do something that the others do not see."""
    checked = 0
    for game in tripot.list_games():
        table = Table(game, game.Options.parse("players=2"), [Player("Ann"), Player("Bob")])
        table.run_chance(Random(3))
        redacted = {str(action): table.state.redact(action, 1) for action in table.state.legal_actions()}
        hidden = [text for text, visible in redacted.items() if visible != text]
        if not hidden:
            continue
        table.record().save(file := tmp_path / f"{game.key}.txt")
        lines = typed("", hidden[-1], "", "quit")
        shown = run_cli("play", game.key, "--resume", file, "--seed", 3, lines=lines).output
        after = shown.split("Pass the screen to")[-1]
        assert redacted[hidden[-1]] in after
        assert hidden[-1] not in after
        checked += 1
    assert checked


# --- the window ----------------------------------------------------------------------------------


@pytest.mark.kernel
def test_board_and_prompt_fit_into_a_window_of_80_by_30(
    run_cli: Run,
    game: AnyGame,
    played_record: Record,
    typed_moves: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(console.console, "_force_terminal", True)
    monkeypatch.setattr(console.console, "_width", 80)
    monkeypatch.setattr(console.console, "_height", 30)
    text, _ = a_refused_action(played_record)
    lines = typed(text, "nonsense", "hint", *typed_moves[:20])
    shown = run_cli("play", game.key, *TWO, *QUICK, lines=lines).output
    screens = shown.split("\x1b[2J")[1:]
    assert len(screens) > len(typed_moves[:20])
    for screen in screens[:-1]:
        assert screen.count("\n") <= 30, screen


# --- again ---------------------------------------------------------------------------------------


def test_a_game_is_played_again_with_the_same_chance(
    run_cli: Run,
    game: AnyGame,
    played_record: Record,
    typed_moves: list[str],
    tmp_path: Path,
    saves_home: Path,
) -> None:
    file = tmp_path / "first.txt"
    played_record.save(file)
    run_cli("play", game.key, "--same-chance-as", file, "--seed", 99, lines=typed(*typed_moves))
    assert kept(saves_home)[0].actions == played_record.actions


def test_same_chance_as_excludes_another_start(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path
) -> None:
    file = tmp_path / "first.txt"
    played_record.save(file)
    shown = run_cli("play", game.key, "--same-chance-as", file, "-o", "players=2", code=2).output
    assert "leave out -o, --players, --from and --resume" in shown


def test_players_is_named_where_it_cannot_be_given(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path
) -> None:
    """The message said to leave out -o, which had not been typed."""
    file = tmp_path / "first.txt"
    played_record.save(file)
    start = played_record.final_state.to_text()
    for arguments in (("--resume", file), ("--same-chance-as", file), ("--from", start)):
        shown = run_cli("play", game.key, "--players", 2, *arguments, code=2).output
        assert "--players" in shown


def test_a_file_of_another_session_is_never_overwritten(run_cli: Run, game: AnyGame, tmp_path: Path) -> None:
    """`save` once wrote over anything; it may overwrite only files that the same game wrote."""
    precious, own = tmp_path / "precious.txt", tmp_path / "own.txt"
    precious.write_text("precious", "utf-8")
    lines = typed(f"save {precious}", f"save {own}", f"save {own}", "quit")
    shown = run_cli("play", game.key, *TWO, lines=lines).output
    assert precious.read_text("utf-8") == "precious"
    assert "exists already" in " ".join(shown.split()), "wherever a long path breaks the line"
    assert Record.load(own).game is game


def test_the_end_of_an_action_is_enough_if_it_is_unique(
    run_cli: Run, toy_game: AnyGame, saves_home: Path
) -> None:
    run_cli("play", toy_game.key, "--seats", "Ann,Bob", "--seed", 1, lines=typed("", "3", "", "2"))
    assert [str(action) for action in kept(saves_home)[0].actions][1:] == ["take 3", "take 2"]


def test_a_number_without_a_list_is_explained(run_cli: Run, game: AnyGame) -> None:
    """It was refused as a move that cannot be read, although help says that numbers may be typed."""
    shown = run_cli("play", game.key, "--seats", "a,b", "--seed", 1, lines="99\nquit\n").output
    assert "Cannot read '99': the numbers end at 3" in shown
    option = ("-o", "layout=drafted")
    shown = run_cli("play", game.key, "--seats", "a,b", "--seed", 1, *option, lines="7\nquit\n").output
    assert "Cannot read '7': type list to see the numbers" in shown
