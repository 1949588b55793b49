"""What the pit asked tables for, and what became of it: closed, limits, fills."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table: the books are made anew by themselves, since their form is another one."""
    op.create_table(
        "asked",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("slip", sa.BigInteger(), nullable=False),
        sa.Column("brought", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.Column("became", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    stands = sa.text("ended_ms IS NULL")
    op.create_index(
        "asked_stands", "asked", ["at_ms"], sqlite_where=stands, postgresql_where=stands
    )
    op.create_index("asked_at", "asked", ["at_ms"])


def downgrade() -> None:
    """Take it away; the books of before are made anew, too."""
    op.drop_table("asked")
