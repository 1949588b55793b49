"""An index of who took over as a dealer, by when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_OF_DEALERS = sa.text("act = 'DealerChanged'")


def upgrade() -> None:
    """Make the index."""
    op.create_index(
        "people_dealers", "people", ["at_ms"],
        sqlite_where=_OF_DEALERS, postgresql_where=_OF_DEALERS,
    )  # fmt: skip


def downgrade() -> None:
    """Take the index away."""
    op.drop_index("people_dealers", "people")
