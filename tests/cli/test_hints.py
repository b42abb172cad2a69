"""Hints in the terminal: they give a reason, and neither it nor the move is ever cut off."""

from __future__ import annotations

import pytest
from tests.cli.screens import CASES, Screens, table_after, variants

from tripot import i18n
from tripot.cli.game_screen import hint_text
from tripot.game import Analysis, AnyGame, Candidate, ExpectedOutcome, Preview, fact


@pytest.mark.kernel
@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), CASES, ids=lambda each: getattr(each, "key", each))
def test_every_hint_has_a_reason_and_is_shown_whole(screens: Screens, game: AnyGame, players: int) -> None:
    """Without facts a hint was only a move: with bonuses by hand, in teams, and while tiles are laid."""
    for options in variants(game, players):
        for share in (0.0, 0.6):
            table = table_after(game, options, share)
            if not isinstance(table.to_act, int):
                continue  # the game was over
            screen, _ = screens(table, iter(["", "hint"]), 80)[-1]
            lines = screen.split("\n")
            start = next((number for number, line in enumerate(lines) if line.startswith("Hint: ")), None)
            assert start is not None, f"{options}:\n{screen}"
            hint = " ".join(lines[start:-1])
            move, _, reasons = hint.removeprefix("Hint: ").partition(". ")
            assert move in {str(action) for action in table.state.legal_actions()}
            first = reasons.split("Principal variation:")[0].split("Next best:")[0].strip()
            assert first.endswith("."), f"{options}: {hint}"


def test_a_move_of_which_nothing_is_known_is_recommended_by_what_it_does(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = toy_game.parse_state("tally 5 1,3 0,0 1 heap=5")
    action = view.legal_actions()[0]
    monkeypatch.setattr(type(view), "preview", lambda *_: Preview((fact("TABLE", "over"),)))
    text = hint_text(toy_game, view, Analysis((Candidate(action, 0.5),)), None)
    assert text == f"Hint: {action}. {i18n.render(toy_game, fact('TABLE', 'over'))}"


def test_the_last_reason_is_how_often_a_move_wins(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    view = toy_game.parse_state("tally 5 1,3 0,0 1 heap=5")
    action = view.legal_actions()[0]
    monkeypatch.setattr(type(view), "preview", lambda *_: Preview())
    best = Candidate(action, 0.0, expected=ExpectedOutcome(0.5, ()))
    known = (fact("TABLE", "over"),)
    text = hint_text(toy_game, view, Analysis((best,), known), None)
    sentence = i18n.render(toy_game, known[0])
    assert text == f"Hint: {action}. Expected share of wins: 50%. {sentence}"


def test_the_continuation_of_a_hint_is_shortened_before_its_reasons(toy_game: AnyGame) -> None:
    view = toy_game.parse_state("tally 5 1,3 0,0 1 heap=5")
    actions = view.legal_actions()
    best = Candidate(actions[0], 0.5, (actions[0],) * 40, (fact("TABLE", "over"),) * 4)
    analysis = Analysis((best, *(Candidate(action, 0.0) for action in actions[1:])))
    whole = hint_text(toy_game, view, analysis, None).split("\n")
    assert whole[1].count(str(actions[0])) == 40
    for lines in range(1, 12):
        texts = hint_text(toy_game, view, analysis, lines).split("\n")
        assert texts[0] == whole[0] or (lines < 2 and len(texts) == 1)
        assert whole[0].startswith(texts[0]), "the last reasons are left out first"
        assert "The game is over." in texts[0], "one reason is always given"
        if len(texts) > 1:
            assert texts[1] == whole[1] or (len(texts[1]) <= 80 and texts[1].endswith(" …"))
