"""People and PINs: who is proved, who is out, and when."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from controller.access.read_directory import read_directory
from controller.access.staff import NotProven, Staff
from controller.table.roles import NOBODY_NAMED, Role, called
from tests.access.people import command, person
from tests.support.people import DAY, add_person

pytestmark = pytest.mark.anyio


async def test_a_name_and_its_pin_prove_a_person(file: Path) -> None:
    staff = Staff(file)
    proven = await staff.prove([("aino", "4711"), ("eino", "badge-0815")])
    assert proven == (person(file, "aino"), person(file, "eino"))
    assert [each.role for each in proven] == [Role.DEALER, Role.FLOOR]
    for name, pin in (("aino", "4712"), ("eino", "4711"), ("nobody", "4711"), ("aino", "")):
        with pytest.raises(NotProven, match="do not fit"):
            await staff.prove([(name, pin)])


async def test_an_id_proves_nothing(file: Path) -> None:
    with pytest.raises(NotProven, match="do not fit"):
        await Staff(file).prove([(person(file, "aino").id, "4711")])


async def test_who_is_removed_is_out_at_once(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = Staff(file)
    aino = person(file, "aino")
    assert command(capsys, "remove", file, "aino")[0] == 0
    with pytest.raises(NotProven, match="do not fit"):
        await staff.prove([("aino", "4711")])
    assert called(aino.id, staff.names) == "aino", "what is on record still has a name"


async def test_a_pin_ends_on_its_day(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    today = [datetime.date(2027, 3, 31)]
    staff = Staff(file, today=lambda: today[0])
    status, said, _ = command(capsys, "expire", file, "aino", "2027-04-01")
    assert (status, "2027-04-01" in said) == (0, True)
    assert await staff.prove([("aino", "4711")])
    today[0] = datetime.date(2027, 4, 1)
    with pytest.raises(NotProven, match="do not fit"):
        await staff.prove([("aino", "4711")])


async def test_who_is_erased_is_an_id_on_past_records(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = Staff(file)
    aino = person(file, "aino").id
    status, said, _ = command(capsys, "erase", file, aino)
    assert (status, said.split()[:2]) == (0, [aino, "(erased)"])
    assert not read_directory(file).named("aino")
    with pytest.raises(NotProven):
        await staff.prove([("aino", "4711")])
    assert called(aino, staff.names) == f"person {aino}" == called(aino, NOBODY_NAMED)
    added = add_person(file, "aino", Role.DEALER, "4711")
    assert added != aino, "an id is never given anew"
    assert read_directory(file).entries[aino].history[0].role is Role.DEALER


def test_a_role_that_changes_leaves_its_history(file: Path) -> None:
    before = person(file, "aino")
    add_person(file, "aino", Role.FLOOR, "1234")
    entry = read_directory(file).find("aino")
    assert (entry.id, entry.role(DAY)) == (before.id, Role.FLOOR)
    assert [(each.role, each.until) for each in entry.history] == [
        (Role.DEALER, DAY), (Role.FLOOR, None),
    ]  # fmt: skip
