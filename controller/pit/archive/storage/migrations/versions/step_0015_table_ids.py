"""Ids of people that tables have on record from before their people came from the pit."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "table_ids",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer()),
        sa.Column("called", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("name", "person"),
    )


def downgrade() -> None:
    """Take it away, with all that is in it."""
    op.drop_table("table_ids")
