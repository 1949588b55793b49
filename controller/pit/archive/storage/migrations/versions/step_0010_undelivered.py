"""Messages about alerts that were tried in vain: since when, what came of it, when it ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of what waits already nobody knows since when."""
    columns = (
        sa.Column("first_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("answer", sa.Text(), nullable=False, server_default=""),
        sa.Column("left_ms", sa.BigInteger(), nullable=True),
    )
    for each in columns:
        op.add_column("alert_deliveries", each)


def downgrade() -> None:
    """Take the columns away."""
    for name in ("left_ms", "answer", "first_ms"):
        op.drop_column("alert_deliveries", name)
