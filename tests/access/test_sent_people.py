"""People whom a pit sends: taken, kept, used while it is away, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.access.directory import PeopleError
from controller.access.people_keeper import PeopleKeeper
from controller.access.sent_files import Overdue, SentSettings, take_file
from controller.access.sent_people import SentPeople
from controller.access.staff import NotProven, Staff
from controller.assembly.pit_people import directory_view
from controller.bus.link import BusLink
from controller.people.document import PeopleDocument, PeopleMark, PeopleRefused, WhyRefused
from controller.service.ports import DirectoryView
from controller.table.inputs import DirectoryReport
from controller.table.roles import Person, PersonId, Role
from controller.table.views.english import say
from tests.people.documents import AINO, AINO_PIN, EINO, EINO_PIN, KEYS, OWN, document
from tests.support.people import add_person

pytestmark = pytest.mark.anyio
DAY_MS = 86_400_000
OWN_PIN = "0815"


class SentTable:
    """A table's folder, its clock, what stands on its record, and its people after a start."""

    def __init__(self, folder: Path, *, own: bool = False, overdue: Overdue = Overdue.KEEP) -> None:
        self.folder = folder
        self.now_ms = 1_000_000
        key = folder / "people.key"
        if not key.exists():
            key.write_bytes(OWN.private_bytes_raw())
            key.chmod(0o600)
        file = folder / "own.toml"
        if own and not file.exists():
            add_person(file, "olli", Role.FLOOR, OWN_PIN)
        self.settings = SentSettings(
            "T1", folder / "people.sealed", KEYS, key, folder / "people.sealed.names.toml",
            file if own else None, overdue,
        )  # fmt: skip
        self.record: list[DirectoryReport] = []
        self.recording = True

    async def start(self) -> PeopleKeeper:
        people = SentPeople(self.settings, lambda: self.now_ms)
        keeper = PeopleKeeper(people, self._put)
        known = self.record[-1] if self.record else None
        await keeper.begin(None if known is None else PeopleMark(known.serial, known.digest))
        self.staff = Staff(people, counts=self.folder / "pins")
        return keeper

    async def _put(self, report: DirectoryReport) -> bool:
        if self.recording:
            self.record.append(report)
        return self.recording

    async def is_known(self, name: str, pin: str) -> bool:
        try:
            await self.staff.prove([(name, pin)])
        except NotProven as error:
            if "do not fit" not in str(error):
                raise
            return False
        return True


