"""The steps of the archive's schema make one line: each number once, each after the one before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import (
    Engine,
    MetaData,
    Table,
    Text,
    create_engine,
    delete,
    insert,
    select,
)
from sqlalchemy.exc import IntegrityError

from controller.pit.archive.books import schema as b
from controller.pit.archive.storage import database, migrations
from controller.pit.archive.storage import schema as s
from tests.pit.archive.databases import KINDS, address_of


def test_each_step_has_a_number_of_its_own_and_follows_the_one_before() -> None:
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    steps = list(script.walk_revisions())[::-1]
    numbers = [each.revision for each in steps]
    assert numbers == [f"{number:04d}" for number in range(1, len(steps) + 1)]
    assert [each.down_revision for each in steps] == [None, *numbers[:-1]]
    names = [Path(each.path).stem for each in steps]
    assert [each.split("_")[1] for each in names] == numbers
    found = {path.stem for path in Path(script.versions).glob("step_*.py")}
    assert found == set(names)


#: A table of an archive, but for its id.
TABLE = {
    "name": "T1", "identity": b"", "seq": 9, "hash": b"", "at_ms": 0, "archived_ms": 0,
    "software": "", "game": "", "day": "", "dealer": "", "round": 1,
}  # fmt: skip


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database without a schema."""
    with address_of(request.param, tmp_path) as address:
        engine = create_engine(address)
        yield engine
        engine.dispose()


def test_hands_of_before_are_kept_where_several_may_come_out_by_one_record(engine: Engine) -> None:
    with engine.begin() as connection:
        config = database._steps()
        config.attributes["connection"] = connection
        command.upgrade(config, "0012")
        connection.execute(insert(s.TABLES).values(id=1, **TABLE))
        before = [(1, seq, 1, seq, 1, "lose", 500, -500) for seq in (4, 5, 6)]
        names = [each.name for each in s.HANDS.columns]
        rows = [dict(zip(names, each, strict=True)) for each in before]
        connection.execute(insert(s.HANDS), rows)
        command.upgrade(config, "head")
        assert [tuple(each) for each in connection.execute(select(s.HANDS))] == before
        connection.execute(insert(s.HANDS), [{**rows[0], "seat": 7}])
        with pytest.raises(IntegrityError):
            connection.execute(insert(s.HANDS), [{**rows[0], "seat": 7}])


def test_books_of_before_stand_in_the_tables_currency_until_they_are_made_again(
    engine: Engine,
) -> None:
    with engine.begin() as connection:
        config = database._steps()
        config.attributes["connection"] = connection
        command.upgrade(config, "0018")
        connection.execute(insert(s.TABLES).values(id=1, **TABLE))

        def of(name: str) -> Table:
            return Table(name, MetaData(), autoload_with=connection)

        def filled(name: str, **values: object) -> None:
            table = of(name)
            kinds = ((each.name, each.type) for each in table.columns)
            nothing = {key: "" if isinstance(kind, Text) else 0 for key, kind in kinds}
            connection.execute(insert(table).values({**nothing, "table_id": 1, **values}))

        filled("followed", form=5, seq=9, currency="USD", kept="{}")
        filled("rack_shifts", number=1, game="blackjack", closed_ms=None)
        filled("slips", slip=1, rolled=False, void_ms=None, amount=500)
        filled("tallies", day="2026-11-27", hour_ms=3_600_000, game="blackjack", wagered=700)
        before = dict(connection.execute(select(of("tallies"))).mappings().one())
        command.upgrade(config, "head")
        shift = connection.execute(select(b.RACK_SHIFTS)).mappings().one()
        assert (shift["games"], shift["currency"], shift["currencies"]) == (
            '["blackjack"]', "USD", "[]"
        )  # fmt: skip
        slip = connection.execute(select(b.SLIPS)).mappings().one()
        assert (slip["amount"], slip["currency"], slip["seat"]) == (500, "USD", 0)
        tally = dict(connection.execute(select(b.TALLIES)).mappings().one())
        since = {"quarter_ms": 3_600_000, "currency": "USD", "bought": 0, "bought_rounds": 0}
        hourly = {**tally, "hour_ms": tally["quarter_ms"]}
        assert hourly == {**before, **since}
        # An hour may have amounts of both.
        connection.execute(insert(b.TALLIES).values({**tally, "currency": "EUR"}))
        connection.execute(delete(b.TALLIES).where(b.TALLIES.c.currency == "EUR"))
        command.downgrade(config, "0018")
        assert connection.execute(select(of("tallies"))).mappings().one() == before
        command.upgrade(config, "head")
