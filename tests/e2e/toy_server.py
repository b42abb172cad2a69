"""`tripot` with the toy game, and with the page in the folder that the first argument names."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import tripot.cli
import tripot.games
from tripot.server import app

if (
    __name__ == "__main__"
):  # pytest imports every module to look for doctests: the tests must not find the game
    tripot.games.__path__.append(str(Path(__file__).parents[1] / "toy"))
    with patch.object(app, "PAGE", Path(sys.argv.pop(1))):
        tripot.cli.main()
