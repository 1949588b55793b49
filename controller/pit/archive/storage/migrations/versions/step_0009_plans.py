"""Indexes of open holds and of rounds that were put right; for SQLite, what a full archive is like.

It gathers no figures by itself, and without any it looks through all rounds of a table
for one of them, not into the index by its number.

The figures are those of 10 M rounds of 200 tables (`tests.bench.pit.filled`); what counts is how
they stand to each other. Nothing gathers them anew, so that a query goes the same way at every pit.
PostgreSQL keeps its own.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

#: Table, index (the table's own name: its key), rows, and of them those that are alike in the
#: index's first column, in its first two…
_FIGURES = (
    ("rounds", "rounds", "10000000 50000 1"),
    ("rounds", "rounds_number", "10000000 50000 1"),
    ("rounds", "rounds_day", "10000000 200000 1000"),
    ("rounds", "rounds_began", "10000000 1 1"),
    ("rounds", "rounds_dealer", "10000000 200000 1"),
    ("rounds", "rounds_put_right", "100000 1 1"),
    ("records", "records", "200000000 1000000 1"),
    ("hands", "hands", "20000000 100000 1"),
    ("hands", "hands_round", "20000000 100000 2"),
    ("holds", "holds", "200000 1000 1"),
    ("holds", "holds_number", "200000 1000 1"),
    ("holds", "holds_open", "20 2 1"),
    ("money", "money", "20000000 100000 1 1"),
    ("money", "money_day", "20000000 400000 2000"),
    ("people", "people", "1000000 5000 2 1"),
    ("people", "people_person", "1000000 5000 2"),
    ("stops", "stops", "200000 1000 1"),
    ("stops", "stops_day", "200000 4000"),
    ("stops", "stops_reason", "200000 20000 1"),
    ("rack_shifts", "rack_shifts", "40000 200 1"),
    ("rack_shifts", "rack_shifts_day", "40000 800"),
    ("slips", "slips", "250000 1250 1"),
    ("slips", "slips_shift", "250000 1250 6"),
    ("slips", "slips_at", "250000 1"),
    ("shoes", "shoes", "400000 2000 1"),
    ("shoes", "shoes_day", "400000 8000"),
    ("leaks", "leaks", "100 2 1"),
    ("leaks", "leaks_day", "100 2"),
    ("tallies", "tallies", "400000 8000 40 3 3 3 1"),
    ("reads", "reads", "10000 200 1 1 1"),
    ("round_cards", "round_cards", "80000000 1500000 1 1 1 1"),
    ("round_amounts", "round_amounts", "30000000 40000 2 2 2 1"),
    ("followed", "followed", "200 1"),
)


def upgrade() -> None:
    """Make the indexes, and write the figures down where SQLite looks for them."""
    is_open = sa.text("released_ms IS NULL")
    op.create_index(
        "holds_open", "holds", ["table_id", "number"], sqlite_where=is_open,
        postgresql_where=is_open,
    )  # fmt: skip
    op.create_index(
        "rounds_put_right", "rounds", ["began_ms", "table_id"],
        sqlite_where=sa.text("void = 1 OR corrections > 0"),
        postgresql_where=sa.text("void OR corrections > 0"),
    )  # fmt: skip
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    # The table of statistics is made by that.
    connection.execute(sa.text("ANALYZE alembic_version"))
    connection.execute(sa.text("DELETE FROM sqlite_stat1"))
    connection.execute(
        sa.text("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:tbl, :idx, :stat)"),
        [dict(zip(("tbl", "idx", "stat"), each, strict=True)) for each in _FIGURES],
    )
    # This connection has looked already.
    connection.execute(sa.text("ANALYZE sqlite_schema"))


def downgrade() -> None:
    """Take the indexes away; SQLite goes by no figures again."""
    op.drop_index("holds_open", "holds")
    op.drop_index("rounds_put_right", "rounds")
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("DELETE FROM sqlite_stat1"))
