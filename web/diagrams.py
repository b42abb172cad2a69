"""The diagrams of the rulebooks: positions as texts in rulebooks, as the page draws them in src/rulebooks.

python web/diagrams.py      writes them anew; a test says when that is due
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import tripot

HERE = Path(__file__).parent
TEXTS = HERE / "rulebooks"
DRAWN = HERE / "src" / "rulebooks"


def texts() -> dict[str, dict[str, Any]]:
    """The diagrams of each game by clause: a position, what is to be seen in it, and actions to light."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(TEXTS.glob("*.toml"))}


def made() -> dict[str, str]:
    """What the page draws, as the text of a file for each game."""
    return {
        key: json.dumps({clause: _drawn(**each) for clause, each in clauses.items()}, ensure_ascii=False)
        + "\n"
        for key, clauses in texts().items()
    }


def _drawn(position: str, lit: list[str] | None = None, **captions: str) -> dict[str, Any]:
    """What is drawn, with some of the legal actions lit for the seat that has them."""
    state = tripot.load(position)
    if strange := set(lit or ()) - {str(action) for action in state.legal()}:
        raise ValueError(f"not legal in {position}: {strange}")
    view = state.json() | {"legal": lit or []} | ({"to_act": state.to_act} if lit else {})
    return {"view": view, **captions}


if __name__ == "__main__":
    for key, text in made().items():
        (DRAWN / f"{key}.json").write_text(text, encoding="utf-8")
