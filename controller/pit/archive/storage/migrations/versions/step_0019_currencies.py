"""Each amount of the books has its currency; games of a rack, buy-ins by hour.

The books are made again from the records, since their form is another one (`fold_state.FORM`).
Until a table's are, what stands keeps the currency that the table has now, as it was shown before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_KEY = ("day", "table_id", "hour_ms", "shift", "game", "dealer")
_COUNTS = (
    "rounds", "dummies", "void", "untracked", "corrections", "seats", "places", "hands",
    "wagered", "net", "played_ms", "cards", "by_hand", "misreads", "holds", "hold_ms",
    "errors", "held_rounds", "held_wagered", "held_net", "theory", "mistakes",
)  # fmt: skip
_NEW = ("bought", "bought_rounds")
#: What the tables of before are shown in.
_OF_SHIFTS = """UPDATE rack_shifts SET currency = COALESCE(
    (SELECT currency FROM followed WHERE followed.table_id = rack_shifts.table_id), '')"""
_OF_SLIPS = """UPDATE slips SET currency = COALESCE(
    (SELECT currency FROM followed WHERE followed.table_id = slips.table_id), '')"""
_OF_HOURS = """UPDATE tallies SET currency = COALESCE(
    (SELECT currency FROM followed WHERE followed.table_id = tallies.table_id), '')"""
_TEXTS = ("currency", "day", "game", "dealer")


def upgrade() -> None:
    """Make the columns."""
    op.execute("ALTER TABLE rack_shifts RENAME COLUMN game TO games")
    # Names of games need no escapes.
    op.execute("UPDATE rack_shifts SET games = '[\"' || games || '\"]'")
    op.add_column(
        "rack_shifts", sa.Column("currency", sa.Text(), nullable=False, server_default="")
    )
    op.add_column(
        "rack_shifts", sa.Column("currencies", sa.Text(), nullable=False, server_default="[]")
    )
    for name in _TEXTS:
        op.add_column("slips", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("slips", sa.Column("seat", sa.Integer(), nullable=False, server_default="0"))
    op.execute(_OF_SHIFTS)
    op.execute(_OF_SLIPS)
    _tallies((*_KEY, "currency"), (*_COUNTS, *_NEW))
    op.execute(_OF_HOURS)


def downgrade() -> None:
    """Take them away. Fails where an hour has amounts in two currencies."""
    _tallies(_KEY, _COUNTS)
    for name in (*_TEXTS, "seat"):
        op.drop_column("slips", name)
    op.drop_column("rack_shifts", "currencies")
    op.drop_column("rack_shifts", "currency")
    op.execute("ALTER TABLE rack_shifts RENAME COLUMN games TO game")
    op.execute("UPDATE rack_shifts SET game = ''")


def _tallies(key: tuple[str, ...], counts: tuple[str, ...]) -> None:
    """Another key of a table without a rowid is another table (`step_0013_hands`)."""
    connection = op.get_bind()
    is_sqlite = connection.dialect.name == "sqlite"
    op.rename_table("tallies", "before")
    if not is_sqlite:
        op.execute("ALTER TABLE before RENAME CONSTRAINT tallies_pkey TO before_pkey")
    numbers = {"table_id": sa.Integer(), "hour_ms": sa.BigInteger(), "shift": sa.Integer()}
    tallies = op.create_table(
        "tallies",
        *(
            sa.Column(name, numbers.get(name, sa.Text()), autoincrement=False, nullable=False)
            for name in key
        ),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in counts),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint(*key),
        sqlite_with_rowid=False,
    )
    kept = [*_KEY, *_COUNTS]
    before = sa.table("before", *map(sa.column, kept))
    new = {"currency": sa.literal(""), **dict.fromkeys(_NEW, sa.literal(0))}
    more = [each for each in (*key, *counts) if each not in kept]
    rows = sa.select(*before.columns, *(new[each] for each in more))
    connection.execute(tallies.insert().from_select([*kept, *more], rows))
    op.drop_table("before")
    if is_sqlite:
        stat = "400000 8000 40 3 3 3 1" + " 1" * len(key[len(_KEY) :])
        connection.execute(
            sa.text("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :table, :stat)"),
            {"table": "tallies", "stat": stat},
        )
        connection.execute(sa.text("ANALYZE sqlite_schema"))
