"""Events without gaps in their numbers, their time on the clock, and a row for the readiness check."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

EVENT_COLUMNS = "game_id, seq, seat, type, text, request_id, created_at"
ELAPSED = """
    SELECT CASE
        WHEN events.created_at > earlier.created_at THEN events.created_at - earlier.created_at ELSE 0
    END
    FROM events AS earlier WHERE earlier.game_id = events.game_id AND earlier.seq = events.seq - 1
"""


def upgrade() -> None:
    """Close gaps, then make them impossible."""
    _renumber_games_with_gaps()
    op.add_column("events", sa.Column("elapsed_seconds", sa.Float, nullable=False, server_default="0"))
    op.execute(f"UPDATE events SET elapsed_seconds = ({ELAPSED}) WHERE seq > 1")
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_sqlite_events(with_constraints=True)
    else:
        op.alter_column("events", "elapsed_seconds", server_default=None)
        op.add_column("events", _previous_seq())
        op.create_check_constraint("events_seq_is_positive", "events", "seq > 0")
        op.create_foreign_key(
            "events_have_predecessors", "events", "events", ["game_id", "previous_seq"], ["game_id", "seq"]
        )
    op.create_table(
        "readiness",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("checked_at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop what was added. Renumbered events keep their new numbers."""
    op.drop_table("readiness")
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_sqlite_events(with_constraints=False)
    else:
        op.drop_constraint("events_have_predecessors", "events")
        op.drop_constraint("events_seq_is_positive", "events")
        op.drop_column("events", "previous_seq")
        op.drop_column("events", "elapsed_seconds")


def _renumber_games_with_gaps() -> None:
    """Number the events of damaged games from 1 without gaps.

    Earlier versions could lose an event and store the next one. Such a game could not be continued, because
    its next event had the number of a stored one. It is replayed in the same order as before.
    """
    bind = op.get_bind()
    damaged = bind.execute(
        sa.text("SELECT game_id FROM events GROUP BY game_id HAVING MAX(seq) <> COUNT(*) OR MIN(seq) <> 1")
    )
    for (game_id,) in damaged.all():
        rows = bind.execute(
            sa.text("SELECT seq FROM events WHERE game_id = :game_id ORDER BY seq"), {"game_id": game_id}
        )
        for new, (old,) in enumerate(rows.all(), 1):
            bind.execute(
                sa.text("UPDATE events SET seq = :new WHERE game_id = :game_id AND seq = :old"),
                {"new": new, "old": old, "game_id": game_id},
            )


def _previous_seq() -> sa.Column[int]:
    return sa.Column("previous_seq", sa.Integer, sa.Computed("NULLIF(seq - 1, 0)", persisted=True))


def _rebuild_sqlite_events(with_constraints: bool) -> None:
    """Copy the events into a new table: SQLite cannot add constraints to one that exists."""
    op.drop_index("events_by_request", "events")
    op.rename_table("events", "old_events")
    columns = EVENT_COLUMNS + (", elapsed_seconds" if with_constraints else "")
    new: list[sa.schema.SchemaItem] = []
    if with_constraints:
        new = [
            sa.Column("elapsed_seconds", sa.Float, nullable=False),
            _previous_seq(),
            sa.CheckConstraint("seq > 0", name="events_seq_is_positive"),
            sa.ForeignKeyConstraint(
                ["game_id", "previous_seq"], ["events.game_id", "events.seq"], name="events_have_predecessors"
            ),
        ]
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("request_id", sa.String(64)),
        sa.Column("created_at", sa.Float, nullable=False),
        *new,
    )
    op.execute(f"INSERT INTO events ({columns}) SELECT {columns} FROM old_events ORDER BY game_id, seq")
    op.drop_table("old_events")
    op.create_index("events_by_request", "events", ["game_id", "request_id"], unique=True)
