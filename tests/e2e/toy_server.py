"""`tripot` with the toy game, and with the page in the folder that the first argument names."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import tripot.cli
import tripot.games
from tripot.server import app

# The processes that compile kernels import this module as `__mp_main__`, and must find the game too. A test
# run imports it under its own name to look for doctests: there the game must not be among the others.
if __name__ in {"__main__", "__mp_main__"}:
    tripot.games.__path__.append(str(Path(__file__).parents[1] / "toy"))

if __name__ == "__main__":
    with patch.object(app, "PAGE", Path(sys.argv.pop(1))):
        tripot.cli.main()
