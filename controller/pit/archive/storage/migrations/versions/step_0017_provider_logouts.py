"""Which session at the house's OpenID provider one here began by, and who was signed out there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, and the columns: of what began before, the provider's name is not known."""
    op.add_column("sessions", sa.Column("sid", sa.Text()))
    op.create_index("sessions_sid", "sessions", ["sid"])
    op.add_column("codes", sa.Column("sid", sa.Text()))
    op.create_table(
        "provider_logouts",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("jti", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text()),
        sa.Column("sid", sa.Text()),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("ends_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "jti"),
    )


def downgrade() -> None:
    """Take them away: who is signed out at the provider stays signed in here."""
    op.drop_table("provider_logouts")
    op.drop_column("codes", "sid")
    op.drop_index("sessions_sid", "sessions")
    op.drop_column("sessions", "sid")
