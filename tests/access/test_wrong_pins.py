"""Wrong tries: counted before they are judged, locked for a while, and on record."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.access import staff as staff_module
from controller.access.known_displays import LIST_CHARS_MAX, PEOPLE_MAX, KnownDisplays
from controller.access.pin_tries import (
    LOCK_FIRST_S,
    LOCK_MOST_KNOWN_S,
    LOCK_MOST_S,
    REPORT_AFTER_S,
    TABLE_TRIES,
    TABLE_TRY_S,
    TRIES,
)
from controller.access.staff import NotProven, Staff
from controller.table.inputs import UNKNOWN_PERSON, PinReport
from controller.table.roles import PersonId
from tests.access.people import person

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["aino", "nobody"])
async def test_wrong_tries_lock_a_name_for_a_while_and_no_other(file: Path, name: str) -> None:
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    for _ in range(TRIES):
        with pytest.raises(NotProven, match="do not fit"):
            await staff.prove([(name, "0000")])
    with pytest.raises(NotProven, match="wait 60 s"):
        await staff.prove([(name, "4711")])
    assert await staff.prove([("eino", "badge-0815")])
    now[0] = LOCK_FIRST_S
    if name == "aino":
        assert await staff.prove([(name, "4711")])


async def guess(staff: Staff, name: str, pin: str, *known: str) -> str:
    """Try a PIN; what is answered, empty where it was right."""
    try:
        await staff.prove([(name, pin)], [PersonId(each) for each in known])
    except NotProven as error:
        return str(error)
    return ""


async def on_record(staff: Staff) -> list[PinReport]:
    """Have what is due put on record; what that is."""
    record: list[PinReport] = []

    async def put(report: PinReport) -> bool:
        record.append(report)
        return True

    await staff.report(put)
    return record


async def test_guesses_at_once_are_counted_before_they_are_judged(file: Path) -> None:
    """Guesses at once get no more tries than guesses one after the other."""
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    pins = [f"{4712 + each:04}" for each in range(298)]
    answers = await asyncio.gather(*[guess(staff, "aino", pin) for pin in [*pins, "4711"]])
    judged = [each for each in answers if "do not fit" in each]
    assert len(judged) == 1, "one PIN of a name is judged at a time"
    assert all("Too many wrong PINs" in each for each in answers if each not in judged)
    now[0] = REPORT_AFTER_S
    assert staff.reports() == [PinReport(person(file, "aino").id, 299)], "one record for them all"
    assert staff.wrong_pins == (299, 0)


async def test_each_lock_is_longer_and_no_longer_than_the_longest(file: Path) -> None:
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    for _ in range(TRIES - 1):
        assert "do not fit" in await guess(staff, "aino", "0000")
    locks: list[PinReport] = []
    while not locks or locks[-1].locked_s < LOCK_MOST_S:
        assert "do not fit" in await guess(staff, "aino", "0000")
        assert "Too many" in await guess(staff, "aino", "4711"), "the right PIN waits too"
        locks += staff.reports()
        now[0] += locks[-1].locked_s
    assert [each.locked_s for each in locks][:3] == [60, 120, 240]
    assert [each.wrong for each in locks] == [TRIES, *[2] * (len(locks) - 1)]
    assert await guess(staff, "aino", "4711") == ""
    assert "do not fit" in await guess(staff, "aino", "0000"), "the count began anew"


async def test_guesses_of_others_lock_nobody_out_of_a_display_that_knows_them(file: Path) -> None:
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    eino = person(file, "eino").id
    for _ in range(3):
        for _ in range(TRIES):
            await guess(staff, "eino", "0000")
        now[0] += 1
    assert "Too many" in await guess(staff, "eino", "badge-0815")
    assert await guess(staff, "eino", "badge-0815", eino) == ""
    for _ in range(40):
        await guess(staff, "eino", "0000", eino)
        now[0] += LOCK_MOST_KNOWN_S
    assert await guess(staff, "eino", "badge-0815", eino) == "", "never longer than that"


async def test_names_that_nobody_has_lock_like_others_and_are_one_record(file: Path) -> None:
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    for _ in range(TRIES):
        assert await guess(staff, "nobody", "0000") == "Name and PIN do not fit: try again"
        assert await guess(staff, "aino", "0000") == "Name and PIN do not fit: try again"
    assert await guess(staff, "nobody", "0000") == await guess(staff, "aino", "0000")
    first = staff.reports()
    assert PinReport(person(file, "aino").id, TRIES, 60) in first
    for name in ("x", "y", "z"):
        await guess(staff, name, "0000")
    assert staff.reports() == []
    now[0] = 10 * REPORT_AFTER_S
    (report,) = [each for each in staff.reports() if each.person == UNKNOWN_PERSON]
    assert report.wrong == 3 + 1, "the one that waited, and those since"


@pytest.fixture
def no_pin_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged without the time that a hash takes."""
    monkeypatch.setattr(staff_module, "matches", lambda pin, known: False)


