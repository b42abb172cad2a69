"""Which database a test of the server runs on.

A fixture `shared_server` has both. Tests whose subject is the HTTP layer, or which repeat one path through
storage for each game, run on PostgreSQL in `make soak` only.
"""

from __future__ import annotations

import pytest

import tripot

KEYS = [game.key for game in tripot.list_games()]
POSTGRES_KEY = "triolet"  # a game with hidden information and chance: its rows exercise all of storage

SQLITE_FIRST = pytest.mark.parametrize(
    "shared_server", ["sqlite", pytest.param("postgres", marks=pytest.mark.soak)], indirect=True
)
EVERY_GAME = pytest.mark.parametrize(
    ("shared_server", "key"),
    [
        pytest.param(
            database,
            key,
            id=f"{database}-{key}",
            marks=[pytest.mark.soak] if database == "postgres" and key != POSTGRES_KEY else [],
        )
        for database in ("sqlite", "postgres")
        for key in KEYS
    ],
    indirect=["shared_server"],
)
