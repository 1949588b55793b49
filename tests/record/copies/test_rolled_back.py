"""A record that was put back, cut or deleted, and its second copy that proves it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.devices.safe import SAFE_HEADLINE
from controller.record.copies import replica
from controller.record.copies.copy_check import CopyApart
from controller.record.copies.replica import Replica
from controller.record.copies.restore import restore
from controller.record.files.chain_store import ChainReader
from controller.record.files.day_files import day_files, files_of, openings_path
from controller.record.files.head_anchor import Anchor, Head
from controller.record.files.signing import default_key_path
from controller.record.journal import Journal
from controller.record.reading.verify import verify
from controller.service.loop import Service
from controller.service.recorder import RecordSettings
from controller.table import inputs as i
from controller.table.views.english import say
from tests.record.copies.test_replica import until
from tests.record.days.dealt_days import dealt, write
from tests.support.dealt.days import CalendarPit, commits
from tests.support.forms import quick_first
from tests.support.pit import SCANNER

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica, "GATHER_S", 0.0)


class CopiedTable:
    """A table that dealt three days with a second copy, and an image of its record from before."""

    def __init__(self, base: Path, pit: CalendarPit) -> None:
        self.pit = pit
        self.record, self.copy, self.image = base / "record", base / "usb" / "copy", base / "image"
        self.head = len(pit.records)

    def deal(self) -> None:
        """Write it all, the image in the middle."""
        self.copy.parent.mkdir()
        write(self.record, self.pit.records[: self.head // 2])
        shutil.copytree(self.record, self.image)
        with closing(Journal(self.record, self.copy)) as journal:
            journal.recover()
            for commit in commits(self.pit.records[journal.head.seq :]):
                journal.write(commit)

    @property
    def settings(self) -> RecordSettings:
        return RecordSettings(self.record, self.copy)

    async def started(self) -> Service:
        """The service after its start, closed again."""
        service = Service(i.Start(self.pit.setup, "0.0-test", (SCANNER,)), self.settings)
        try:
            await service.recover()
        finally:
            service.close()
        return service


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CalendarPit]:
    """A folder that such a table was dealt into, and the table's records."""
    base, pit = tmp_path_factory.mktemp("dealt"), dealt(days=3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(replica, "GATHER_S", 0.0)
        CopiedTable(base, pit).deal()
    return base, pit


@pytest.fixture
def table(made: tuple[Path, CalendarPit], tmp_path: Path) -> CopiedTable:
    base, pit = made
    shutil.copytree(base, tmp_path, dirs_exist_ok=True)
    return CopiedTable(tmp_path, pit)


def put_back(table: CopiedTable) -> None:
    """The whole folder as it was, its anchor too."""
    shutil.rmtree(table.record)
    shutil.copytree(table.image, table.record)


def delete(table: CopiedTable) -> None:
    shutil.rmtree(table.record)


def empty(table: CopiedTable) -> None:
    default_key_path(table.record).unlink()
    for each in table.record.iterdir():
        each.unlink()


def without_its_newest_day(table: CopiedTable) -> None:
    """The newest day is taken away, and the anchor set to where the day before it ends."""
    for each in files_of(day_files(table.record)[-1].path):
        each.unlink(missing_ok=True)
    newest = day_files(table.record)[-1]
    with closing(ChainReader(newest.path)) as reader:
        mark = reader.last()
    Anchor(table.record, Head(newest.label, mark)).close()


LOST: dict[str, tuple[Callable[[CopiedTable], None], str]] = {
    "put back": (put_back, "ends with gaming day 2023-11-15, record"),
    "deleted": (delete, "is empty"),
    "emptied": (empty, "is empty"),
    "without its newest day": (without_its_newest_day, "ends with gaming day 2023-11-15, record"),
}


@pytest.mark.parametrize("how", quick_first(LOST, ["emptied"]))
async def test_a_record_that_lost_something_is_not_dealt_on_from(
    how: str, table: CopiedTable
) -> None:
    lose, said = LOST[how]
    lose(table)
    service = await table.started()
    assert service.state is None
    assert service.scene.dealer.headline == SAFE_HEADLINE
    assert said in service.stopped
    assert f"goes on to gaming day 2023-11-16, record {table.head}" in service.stopped
    assert f"`tablectl restore {table.copy} {table.record}`" in service.stopped
    before = verify(table.copy).head.seq
    assert before == table.head

    restore([table.copy], table.record)
    service = await table.started()
    assert service.stopped == ""
    found = verify(table.record)
    assert (found.problems, found.days[-1]) == ([], "2023-11-16")
    assert found.head.seq > table.head


async def test_a_record_that_was_dealt_on_from_an_older_state_is_noticed_when_the_copy_is_back(
    table: CopiedTable, tmp_path: Path
) -> None:
    """The copy's device was away as the record was put back, and some of a day was dealt."""
    put_back(table)
    table.copy.parent.rename(tmp_path / "away")
    assert (await table.started()).stopped == ""
    (tmp_path / "away").rename(table.copy.parent)
    service = await table.started()
    assert "hold different histories" in service.stopped
    assert f"the copy with gaming day 2023-11-16, record {table.head}" in service.stopped
    assert "so the copy's is longer" in service.stopped


async def test_a_copy_of_another_table_stops_the_start(table: CopiedTable, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write(other, dealt(seed=6).records)
    with pytest.raises(CopyApart, match="name another place for the second copy"):
        Journal(other, table.copy)
    with closing(Journal(other)) as journal:
        assert journal.recover() is not None


def test_a_copy_that_is_itself_damaged_proves_nothing(table: CopiedTable) -> None:
    put_back(table)
    newest = day_files(table.copy)[-1].path
    newest.write_bytes(newest.read_bytes()[:5_000])
    with closing(Journal(table.record, table.copy)) as journal:
        assert journal.recover() is not None


def test_days_that_went_to_the_archive_are_no_loss(table: CopiedTable) -> None:
    for each in files_of(day_files(table.record)[0].path):
        each.unlink(missing_ok=True)
    with closing(Journal(table.record, table.copy)) as journal:
        assert journal.recover() is not None


@pytest.mark.parametrize(
    ("lose", "code"),
    [(put_back, "second-copy-ahead"), (empty, "second-copy-of-another-history")],
    ids=["put back", "another"],
)
def test_a_copy_that_comes_back_while_the_table_deals_says_which_goes_further(
    lose: Callable[[CopiedTable], None], code: str, table: CopiedTable
) -> None:
    lose(table)
    if lose is empty:
        write(table.record, dealt(seed=6).records)
    follows = Replica(table.record, table.copy)
    try:
        follows.wake()
        until(lambda: follows.problem(1))
        problem = follows.problem(1)
        assert problem is not None
        assert problem.code == code
        assert f"to record {table.head} of 2023-11-16" in say(problem)
    finally:
        follows.close()
    assert verify(table.copy).head.seq == table.head


# -- without a copy: the head that was noted on the sheet of a shift --

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: object) -> tuple[int, str]:
        status = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return status, out + err

    return command


def test_a_head_that_was_noted_is_in_the_record_later(table: CopiedTable, run: Run) -> None:
    _, early = run("head", table.image)
    status, late = run("head", table.record)
    assert status == 0
    assert late.startswith(f"2023-11-16:{table.head}:")
    for head in (early.strip(), late.strip()):
        assert run("verify", table.record, "--head", head)[0] == 0
    assert f"for the shift's sheet: {late.strip()}" in run("verify", table.record)[1]


def test_a_record_that_was_put_back_lacks_the_head_that_was_noted(
    table: CopiedTable, run: Run
) -> None:
    head = run("head", table.record)[1].strip()
    put_back(table)
    status, said = run("verify", table.record, "--head", head)
    assert status == 1
    assert f"the head {head} that was noted is not in it" in said
    assert "it was put back to before, or cut" in said


def test_a_record_that_was_dealt_anew_has_another_record_there(
    table: CopiedTable, run: Run
) -> None:
    head = run("head", table.record)[1].strip()
    shutil.rmtree(table.record)
    default_key_path(table.record).unlink()
    write(table.record, dealt(seed=6, days=3).records)
    day, _, digest = head.split(":")
    status, said = run("verify", table.record, "--head", f"{day}:130:{digest}")
    assert status == 1
    assert f"is not the one that was noted as {day}:130:{digest}" in said


@pytest.mark.parametrize("text", ["", "1204", "2026-11-22:0:1a2b3c4d5e6f7081", "2026-11-22:12:1a"])
def test_what_is_no_head_is_a_usage_error(text: str, table: CopiedTable, run: Run) -> None:
    with pytest.raises(SystemExit, match="2"):
        run("verify", table.record, "--head", text)


# -- openings --


def test_verify_checks_the_openings_that_are_there(table: CopiedTable, run: Run) -> None:
    assert "openings: of 3 of 3 days, all fit" in run("verify", table.record)[1]
    newest = openings_path(day_files(table.record)[-1].path)
    with closing(sqlite3.connect(newest, isolation_level=None)) as base:
        code = base.execute("SELECT code FROM openings WHERE length(code) < 5").fetchone()[0]
        other = "Kh" if code != "Kh" else "Qh"
        base.execute("UPDATE openings SET code = ? WHERE code = ?", (other, code))
    status, said = run("verify", table.record)
    assert status == 1
    assert "an opening does not fit its commitment" in said


def test_an_auditor_verifies_without_openings(table: CopiedTable, run: Run) -> None:
    for day in day_files(table.record):
        for each in files_of(day.path):
            if ".openings" in each.name:
                each.unlink(missing_ok=True)
    status, said = run("verify", table.record)
    assert status == 0
    assert "openings" not in said