@pytest.mark.usefixtures("no_pin_fits")
async def test_locking_names_without_end_does_not_tell_which_of_them_exist(file: Path) -> None:
    """Unknown names shared 256 counts: whoever locked them all saw which names answer otherwise."""
    staff = Staff(file, now_s=lambda: 0.0)
    for number in range(400):
        for _ in range(TRIES):
            await guess(staff, f"nobody-{number}", "0000")
    fresh = {await guess(staff, f"somebody-{number}", "0000") for number in range(50)}
    assert {await guess(staff, "aino", "0000"), await guess(staff, "eino", "0000")} == fresh


@pytest.mark.usefixtures("no_pin_fits")
async def test_guesses_of_all_names_together_have_a_measure(file: Path) -> None:
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    hour = 3_600
    judged = 0
    for second in range(0, 24 * hour, 150):
        now[0] = float(second)
        for number in range(3):
            judged += "do not fit" in await guess(staff, f"name-{second}-{number}", "0000")
    assert TABLE_TRIES < judged <= TABLE_TRIES + 24 * hour / TABLE_TRY_S + 1


@pytest.mark.usefixtures("no_pin_fits")
async def test_a_further_display_that_knows_a_person_brings_no_further_guesses(file: Path) -> None:
    """Each list of known people had a count of its own: who collected many guessed as often."""
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    aino, eino = person(file, "aino").id, person(file, "eino").id
    judged = 0
    for second in range(0, 86_400, 100):
        now[0] = float(second)
        for known in ((eino,), (eino, aino), (aino, eino)):
            judged += "do not fit" in await guess(staff, "eino", "0000", *known)
    assert judged <= TRIES + 86_400 / LOCK_MOST_KNOWN_S + 3


async def test_a_restart_forgets_no_wrong_try_and_no_lock(file: Path) -> None:
    """Counts were in memory alone: a table switched off and on gave five more tries each time."""
    counts = file.with_name("record.pins")
    now = [0.0]
    answers = []
    for _ in range(TRIES + 3):  # as many starts, a try at each
        staff = Staff(file, now_s=lambda: now[0], counts=counts)
        answers.append("do not fit" in await guess(staff, "eino", "0000"))
        now[0] = 0.0  # a clock that begins anew with the computer
    assert answers == [True] * TRIES + [False] * 3
    staff = Staff(file, now_s=lambda: now[0], counts=counts)
    assert "Too many" in await guess(staff, "eino", "badge-0815"), "the right one waits too"
    now[0] = LOCK_FIRST_S
    assert await on_record(staff) == [PinReport(person(file, "eino").id, TRIES + 1)]
    third = Staff(file, now_s=lambda: now[0], counts=counts)
    assert await on_record(third) == [], "they are on record"
    assert await guess(staff, "eino", "badge-0815") == ""
    again = Staff(file, now_s=lambda: 0.0, counts=counts)
    assert await guess(again, "eino", "badge-0815") == "", "forgotten once it was right"
    assert "eino" not in counts.read_text()
    assert counts.stat().st_mode & 0o077 == 0


async def test_a_restart_puts_a_lock_on_record_once(file: Path) -> None:
    counts = file.with_name("record.pins")
    staff = Staff(file, now_s=lambda: 0.0, counts=counts)
    for _ in range(TRIES):
        await guess(staff, "eino", "0000")
    assert await on_record(staff) == [PinReport(person(file, "eino").id, TRIES, 60)]
    again = Staff(file, now_s=lambda: REPORT_AFTER_S, counts=counts)
    assert await on_record(again) == []
    assert "Too many" in await guess(again, "eino", "badge-0815"), "the lock is there still"


async def test_a_restart_loses_no_wrong_tries_that_wait_for_the_record(file: Path) -> None:
    """Unknown names wait for one report of them all, while others are reported and saved."""
    counts = file.with_name("record.pins")
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0], counts=counts)
    for _ in range(TRIES):
        await guess(staff, "nobody", "0000")
    assert await on_record(staff) == [PinReport(UNKNOWN_PERSON, TRIES, 60)]
    for name in ("nobody-else", "eino"):
        for _ in range(TRIES):
            await guess(staff, name, "0000")
    eino = person(file, "eino").id
    assert await on_record(staff) == [PinReport(eino, TRIES, 60)], "the others wait"
    again = Staff(file, now_s=lambda: now[0], counts=counts)
    assert await on_record(again) == [PinReport(UNKNOWN_PERSON, TRIES)]


