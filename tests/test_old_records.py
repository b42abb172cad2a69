"""Records that version 0.2.0 wrote can still be parsed and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

import tripot
from tripot.record import Record, RecordError

FOLDER = Path(__file__).parent / "data" / "records-0.2.0"
RECORDS = sorted(FOLDER.glob("*.txt"))
REFUSED = {FOLDER / "triggery-unfinished.txt"}  # its options have other rules now: bonuses by hand


def test_there_are_records_of_every_game_of_that_version() -> None:
    keys = {path.stem.partition("-")[0] for path in RECORDS}
    assert len(keys) == 4
    assert keys <= {game.key for game in tripot.list_games()}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_of_the_previous_version_is_read_and_written_as_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path in REFUSED:
        with pytest.raises(RecordError, match="line 3: it was played with version 1 of the rules, and in"):
            Record.parse(text)
        return
    record = Record.parse(text)
    assert record.to_text() == text
    assert (record.outcome is not None) == path.stem.endswith("whole")
