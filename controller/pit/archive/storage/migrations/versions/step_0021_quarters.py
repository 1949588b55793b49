"""What rounds came to is kept by quarters of an hour, by which houses' clocks are off from UTC.

The books are made again from the records, since their form is another one (`fold_state.FORM`).
"""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """An hour begins with a quarter: until the books are made again figures stand under that."""
    op.execute("ALTER TABLE tallies RENAME COLUMN hour_ms TO quarter_ms")


def downgrade() -> None:
    """Give it back its name; the books are made again then, too."""
    op.execute("ALTER TABLE tallies RENAME COLUMN quarter_ms TO hour_ms")