async def test_what_the_record_does_not_take_waits_for_it(file: Path) -> None:
    counts = file.with_name("record.pins")
    staff = Staff(file, now_s=lambda: 0.0, counts=counts)

    async def stopped(report: PinReport) -> bool:
        return False

    for _ in range(TRIES):
        await guess(staff, "aino", "0000")
    await staff.report(stopped)
    await guess(staff, "eino", "badge-0815")  # saves the counts
    aino = person(file, "aino").id
    again = Staff(file, now_s=lambda: 0.0, counts=counts)
    assert await on_record(again) == [PinReport(aino, TRIES)]
    assert await on_record(staff) == [PinReport(aino, TRIES, 60)]
    assert await on_record(staff) == []


async def test_what_cannot_be_saved_as_reported_is_reported_again(file: Path) -> None:
    folder = file.with_name("disk")
    folder.mkdir()
    counts = folder / "record.pins"
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0], counts=counts)
    await guess(staff, "eino", "0000")
    now[0] = REPORT_AFTER_S
    (folder / ".record.pins.new").mkdir()  # nothing can be written there
    report = PinReport(person(file, "eino").id, 1)
    assert await on_record(staff) == [report]
    assert await on_record(Staff(file, now_s=lambda: now[0], counts=counts)) == [report]


async def test_a_pin_is_no_wrong_one_while_it_is_judged(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right one was counted as wrong meanwhile: a record of it, and a counter that fell."""
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    snapshots: list[tuple[tuple[int, int], list[PinReport]]] = []

    def looks(pin: str, known: str) -> bool:
        now[0] += REPORT_AFTER_S
        snapshots.append((staff.wrong_pins, staff.reports()))
        return pin == "badge-0815"

    monkeypatch.setattr(staff_module, "matches", looks)
    assert "do not fit" in await guess(staff, "eino", "0000")
    assert await guess(staff, "eino", "badge-0815") == ""
    assert snapshots == [((0, 0), []), ((1, 0), [PinReport(person(file, "eino").id, 1)])]
    assert (staff.wrong_pins, staff.reports()) == ((1, 0), [])


async def test_a_try_is_on_the_disk_before_it_is_judged(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = file.with_name("record.pins")

    def power_fails(pin: str, known: str) -> bool:
        raise SystemError

    monkeypatch.setattr(staff_module, "matches", power_fails)
    for _ in range(TRIES):
        with pytest.raises(SystemError):
            await Staff(file, counts=counts).prove([("eino", "0000")])
    with pytest.raises(NotProven, match="wait 60 s"):
        await Staff(file, counts=counts).prove([("eino", "0000")])


async def test_a_pin_that_cannot_be_counted_is_not_judged(file: Path) -> None:
    folder = file.with_name("gone")
    staff = Staff(file, counts=folder / "record.pins")
    assert "cannot be counted" in await guess(staff, "eino", "badge-0815")
    folder.mkdir()
    assert await guess(staff, "eino", "badge-0815") == ""


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b'{"secret":"0","tries":{}}', b"\0" * 4096,
        b'{"secret":"%s","tries":{}}' % (b"00" * 16),
        b'{"secret":"%s","tries":{"known":{"1":["many"]},"others":{},"left":[1,1],"unreported":{}}}'
        % (b"00" * 16),
    ],
)  # fmt: skip
async def test_counts_that_cannot_be_read_begin_anew(
    file: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    counts = file.with_name("record.pins")
    counts.write_bytes(content)
    assert await guess(Staff(file, counts=counts), "eino", "badge-0815") == ""
    assert "counted anew" in caplog.text


def test_a_list_of_known_people_is_ours_or_nobodys() -> None:
    displays = KnownDisplays("a" * 24)
    assert displays.read("") == ()
    people = tuple(PersonId(f"{each:08x}") for each in range(PEOPLE_MAX + 4))
    text = displays.write(people)
    assert len(text) <= LIST_CHARS_MAX
    assert displays.read(text) == people[-PEOPLE_MAX:]
    for at in range(len(text)):
        forged = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]
        assert displays.read(forged) == ()
    assert KnownDisplays("b" * 24).read(text) == ()
    assert displays.read("é~" * 9) == ()
