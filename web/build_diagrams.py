"""The diagrams of the rulebooks: positions as texts in rulebooks, as the page draws them in src/rulebooks.

python web/build_diagrams.py      writes them; a test fails if they are out of date
"""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tripot
from tripot.game import Fact

HERE = Path(__file__).parent
TEXTS = HERE / "rulebooks"
DRAWN = HERE / "src" / "rulebooks"


def texts() -> dict[str, dict[str, Any]]:
    """The diagrams of each game by clause: a position, captions, and perhaps actions to mark or to try."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(TEXTS.glob("*.toml"))}


def made() -> dict[str, str]:
    """What the page draws, as the text of a file for each game."""
    return {
        key: json.dumps({clause: _drawn(**each) for clause, each in clauses.items()}, ensure_ascii=False)
        + "\n"
        for key, clauses in texts().items()
    }


def _drawn(position: str, lit: Sequence[str] = (), action: str = "", **captions: str) -> dict[str, Any]:
    """A diagram: the props of the game's Diagram component, and its caption by language.

    The view has the legal actions to be shown only. With an action, the diagram shows what it would do.
    """
    state = tripot.parse_state(position)
    if illegal := {*lit} - {str(action) for action in state.legal_actions()}:
        raise ValueError(f"not legal in {position}: {illegal}")
    diagram: dict[str, Any] = {"view": {**state.to_json(), "legal": [*lit]}}
    if lit:
        diagram["toAct"] = state.to_act
    if action:
        preview = state.preview(tripot.get_game(position.split()[0]).parse_action(action))
        effects, error = (
            [_fact(effect) for effect in preview.effects],
            preview.error and _fact(preview.error.fact),
        )
        diagram["preview"] = {"action": action, "effects": effects, "error": error}
    return diagram | {"caption": captions}


def _fact(fact: Fact) -> dict[str, Any]:
    return {"clause": fact.clause, "key": fact.key, "values": dict(fact.values), "text": ""}


if __name__ == "__main__":
    for key, text in made().items():
        (DRAWN / f"{key}.json").write_text(text, encoding="utf-8")
