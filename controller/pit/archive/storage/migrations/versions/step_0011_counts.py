"""An index of slips by the slip of the drop box that they count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index, and write down for SQLite how many are alike in it (`step_0009_plans`)."""
    op.create_index("slips_taken", "slips", ["table_id", "taken"])
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        connection.execute(
            sa.text(
                "INSERT INTO sqlite_stat1 (tbl, idx, stat)"
                " VALUES ('slips', 'slips_taken', '250000 1250 1')"
            )
        )
        connection.execute(sa.text("ANALYZE sqlite_schema"))


def downgrade() -> None:
    """Take the index away."""
    op.drop_index("slips_taken", "slips")
