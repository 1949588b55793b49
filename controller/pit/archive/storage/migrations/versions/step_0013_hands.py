"""Several hands may come out by one record: the losers of a pot, by the card that is turned last.

What was archived before keeps its rows: such hands are missing in it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_COPY = (
    "INSERT INTO hands (table_id, seq, round, seat, hand, outcome, wager, net)"
    " SELECT table_id, seq, round, seat, hand, outcome, wager, net FROM hands_before"
)


def upgrade() -> None:
    """A hand's key has its seat and number, too."""
    _rekey(["table_id", "seq", "seat", "hand"], "20000000 100000 1 1 1")


def downgrade() -> None:
    """The key is the record alone again. Fails where several hands have one."""
    _rekey(["table_id", "seq"], "20000000 100000 1")


def _rekey(key: list[str], figures: str) -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        op.drop_constraint("hands_pkey", "hands")
        op.create_primary_key("hands_pkey", "hands", key)
        return
    # Without a rowid the key is the table: it is made anew, with its figures (`step_0009_plans`).
    op.drop_index("hands_round", "hands")
    op.rename_table("hands", "hands_before")
    op.create_table(
        "hands",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("wager", sa.BigInteger(), nullable=True),
        sa.Column("net", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint(*key),
        sqlite_with_rowid=False,
    )
    connection.execute(sa.text(_COPY))
    op.drop_table("hands_before")
    op.create_index("hands_round", "hands", ["table_id", "round"], unique=False)
    connection.execute(
        sa.text("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:tbl, :idx, :stat)"),
        [
            {"tbl": "hands", "idx": "hands", "stat": figures},
            {"tbl": "hands", "idx": "hands_round", "stat": "20000000 100000 2"},
        ],
    )
    connection.execute(sa.text("ANALYZE sqlite_schema"))
