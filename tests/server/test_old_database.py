"""A database that version 0.2.0 has written still opens, with every game as it was.

`data/version-0.2.0.db` has games of every kind: with people, bots, open seats, several seats of one person,
offers and answers, undos, a player who left, an engine that failed, clocks, a timeout, rematches, a link.
`data/version-0.2.0.json` is what that version knew about them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import op
from tests.server.conftest import fresh_database
from tests.server.in_process import SETTINGS, run_games

from tripot.server import database, render
from tripot.server.game_service import GameService
from tripot.server.lobby import LobbyService
from tripot.server.rate_limits import RateLimits
from tripot.server.render import Viewer

DATA = Path(__file__).parent / "data"
KNOWN = json.loads((DATA / "version-0.2.0.json").read_text(encoding="utf-8"))


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "version-0.2.0.db", tmp_path / "games.db"))


@pytest.fixture(params=["sqlite", "postgres"])
def old_database(request: pytest.FixtureRequest, old_file: Path, tmp_path: Path) -> Iterator[str]:
    """The URL of the old database: the file, or its rows in PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{old_file}"
        return
    with fresh_database("postgres", tmp_path) as url:
        copy_to_postgres(old_file, url)
        yield url


def copy_to_postgres(old_file: Path, url: str) -> None:
    source = sa.create_engine(f"sqlite:///{old_file}")
    target = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with source.connect() as old, target.begin() as new:
        database.migrate(new, "0001")
        tables = sa.MetaData()
        tables.reflect(new)
        for table in tables.sorted_tables:
            if table.name != "alembic_version":
                rows = old.execute(sa.text(f"SELECT * FROM {table.name}")).mappings()
                new.execute(table.insert(), [converted(table, row) for row in rows])
    source.dispose()
    target.dispose()


def converted(table: sa.Table, row: sa.RowMapping) -> dict[str, Any]:
    """A row of SQLite, which has numbers instead of booleans."""
    booleans = {column.name for column in table.columns if isinstance(column.type, sa.Boolean)}
    return {name: bool(value) if name in booleans else value for name, value in row.items()}


def as_known(game_id: str, live: Any) -> dict[str, Any]:
    players = live.table.players
    return {
        "id": game_id,
        "game": live.game.key,
        "seq": live.seq,
        "status": live.status,
        "positions": [
            render.state(live, Viewer(seat, "en")).position for seat in (None, *range(len(players)))
        ],
        "seats": [{"kind": info.kind, "name": info.name, "level": info.level} for info in live.seat_infos],
        "persons": [player.person_id for player in players],
        "owners": {str(seat): sorted(owners) for seat, owners in live.seat_owners.items()},
        "clients": live.seq_by_request_key,
        "left": live.clock.remaining_seconds,
        "actions": [str(action) for action in live.table.actions],
        "rematch": live.rematch_id,
        "outcome": [*live.table.outcome.scores] if live.table.outcome else None,
    }


def test_every_game_of_the_old_database_is_unchanged(old_database: str) -> None:
    async def work(games: GameService) -> None:
        assert len(KNOWN["games"]) > 10
        for known in KNOWN["games"]:
            live = await games.load_from_rows(known["id"])
            assert as_known(known["id"], live) == known
            line = [live.events[seq - 1].text for seq in live.action_seqs]
            assert line == known["actions"]

    run_games(work, replace(SETTINGS, database=old_database))


def test_an_old_request_is_known_to_the_owners_of_its_seat_only(old_database: str) -> None:
    """Version 0.2.0 stored the ids of requests without their users."""

    async def work(games: GameService) -> None:
        count = 0
        for known in KNOWN["games"]:
            live = await games.load_from_rows(known["id"])
            for request_id, seq in known["clients"].items():
                event = live.events[seq - 1]
                for owner in live.seat_owners[event.seat or 0]:
                    assert live.event_of_request(owner, request_id) is event
                    count += 1
                assert live.event_of_request("a stranger", request_id) is None
        assert count > 0

    run_games(work, replace(SETTINGS, database=old_database))