async def test_they_are_proven_as_a_tables_own_are(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    assert "No directory of people has come" in _problem(keeper)
    await keeper.take(document()[0])
    proven = await table.staff.prove([("Aino", AINO_PIN), ("Eino", EINO_PIN)])
    assert proven == (
        Person(PersonId(AINO.id), Role.DEALER), Person(PersonId(EINO.id), Role.FLOOR),
    )  # fmt: skip
    assert not await table.is_known("Aino", EINO_PIN)
    assert not await table.is_known("Nobody", AINO_PIN)
    assert keeper.people.problem() is None
    assert table.staff.names == {AINO.id: "Aino", EINO.id: "Eino"}
    assert [each.serial for each in table.record] == [1]


async def test_who_is_taken_out_is_out_at_the_next_try(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    body, first = document(1)
    await keeper.take(body)
    assert await table.is_known("Aino", AINO_PIN)
    await keeper.take(document(2, follows=(first.digest,), people=(EINO,))[0])
    assert not await table.is_known("Aino", AINO_PIN)
    assert await table.is_known("Eino", EINO_PIN)
    assert [each.people for each in table.record] == [2, 1]
    assert table.record[1].roster != table.record[0].roster


async def test_what_is_not_on_record_is_not_in_force_and_is_once_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A table that cannot record is stopped: nobody acts there, whoever is known."""
    table = SentTable(tmp_path)
    keeper = await table.start()
    body, first = document(1)
    await keeper.take(body)
    table.recording = False
    second, made = document(2, follows=(first.digest,), people=(EINO,))
    await keeper.take(second)
    assert keeper.people.in_force == first
    assert "directory 2 is not on record" in caplog.text
    assert [each.serial for each in table.record] == [1]
    table.recording = True
    keeper = await table.start()
    assert keeper.people.in_force == made
    assert not await table.is_known("Aino", AINO_PIN)
    assert [each.serial for each in table.record] == [1, 2]


async def test_the_last_one_is_used_after_a_restart_without_the_pit(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    body, made = document(3, issued_ms=1_000_000, good_until_ms=1_000_000 + DAY_MS)
    await (await table.start()).take(body)
    table.now_ms = 5  # a machine without a battery comes up in 1970
    keeper = await table.start()
    assert keeper.people.in_force == made
    assert await table.is_known("Eino", EINO_PIN)
    assert len(table.record) == 1, "what is on record is not said again"


@pytest.mark.parametrize(
    ("name", "why"),
    [("older", "older"), ("other", "does not follow"), ("forged", "no key"), ("cut", "it is none"),
     ("theirs", "another table's"), ("later", "of later"), ("over", "its time is over")],
)  # fmt: skip
async def test_what_does_not_hold_is_refused_said_and_counted(
    tmp_path: Path, name: str, why: str
) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    first_body, first = document(1)
    second = document(2, follows=(first.digest,))[0]
    await keeper.take(first_body)
    await keeper.take(second)
    digest = keeper.people.in_force
    assert digest is not None
    follows = (digest.digest,)
    now_ms = table.now_ms
    bad = {
        "older": first_body,
        "other": document(3, follows=(first.digest,))[0],
        "forged": document(3, follows=follows, key=Ed25519PrivateKey.generate())[0],
        "cut": document(3, follows=follows)[0][:-9],
        "theirs": document(3, follows=follows, table="T2")[0],
        "later": document(3, follows=follows, issued_ms=now_ms + DAY_MS)[0],
        "over": document(3, follows=follows, good_until_ms=now_ms)[0],
    }[name]
    for _ in range(2):
        with pytest.raises(PeopleRefused):
            await keeper.take(bad)
    assert why in _problem(keeper)
    assert keeper.people.counts.refused == 2
    assert keeper.people.in_force == digest
    assert await table.is_known("Aino", AINO_PIN)
    # The next good one is taken, and nothing is wrong any more.
    await keeper.take(document(3, follows=follows)[0])
    assert keeper.people.problem() is None
    assert [each.serial for each in table.record] == [1, 2, 3]


class CutHere(BaseException):
    """The machine is off."""


_STEPS = ("write", "fsync", "replace", "fsync folder", "record", "use", "none")


@pytest.mark.parametrize("step", _STEPS)
async def test_cut_at_each_step_the_old_or_the_new_one_is_there_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    body, first = document(1)
    await keeper.take(body)
    new, second = document(2, follows=(first.digest,), people=(EINO,))

    def cut(*_: Any, **__: Any) -> Any:
        raise CutHere

    with monkeypatch.context() as patched:
        if step == "write":
            patched.setattr(os, "open", cut)
        elif step == "fsync":
            patched.setattr(os, "fsync", cut)
        elif step == "replace":
            patched.setattr(Path, "replace", cut)
        elif step == "fsync folder":
            patched.setattr(os, "fsync", _at_second(cut))
        elif step == "record":
            patched.setattr(table, "_put", cut)
            keeper = PeopleKeeper(keeper.people, cut)
        elif step == "use":
            patched.setattr(keeper.people, "use", cut)
        if step == "none":
            await keeper.take(new)
        else:
            with pytest.raises(CutHere):
                await keeper.take(new)
    keeper = await table.start()
    in_force = keeper.people.in_force
    came = step in ("fsync folder", "record", "use", "none")
    assert in_force == (second if came else first)
    assert await table.is_known("Aino", AINO_PIN) is not came
    assert table.record[-1].digest == in_force.digest, "the record says what is in force"
    assert keeper.people.problem() is None
    assert not [each for each in os.listdir(tmp_path) if each.endswith(".new")]
    # Sent again it is taken, or known.
    await keeper.take(new)
    assert keeper.people.in_force == second
    assert [each.serial for each in table.record] == [1, 2]


async def test_a_file_that_was_put_back_lets_nobody_in_again(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    body, first = document(1)
    await keeper.take(body)
    new = document(2, follows=(first.digest,), people=(EINO,))[0]
    await keeper.take(new)
    table.settings.path.write_bytes(body)
    keeper = await table.start()
    assert not await table.is_known("Aino", AINO_PIN)
    assert "cannot be used: it is older" in _problem(keeper)
    await keeper.take(new)
    assert await table.is_known("Eino", EINO_PIN)
    assert keeper.people.problem() is None
    assert len(table.record) == 2


async def test_a_record_that_was_put_back_loses_nobody(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    marks: list[PeopleDocument] = []
    for serial in (1, 2, 3):
        body, made = document(serial, follows=tuple(each.digest for each in marks[-1:]))
        await keeper.take(body)
        marks.append(made)
    del table.record[1:]
    keeper = await table.start()
    assert keeper.people.in_force == marks[2]
    assert [each.serial for each in table.record] == [1, 3]


async def test_nothing_on_the_disk_is_said(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    body, made = document()
    await (await table.start()).take(body)
    table.settings.path.unlink()
    keeper = await table.start()
    assert "cannot be used" in _problem(keeper)
    assert not await table.is_known("Eino", EINO_PIN)
    await keeper.take(body)
    assert keeper.people.in_force == made
    assert await table.is_known("Eino", EINO_PIN)


async def test_past_its_time_they_may_act_still_and_it_is_said(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    await keeper.take(document(good_until_ms=table.now_ms + DAY_MS)[0])
    table.now_ms += DAY_MS - 1
    assert keeper.people.problem() is None
    table.now_ms += 1
    assert "was good until 1970-01-02" in _problem(keeper)
    assert await table.is_known("Eino", EINO_PIN)
    # Also after a restart: a table is never left without anybody.
    await table.start()
    assert await table.is_known("Eino", EINO_PIN)


@pytest.mark.parametrize("overdue", Overdue)
async def test_the_tables_own_people_act_only_while_there_is_no_good_directory(
    tmp_path: Path, overdue: Overdue
) -> None:
    table = SentTable(tmp_path, own=True, overdue=overdue)
    keeper = await table.start()
    assert "table's own file may act until then" in _problem(keeper)
    assert await table.is_known("olli", OWN_PIN)
    await keeper.take(document(good_until_ms=table.now_ms + DAY_MS)[0])
    assert not await table.is_known("olli", OWN_PIN)
    assert await table.is_known("Eino", EINO_PIN)
    table.now_ms += DAY_MS
    assert await table.is_known("olli", OWN_PIN)
    assert await table.is_known("Eino", EINO_PIN) is (overdue is Overdue.KEEP)
    assert ("and nobody else" in _problem(keeper)) is (overdue is Overdue.OWN)


@pytest.mark.parametrize("own", [False, True])
async def test_the_last_of_the_floor_is_out_too_and_it_is_said(tmp_path: Path, own: bool) -> None:
    table = SentTable(tmp_path, own=own)
    keeper = await table.start()
    body, first = document(1)
    await keeper.take(body)
    await keeper.take(document(2, follows=(first.digest,), people=(AINO,))[0])
    assert not await table.is_known("Eino", EINO_PIN)
    assert await table.is_known("Aino", AINO_PIN)
    assert "Nobody in the pit's directory of people is of the floor" in _problem(keeper)
    if own:
        assert await table.is_known("olli", OWN_PIN)


async def test_nobody_is_judged_before_the_record_was_looked_at(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    await (await table.start()).take(document()[0])
    staff = Staff(SentPeople(table.settings, lambda: table.now_ms))
    with pytest.raises(NotProven, match="coming up"):
        await staff.prove([("Eino", EINO_PIN)])


async def test_a_file_that_is_brought_is_taken_up_by_a_running_table(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()
    brought = tmp_path / "T1.people"
    body, first = document(1)
    brought.write_bytes(body)
    assert take_file(table.settings, brought, table.now_ms) == first
    assert keeper.people.find() == first
    keeper.people.use(first)
    second_body, second = document(2, follows=(first.digest,), people=(EINO,))
    brought.write_bytes(second_body)
    take_file(table.settings, brought, table.now_ms)
    assert keeper.people.find() == second
    keeper.people.use(second)
    assert keeper.people.find() is None
    brought.write_bytes(body)
    with pytest.raises(PeopleRefused) as refused:
        take_file(table.settings, brought, table.now_ms)
    assert refused.value.why is WhyRefused.OLDER
    assert keeper.people.find() is None


async def test_a_disk_that_takes_nothing_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SentTable(tmp_path)
    keeper = await table.start()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(PeopleRefused):
            await keeper.take(document()[0])
    assert "cannot be written" in _problem(keeper)
    await keeper.take(document()[0])
    assert await table.is_known("Eino", EINO_PIN)


def test_no_pin_no_name_and_no_key_lies_readable_on_the_disk(tmp_path: Path) -> None:
    body, made = document()
    table = SentTable(tmp_path)
    people = SentPeople(table.settings, lambda: table.now_ms)
    people.begin(None)
    people.take(body)
    people.use(made)
    for file in tmp_path.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file
        content = file.read_bytes()
        for secret in (AINO.pin, EINO.pin, AINO_PIN):
            assert secret.encode() not in content, file


def test_a_place_that_cannot_be_written_is_said_at_the_start(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    gone = replace(table.settings, path=tmp_path / "gone" / "people.sealed")
    with pytest.raises(PeopleError, match="cannot be written"):
        Staff(SentPeople(gone, lambda: 0))


def test_a_key_that_others_read_is_refused(tmp_path: Path) -> None:
    table = SentTable(tmp_path)
    os.chmod(table.settings.key_file, 0o644)
    with pytest.raises(PeopleError, match="chmod 600"):
        SentPeople(table.settings, lambda: 0)
    table.settings.key_file.write_bytes(b"short")
    with pytest.raises(PeopleError, match="cannot be used"):
        SentPeople(table.settings, lambda: 0)


def _problem(keeper: PeopleKeeper) -> str:
    problem = keeper.people.problem()
    assert problem is not None
    return say(problem)


def _at_second(what: Callable[..., Any]) -> Callable[..., Any]:
    """Does it at the second call."""
    calls: list[int] = []
    real = os.fsync

    def called(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > 1:
            what()
        real(descriptor)

    return called


async def test_the_status_page_says_which_is_in_force_and_since_when_the_pit_is_not_heard(
    tmp_path: Path,
) -> None:
    table = SentTable(tmp_path)
    people = (await table.start()).people
    link = BusLink(lambda: table.now_ms)
    assert directory_view(people, link) is None
    keeper = await table.start()
    await keeper.take(document()[0])
    assert keeper.people.in_force is not None
    head = keeper.people.in_force.head
    shown = DirectoryView(1, head.issued_ms, head.good_until_ms, 2, KEYS[0][:8])
    assert directory_view(keeper.people, link) == shown
    link.lost("the connection is lost")
    away = directory_view(keeper.people, link)
    table.now_ms += DAY_MS
    assert directory_view(keeper.people, link) == away
    assert away == replace(shown, away_since_ms=table.now_ms - DAY_MS)
    link.is_well()
    assert directory_view(keeper.people, link) == shown
    assert directory_view(keeper.people, None) == replace(shown, by_file=True)
