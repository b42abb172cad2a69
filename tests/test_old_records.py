"""Records that version 0.2.0 wrote can still be parsed and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

import tripot
from tripot.record import Record, RecordError

RECORDS = sorted((Path(__file__).parent / "data" / "records-0.2.0").glob("*.txt"))


def change_of_rules(text: str) -> str:
    """What the rules do differently now in the game of a record of version 1; empty if nothing."""
    headers = {name: value.strip() for name, _, value in (line.partition(":") for line in text.split("\n"))}
    game = tripot.get_game(headers["game"])
    return game.changes_since(1, game.Options.parse(headers["options"])) if game.version > 1 else ""


def test_there_are_records_of_every_game_of_that_version() -> None:
    keys = {path.stem.partition("-")[0] for path in RECORDS}
    assert len(keys) == 4
    assert keys <= {game.key for game in tripot.list_games()}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_of_the_previous_version_is_read_and_written_as_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if change := change_of_rules(text):
        with pytest.raises(RecordError, match=f"line 3: it was played with version 1 of the rules.*{change}"):
            Record.parse(text)
        return
    record = Record.parse(text)
    assert record.to_text() == text
    assert (record.outcome is not None) == path.stem.endswith("whole")


def test_only_records_with_other_rules_are_refused() -> None:
    refused = [path for path in RECORDS if change_of_rules(path.read_text(encoding="utf-8"))]
    assert len(refused) == 1
