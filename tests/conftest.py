"""What every test may rely on."""

from pathlib import Path

import pytest

collect_ignore = ["toy"]  # games that tests drop in: not importable where they lie


@pytest.fixture(autouse=True)
def own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that a test plays are kept in its own folder, never on a person's shelf."""
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path / "home"))
