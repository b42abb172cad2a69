"""Users without a name have none. Before, they were called "Guest", as a user may call himself."""

import json
from collections.abc import Callable
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

GUEST_NAME: Final = "Guest"


def upgrade() -> None:
    """Remove the name from seats and from the events by which they were taken."""
    _rewrite(_without_guest_name)


def downgrade() -> None:
    """Name them again."""
    _rewrite(_with_guest_name)


def _without_guest_name(player: dict[str, Any]) -> dict[str, Any]:
    is_guest = player["kind"] == "human" and player.get("name") == GUEST_NAME
    return player | {"name": ""} if is_guest else player


def _with_guest_name(player: dict[str, Any]) -> dict[str, Any]:
    is_guest = player["kind"] == "human" and not player.get("name")
    return player | {"name": GUEST_NAME} if is_guest else player


def _rewrite(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    bind = op.get_bind()
    joins = bind.execute(sa.text("SELECT game_id, seq, text FROM events WHERE type = 'join'"))
    set_text = sa.text("UPDATE events SET text = :text WHERE game_id = :game_id AND seq = :seq")
    for game_id, seq, text in joins.all():
        player = json.loads(text)
        if change(player) != player:
            parameters = {"text": json.dumps(change(player)), "game_id": game_id, "seq": seq}
            bind.execute(set_text, parameters)
    set_seats = sa.text("UPDATE games SET seats = :seats WHERE id = :id")
    for game_id, text in bind.execute(sa.text("SELECT id, seats FROM games")).all():
        try:
            seats = json.loads(text)
            changed = [change(seat) for seat in seats]
        except (ValueError, TypeError, KeyError):
            continue  # a damaged row, or one of another version: it is listed as unreadable
        if changed != seats:
            bind.execute(set_seats, {"seats": json.dumps(changed), "id": game_id})
