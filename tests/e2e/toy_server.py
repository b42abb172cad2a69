"""`tripot` with the toy game, and with the page in the folder that the first argument names."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import tripot.cli
import tripot.games
from tripot.server import app

# Not below: the processes that compile kernels import this module, and must find the game too.
tripot.games.__path__.append(str(Path(__file__).parents[1] / "toy"))

if __name__ == "__main__":
    with patch.object(app, "PAGE", Path(sys.argv.pop(1))):
        tripot.cli.main()
