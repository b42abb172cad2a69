"""The diagrams of the rulebooks: positions as texts in rulebooks, as the page draws them in src/rulebooks.

python web/diagrams.py      writes them anew; a test says when that is due
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
    """The diagrams of each game by clause: a position, captions, and perhaps actions to light or to try."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(TEXTS.glob("*.toml"))}


def made() -> dict[str, str]:
    """What the page draws, as the text of a file for each game."""
    return {
        key: json.dumps({clause: _drawn(**each) for clause, each in clauses.items()}, ensure_ascii=False)
        + "\n"
        for key, clauses in texts().items()
    }


def _drawn(position: str, lit: Sequence[str] = (), action: str = "", **captions: str) -> dict[str, Any]:
    """A position, with legal actions lit for whose they are, or with one tried and what it would bring."""
    state = tripot.parse_state(position)
    if strange := {*lit} - {str(each) for each in state.legal_actions()}:
        raise ValueError(f"not legal in {position}: {strange}")
    view = state.to_json() | {"legal": [*lit]} | ({"to_act": state.to_act} if lit else {})
    if action:
        seen = state.preview(tripot.get_game(position.split()[0]).parse_action(action))
        effects, error = [_fact(each) for each in seen.effects], seen.error and _fact(seen.error.fact)
        view["tries"] = {"action": action, "effects": effects, "error": error}
    return {"view": view, **captions}


def _fact(fact: Fact) -> dict[str, Any]:
    return {"clause": fact.clause, "key": fact.key, "values": dict(fact.values), "text": ""}


if __name__ == "__main__":
    for key, text in made().items():
        (DRAWN / f"{key}.json").write_text(text, encoding="utf-8")
