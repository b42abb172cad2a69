"""`tripot` alone: a few questions, each with an answer for Enter, and the game begins."""

from __future__ import annotations

from pathlib import Path

import tripot
from tripot import __version__
from tripot.cli import play, screen
from tripot.cli.arguments import limit, middle, randoms, read_seats
from tripot.cli.screen import Leave, console
from tripot.cli.sitting import Sitting
from tripot.game import AnyGame, TripotError
from tripot.record import Record
from tripot.table import Table
