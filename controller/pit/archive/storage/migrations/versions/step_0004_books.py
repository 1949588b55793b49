"""The books: chips, hourly figures, holds, shoes, the index of rounds, and how far they are kept.

They are made from the records that are archived, also from those of before this step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "followed",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("form", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "leaks",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("dealer", sa.Text(), nullable=False),
        sa.Column("for_players", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("leaks_day", "leaks", ["day"], unique=False)
    op.create_table(
        "rack_shifts",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("opened_ms", sa.BigInteger(), nullable=False),
        sa.Column("closed_ms", sa.BigInteger(), nullable=True),
        sa.Column("first_round", sa.BigInteger(), nullable=False),
        sa.Column("last_round", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.BigInteger(), nullable=False),
        sa.Column("untracked", sa.BigInteger(), nullable=False),
        sa.Column("players_net", sa.BigInteger(), nullable=False),
        sa.Column("outside", sa.BigInteger(), nullable=False),
        sa.Column("unclosed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("rack_shifts_day", "rack_shifts", ["day"], unique=False)
    op.create_table(
        "reads",
        sa.Column("day", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("pack", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("source", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("cards", sa.BigInteger(), nullable=False),
        sa.Column("misreads", sa.BigInteger(), nullable=False),
        sa.Column("by_hand", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("day", "table_id", "pack", "source"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "round_amounts",
        sa.Column("amount", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("amount", "at_ms", "table_id", "seq", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "round_cards",
        sa.Column("card", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("card", "at_ms", "table_id", "seq", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "shoes",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("scanned", sa.Boolean(), nullable=False),
        sa.Column("cards_left", sa.BigInteger(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("missing", sa.BigInteger(), nullable=False),
        sa.Column("unread", sa.BigInteger(), nullable=False),
        sa.Column("many", sa.Text(), nullable=False),
        sa.Column("few", sa.Text(), nullable=False),
        sa.Column("clean", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("shoes_day", "shoes", ["day"], unique=False)
    op.create_table(
        "slips",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("slip", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("shift", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("chips", sa.Text(), nullable=False),
        sa.Column("box", sa.Text(), nullable=False),
        sa.Column("placed", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("taken", sa.BigInteger(), nullable=False),
        sa.Column("difference", sa.Text(), nullable=True),
        sa.Column("rolled", sa.Boolean(), nullable=False),
        sa.Column("signed", sa.Text(), nullable=False),
        sa.Column("void_ms", sa.BigInteger(), nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=False),
        sa.Column("void_by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "slip"),
        sqlite_with_rowid=False,
    )
    op.create_index("slips_at", "slips", ["at_ms"], unique=False)
    op.create_index("slips_shift", "slips", ["table_id", "shift"], unique=False)
    op.create_table(
        "stops",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("shift", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("dealer", sa.Text(), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("error", sa.Boolean(), nullable=False),
        sa.Column("began_ms", sa.BigInteger(), nullable=False),
        sa.Column("answered_ms", sa.BigInteger(), nullable=True),
        sa.Column("answered_by", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("released_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("stops_day", "stops", ["day"], unique=False)
    op.create_index("stops_reason", "stops", ["reason", "began_ms"], unique=False)
    op.create_table(
        "tallies",
        sa.Column("day", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hour_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("shift", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("dealer", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("rounds", sa.BigInteger(), nullable=False),
        sa.Column("dummies", sa.BigInteger(), nullable=False),
        sa.Column("void", sa.BigInteger(), nullable=False),
        sa.Column("untracked", sa.BigInteger(), nullable=False),
        sa.Column("corrections", sa.BigInteger(), nullable=False),
        sa.Column("seats", sa.BigInteger(), nullable=False),
        sa.Column("places", sa.BigInteger(), nullable=False),
        sa.Column("hands", sa.BigInteger(), nullable=False),
        sa.Column("wagered", sa.BigInteger(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("played_ms", sa.BigInteger(), nullable=False),
        sa.Column("cards", sa.BigInteger(), nullable=False),
        sa.Column("by_hand", sa.BigInteger(), nullable=False),
        sa.Column("misreads", sa.BigInteger(), nullable=False),
        sa.Column("holds", sa.BigInteger(), nullable=False),
        sa.Column("hold_ms", sa.BigInteger(), nullable=False),
        sa.Column("errors", sa.BigInteger(), nullable=False),
        sa.Column("held_rounds", sa.BigInteger(), nullable=False),
        sa.Column("held_wagered", sa.BigInteger(), nullable=False),
        sa.Column("held_net", sa.BigInteger(), nullable=False),
        sa.Column("theory", sa.BigInteger(), nullable=False),
        sa.Column("mistakes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("day", "table_id", "hour_ms", "shift", "game", "dealer"),
        sqlite_with_rowid=False,
    )
    op.create_index("rounds_began", "rounds", ["began_ms", "table_id"], unique=False)
    op.create_index("rounds_dealer", "rounds", ["dealer", "began_ms"], unique=False)


def downgrade() -> None:
    """Take the tables away: they can be made again."""
    for name in ("rounds_began", "rounds_dealer"):
        op.drop_index(name, table_name="rounds")
    for name in (
        "round_amounts", "round_cards", "leaks", "shoes", "stops", "reads", "tallies", "slips",
        "rack_shifts", "followed",
    ):  # fmt: skip
        op.drop_table(name)