def test_names_lists_and_seat_links_of_the_old_database_work(old_database: str) -> None:
    async def work(games: GameService) -> None:
        lobby = LobbyService(games, RateLimits(games.settings))
        profile = await lobby.profile("ann")
        assert profile.name == "Ann Lee"
        assert {game.game_id for game in profile.games} == {known["id"] for known in KNOWN["games"]}
        by_id = {game.game_id: game for game in profile.games}
        for known in KNOWN["games"]:
            listed = [(seat.kind, seat.name) for seat in by_id[known["id"]].seats]
            assert listed == [(seat["kind"], seat["name"]) for seat in known["seats"]]
        with_link = KNOWN["games"][-1]["id"]
        assert await games.claim_seat(with_link, "phone", KNOWN["token"]) == 0

    run_games(work, replace(SETTINGS, database=old_database))


def test_events_keep_the_reason_why_a_bot_took_a_seat(old_database: str) -> None:
    async def work(games: GameService) -> None:
        reasons = set()
        for known in KNOWN["games"]:
            live = await games.load_from_rows(known["id"])
            reasons |= {event.reason for event in render.events(live, render.Viewer(None, "en"))}
        assert reasons == {None, "left", "failed"}

    run_games(work, replace(SETTINGS, database=old_database))


def test_the_migration_and_its_inverse_keep_every_row(old_file: Path) -> None:
    def rows() -> dict[str, list[Any]]:
        with engine.connect() as connection:
            tables = sa.inspect(connection).get_table_names()
            return {
                table: sorted(map(tuple, connection.execute(sa.text(f"SELECT * FROM {table}"))), key=str)
                for table in tables
                if table != "alembic_version"
            }

    engine = sa.create_engine(f"sqlite:///{old_file}")
    before = rows()
    with engine.begin() as connection:
        database.migrate(connection)
    assert {*rows()} == {"users", "games", "seat_owners", "seat_links", "events", "readiness"}
    with engine.begin() as connection:
        database.downgrade(connection, "0001")
    assert rows() == before
    engine.dispose()


def test_a_migration_that_fails_changes_nothing(old_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    def table_names() -> set[str]:
        with engine.connect() as connection:
            return {*sa.inspect(connection).get_table_names()}

    engine = sa.create_engine(f"sqlite:///{old_file}")
    before = table_names()
    with monkeypatch.context() as patch:
        patch.setattr(op, "create_index", fail)
        with pytest.raises(RuntimeError, match="killed"), engine.begin() as connection:
            database.migrate(connection)
    assert table_names() == before
    with engine.begin() as connection:
        database.migrate(connection)
    assert "events" in table_names()
    engine.dispose()


def test_a_user_without_a_name_has_none(old_file: Path) -> None:
    """Such users were stored as "Guest", and the page took any user of that name for one without."""

    def run(statement: str) -> None:
        with engine.begin() as connection:
            connection.execute(sa.text(statement))

    engine = sa.create_engine(f"sqlite:///{old_file}")
    with engine.begin() as connection:
        database.migrate(connection)
        database.downgrade(connection, "0003")
    known = next(known for known in KNOWN["games"] if known["seats"][0]["kind"] == "human")
    name = known["seats"][0]["name"]
    run(f"""UPDATE events SET text = replace(text, '"{name}"', '"Guest"') WHERE type = 'join'""")
    run(f"""UPDATE games SET seats = replace(seats, '"{name}"', '"Guest"')""")
    with engine.begin() as connection:
        database.migrate(connection)
    engine.dispose()

    async def work(games: GameService) -> None:
        live = await games.load_from_rows(known["id"])
        assert (live.seat_infos[0].kind, live.seat_infos[0].name) == ("human", "")
        lobby = LobbyService(games, RateLimits(games.settings))
        listed = {game.game_id: game for game in (await lobby.profile("ann")).games}
        assert listed[known["id"]].seats[0].name == ""

    run_games(work, replace(SETTINGS, database=f"sqlite:///{old_file}"))
