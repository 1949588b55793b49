"""Handovers between shifts of the pit: what was said, and who signed it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "handovers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("given_ms", sa.BigInteger(), nullable=False),
        sa.Column("given_user", sa.Integer(), nullable=False),
        sa.Column("given_name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("taken_ms", sa.BigInteger(), nullable=True),
        sa.Column("taken_user", sa.Integer(), nullable=True),
        sa.Column("taken_name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("handovers_given", "handovers", ["given_ms"], unique=False)


def downgrade() -> None:
    """Take the table away, with all that is in it."""
    op.drop_table("handovers")
