"""Directories of people: what tables have on record, who may act where, what was made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "directories",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("serial", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("roster", sa.Text(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("good_until_ms", sa.BigInteger(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "table_people",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("pin", sa.LargeBinary()),
        sa.Column("pin_ms", sa.BigInteger()),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("user_id"),
        sa.UniqueConstraint("person"),
    )
    op.create_table(
        "table_grants",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("user_id", "name"),
    )
    op.create_table(
        "issued_directories",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("serial", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("people", sa.Text(), nullable=False),
        sa.Column("issued_ms", sa.BigInteger(), nullable=False),
        sa.Column("good_until_ms", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.LargeBinary()),
        sa.Column("in_force_ms", sa.BigInteger()),
        sa.Column("accepted_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", "serial", "digest"),
    )


def downgrade() -> None:
    """Take the tables away, with all that is in them."""
    for name in ("issued_directories", "table_grants", "table_people", "directories"):
        op.drop_table(name)
