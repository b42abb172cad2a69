"""The booklet's worked cases and examples: each position, its printed sets and its printed total."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tripot.game import Fact
from tripot.games.triolet import GAME
from tripot.games.triolet.rules import State

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = tomllib.loads((GOLDEN / "examples.toml").read_text("utf-8"))["example"]


def printed(fact: Fact) -> str:
    """A line of a breakdown as the golden file writes it."""
    values = dict(fact.values)
    match fact.clause, fact.key:
        case "TO-4" | "TO-6", "pair":
            return f"{values['tokens']} = {values['points']}"
        case "TO-4", "trio":
            return f"trio {values['tokens']} = {values['points']}"
        case "TO-6", "trio":
            return f"trio {values['tokens']} ×{values['factor']} = {values['points']}"
        case "TO-5", "bonus":
            return f"triolet +{values['points']}"
    return f"{fact.key} {values['points']}"


def load(example: dict[str, Any]) -> State:
    return GAME.parse_state(f"triolet {example['board']} racks={example['rack']}/?,?,?")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_TO_6_the_booklets_examples_have_their_printed_sets_and_totals(example: dict[str, Any]) -> None:
    state, move = load(example), GAME.parse_action(example["move"])
    assert move in state.legal_actions() or "?" in example["rack"]
    *sets, total = map(printed, state.preview(move).effects)
    assert sets == example["sets"]
    assert total == f"total {example['total']}"
    assert state.apply(move).scores == (example["total"], 0)


def test_TO_6_every_case_and_every_example_is_there() -> None:
    names = [example["name"] for example in EXAMPLES]
    assert [name for name in names if name.startswith("n°")] == [f"n°{number}" for number in range(21, 41)]
    assert len({name.split(", ")[0] for name in names} - {f"n°{number}" for number in range(21, 41)}) == 3
