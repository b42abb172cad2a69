"""What a host may set, by a flag of `tripot serve` or by the environment: TRIPOT_DATABASE and so on."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import platformdirs

from tripot.server.clock import SHORTEST


def data_folder() -> Path:
    """Where the server keeps its database and its key, unless told otherwise."""
    home = os.environ.get("TRIPOT_HOME")
    return Path(home) if home else platformdirs.user_data_path("tripot")


_KINDS: dict[type, Callable[[str], Any]] = {str: str, int: int, float: float}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with defaults for one machine.

    database          a URL: sqlite:///FILE or postgresql://USER@HOST/NAME; nothing is a file of our own
    key               signs the cookies; nothing is a key of our own, made once and kept in a file
    origins           other addresses whose pages may use this server, with spaces between
    think             seconds a bot may think of a move
    bot_threads       how many bots think at once
    games_a_minute    how many games one address may open
    messages_a_second how many messages one connection may send, on average over ten seconds
    engine_seconds    how many seconds of hints and analysis one player may have in ten minutes
    open_games        how many unfinished games one player may have opened
    queue             how many messages may wait for a slow connection before it is closed
    kept              how many games stay in memory although nobody looks at them
    max_cached_bots   how many bots keep their search trees between moves; a tree has up to 550 MB
    shortest_clock    the fewest seconds that a clock of a game may give to a seat
    seed              makes chance and bots reproducible, for tests and demonstrations only: everybody who
                      knows it can predict the dice; empty means unpredictable
    bot_simulations   limits bots, hints and analysis by a number of simulations instead of seconds, so that
                      they choose the same moves on every machine; 0 means by seconds
    """

    database: str = ""
    key: str = ""
    origins: str = ""
    think: float = 1.0
    bot_threads: int = 2
    games_a_minute: int = 30
    messages_a_second: int = 10
    engine_seconds: float = 120.0
    open_games: int = 200
    queue: int = 64
    kept: int = 1000
    max_cached_bots: int = 4
    shortest_clock: int = SHORTEST
    seed: str = ""
    bot_simulations: int = 0

    @classmethod
    def read(cls, **given: Any) -> Settings:
        """What was given, else what the environment says, else the defaults."""
        said = {
            field.name: _KINDS[type(field.default)](os.environ[f"TRIPOT_{field.name.upper()}"])
            for field in fields(cls)
            if f"TRIPOT_{field.name.upper()}" in os.environ
        }
        return cls(**said | {name: value for name, value in given.items() if value is not None})

    @property
    def database_url(self) -> str:
        """The database with its driver."""
        url = self.database or f"sqlite:///{_folder() / 'tripot.db'}"
        kind, _, rest = url.partition("://")
        drivers = {
            "sqlite": "sqlite+aiosqlite",
            "postgresql": "postgresql+psycopg",
            "postgres": "postgresql+psycopg",
        }
        return f"{drivers.get(kind, kind)}://{rest}"

    @property
    def signing_key(self) -> str:
        """The key of the cookies."""
        if self.key:
            return self.key
        file = _folder() / "key"
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(secrets.token_hex(32), encoding="ascii")
        return file.read_text(encoding="ascii")


def _folder() -> Path:
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
