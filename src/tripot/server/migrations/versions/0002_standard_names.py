"""Standard names of tables, columns and event types; players of `join` events as JSON."""

import json
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = {"players": "users", "holders": "seat_owners", "links": "seat_links", "actions": "events"}
COLUMNS = {  # by the new name of the table
    "users": {"created": "created_at"},
    "games": {
        "game": "game_key",
        "creator": "creator_id",
        "created": "created_at",
        "bots": "has_bots",
        "rematch": "rematch_id",
    },
    "seat_owners": {"game": "game_id", "player": "user_id"},
    "seat_links": {"game": "game_id", "digest": "token_hash"},
    "events": {"game": "game_id", "kind": "type", "client": "request_id", "time": "created_at"},
}
INDEXES = {  # old name to new name, table, columns, whether unique
    "holders_by_player": ("seat_owners_by_user", "seat_owners", ["user_id"], False),
    "actions_by_client": ("events_by_request", "events", ["game_id", "request_id"], True),
}
EVENT_TYPES = {
    "sit": "join",
    "act": "action",
    "deal": "chance",
    "draw": "offer_draw",
    "yes": "accept",
    "no": "decline",
    "time": "timeout",
}
OLD_TYPE_LENGTH, NEW_TYPE_LENGTH = 8, 16
SET_TEXT = "UPDATE events SET text = :text WHERE game_id = :game_id AND seq = :seq"


def upgrade() -> None:
    """Rename, and write players as JSON."""
    for old, new in TABLES.items():
        op.rename_table(old, new)
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            _rename_column(table, old, new)
    for old, (new, table, indexed, unique) in INDEXES.items():
        op.drop_index(old, table)
        op.create_index(new, table, indexed, unique=unique)
    _set_type_length(NEW_TYPE_LENGTH)
    _rename_event_types(EVENT_TYPES)
    _rewrite_players(player_json)


def downgrade() -> None:
    """The same backwards."""
    _rewrite_players(player_text)
    _rename_event_types({new: old for old, new in EVENT_TYPES.items()})
    _set_type_length(OLD_TYPE_LENGTH)
    for new, table, _, _ in INDEXES.values():
        op.drop_index(new, table)
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            _rename_column(table, new, old)
    for old, new in TABLES.items():
        op.rename_table(new, old)
    op.create_index("holders_by_player", "holders", ["player"])
    op.create_index("actions_by_client", "actions", ["game", "client"], unique=True)


def player_json(text: str) -> str:
    """The JSON of a player that was written `human 1 Ann`, `bot 3`, `bot 1 left` or `bot 1 failed`.

    >>> player_json("human 2 Bob 3 the bot")
    '{"kind": "human", "name": "Bob 3 the bot", "person": 2}'
    >>> player_json("bot 1 left")
    '{"kind": "bot", "level": 1, "reason": "left"}'
    """
    kind, number, *rest = text.split(" ", 2)
    if kind == "human":
        return json.dumps({"kind": "human", "name": rest[0], "person": int(number)})
    return json.dumps({"kind": "bot", "level": int(number)} | ({"reason": rest[0]} if rest else {}))


def player_text(text: str) -> str:
    """The inverse of `player_json`.

    >>> player_text('{"kind": "human", "name": "Ann", "person": 1}')
    'human 1 Ann'
    >>> player_text('{"kind": "bot", "level": 3}')
    'bot 3'
    """
    player = json.loads(text)
    if player["kind"] == "human":
        return f"human {player['person']} {player['name']}"
    return " ".join(["bot", str(player["level"]), *([player["reason"]] if player.get("reason") else [])])


def _rename_column(table: str, old: str, new: str) -> None:
    """In place, in both databases. Alembic would copy the table on SQLite."""
    op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")


def _set_type_length(length: int) -> None:
    """SQLite does not limit the length of texts."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE events ALTER COLUMN type TYPE VARCHAR({length})")


def _rename_event_types(names: dict[str, str]) -> None:
    for old, new in names.items():
        op.get_bind().execute(
            sa.text("UPDATE events SET type = :new WHERE type = :old"), {"old": old, "new": new}
        )


def _rewrite_players(rewrite: Callable[[str], str]) -> None:
    rows = op.get_bind().execute(sa.text("SELECT game_id, seq, text FROM events WHERE type = 'join'"))
    changes = [{"game_id": game_id, "seq": seq, "text": rewrite(text)} for game_id, seq, text in rows]
    if changes:
        op.get_bind().execute(sa.text(SET_TEXT), changes)
