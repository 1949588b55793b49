"""The steps of the archive's schema make one line: each number once, each after the one before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, insert, select
from sqlalchemy.exc import IntegrityError

from controller.pit.archive import database, migrations
from controller.pit.archive import schema as s
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
        table = {"name": "T1", "identity": b"", "seq": 9, "hash": b"", "at_ms": 0,
                 "archived_ms": 0, "software": "", "game": "", "day": "", "dealer": "",
                 "round": 1}  # fmt: skip
        connection.execute(insert(s.TABLES).values(id=1, **table))
        before = [(1, seq, 1, seq, 1, "lose", 500, -500) for seq in (4, 5, 6)]
        names = [each.name for each in s.HANDS.columns]
        rows = [dict(zip(names, each, strict=True)) for each in before]
        connection.execute(insert(s.HANDS), rows)
        command.upgrade(config, "head")
        assert [tuple(each) for each in connection.execute(select(s.HANDS))] == before
        connection.execute(insert(s.HANDS), [{**rows[0], "seat": 7}])
        with pytest.raises(IntegrityError):
            connection.execute(insert(s.HANDS), [{**rows[0], "seat": 7}])
