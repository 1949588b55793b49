"""Senders' keys: a command acts once in a gaming day and the next; no digest discloses a card."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
from controller.record.files.chain_store import ChainReader
from controller.record.files.day_files import day_files, openings_path
from controller.record.files.openings import Openings
from controller.record.reading.verify import verify
from controller.service.loop import Service
from controller.service.recorder import RecordSettings
from controller.service.timekeeping.calendar import Almanac, Calendar
from controller.table import inputs as i
from controller.table.decide import decide as decide_module
from controller.table.irregularities.holds import Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.state.answers import KEYS_A_DAY, Answered, Answers
from tests.service.test_day_end import DAY_MS, END_MS, WallClock, label
from tests.support.dealt.days import HELSINKI, CalendarPit
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

FLOOR = (Person(PersonId("0000000f"), Role.FLOOR),)
#: More than an earlier table remembered.
OTHERS = 300
ANOTHER = "key-is-of-another-command"


@asynccontextmanager
async def running(folder: Path, now: WallClock) -> AsyncIterator[Service]:
    service = Service(
        i.Start(setup(3), "0.0-test", (SCANNER,)),
        RecordSettings(folder),
        clock=now.clock,
        almanac=Almanac(Calendar(HELSINKI), lambda: True),
    )
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


async def others(service: Service, name: str) -> None:
    """As many other commands with keys of their own."""
    for number in range(OTHERS):
        await service.submit(i.RemoveWager(1), f"{name}-{number}", None)


async def next_day(service: Service, key: str) -> None:
    assert service.state is not None
    assert service.state.day is not None
    before = service.state.day.label
    assert (await service.submit(i.CloseDay(), key, None, FLOOR)).refused is None
    assert service.state.day.label > before


async def test_a_key_acts_once_in_its_day_and_the_next_whatever_is_sent_in_between(
    tmp_path: Path,
) -> None:
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        first = await service.submit(i.LoadPack(), "bet-1", None)
        assert first.refused is None
        await others(service, "first")
        assert await service.submit(i.LoadPack(), "bet-1", None) == first
        other = await service.submit(i.CutShoe(), "bet-1", None)
        assert other.refused is not None
        assert other.refused.code == ANOTHER
    async with running(folder, now) as service:  # started again
        assert await service.submit(i.LoadPack(), "bet-1", None) == first
        now.wall_ms = END_MS
        await next_day(service, "close-1")
        await others(service, "second")
        assert await service.submit(i.LoadPack(), "bet-1", None) == first
    async with running(folder, now) as service:
        assert await service.submit(i.LoadPack(), "bet-1", None) == first
        now.wall_ms = END_MS + DAY_MS
        await next_day(service, "close-2")
        late = await service.submit(i.LoadPack(), "bet-1", None)
        assert late != first, "after the next day it is a key like any other"


def entry(hold: int, code: str) -> i.Resolve:
    return i.Resolve(hold, Resolution.ENTER_CARD, code)


async def test_the_same_key_with_another_card_is_another_command(tmp_path: Path) -> None:
    now, folder = WallClock(), tmp_path / "record"
    hold = 1
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        await service.submit(i.CallFloor(), None, None)
        first = await service.submit(entry(hold, "Kh"), "enter-1", None, FLOOR)
        assert await service.submit(entry(hold, "Kh"), "enter-1", None, FLOOR) == first
        other = await service.submit(entry(hold, "Qs"), "enter-1", None, FLOOR)
        assert other.refused is not None
        assert other.refused.code == ANOTHER
    backup(folder, tmp_path / "kept")
    restore([tmp_path / "kept"], tmp_path / "elsewhere")
    for each in (folder, tmp_path / "elsewhere"):
        async with running(each, now) as service:
            assert await service.submit(entry(hold, "Kh"), "enter-1", None, FLOOR) == first
            other = await service.submit(entry(hold, "Qs"), "enter-1", None, FLOOR)
            assert other.refused is not None


async def test_what_is_on_record_of_a_command_discloses_no_card(tmp_path: Path) -> None:
    """Whoever reads the record tries every card: only the openings have the digests' key."""
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        await service.submit(i.CallFloor(), None, None)
        hold = 1
        asked = entry(hold, "Kh")
        await service.submit(asked, "enter-1", None, FLOOR)
        assert service.state is not None
        commitment = service.state.run.print_key
    day = day_files(folder)[0].path
    with closing(ChainReader(day)) as reader:
        causes = [row.body.split(b",", 4)[3].decode() for row in reader.rows()]
    printed = next(each for each in causes if "enter-1" in each).strip('"').partition("#")[2]
    with closing(Openings(openings_path(day), missing_is_damage=True)) as openings:
        key = openings.print_key(commitment)
    assert key is not None
    text = f"enter-1 {asked!r}"
    assert hmac.digest(key, text.encode(), "sha256").hex().startswith(printed)
    for code in ("Kh", "Qs", "2c"):
        of_card = repr(replace(asked, card=code))
        for tried in (of_card, f"enter-1 {of_card}"):
            assert not hashlib.sha256(tried.encode()).hexdigest().startswith(printed)
    assert key not in day.read_bytes()


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM openings WHERE code = 'prints'",
        "UPDATE openings SET nonce = zeroblob(32) WHERE code = 'prints'",
        "UPDATE openings SET digest = 'x' WHERE code = 'prints'",
    ],
)
async def test_the_digests_key_that_is_gone_or_another_one_is_noticed(
    edit: str, tmp_path: Path
) -> None:
    """Without it a command sent again acted again, and neither verify nor the start said a word."""
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        first = await service.submit(i.LoadPack(), "load-1", None)
    backup(folder, tmp_path / "good")
    with closing(sqlite3.connect(openings_path(day_files(folder)[0].path))) as base:
        assert base.execute(edit).rowcount == 1
        base.commit()
    assert any("opening" in each for each in verify(folder).problems)
    async with running(folder, now) as service:
        assert "openings" in service.stopped
    restore([tmp_path / "good"], folder)
    async with running(folder, now) as service:
        assert await service.submit(i.LoadPack(), "load-1", None) == first


async def test_a_digests_key_that_is_lost_is_reported_and_another_one_is_on_record(
    tmp_path: Path,
) -> None:
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        await service.submit(i.LoadPack(), "load-1", None)
        assert service.state is not None
        before = service.state.run.print_key
    openings_path(day_files(folder)[0].path).unlink()
    restore([folder], folder, readable=True)
    found = verify(folder)
    assert (found.problems, found.lost) == ([], 1)
    async with running(folder, now) as service:
        assert service.state is not None
        assert service.state.run.print_key not in ("", before)
        again = await service.submit(i.LoadPack(), "load-1", None)
        assert again.refused is not None, "it does not act a second time"
        now.wall_ms = END_MS
        await next_day(service, "close-1")
    async with running(folder, now) as service:
        assert service.state is not None
        assert not service.stopped
    assert verify(folder).problems == []


def test_a_sender_that_sends_without_end_is_refused_and_the_day_can_be_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decide_module, "KEYS_A_DAY", 5)
    pit = CalendarPit("blackjack")
    for number in range(5):
        pit.give(i.CutShoe(), key=f"k{number}")
    answer = pit.give(i.CutShoe(), key="one too many")
    assert answer.code == "too-many-keys"
    assert len(pit.state.commands.answered) == 5
    assert pit.give(i.CloseDay(), key="close").refused == ""
    assert pit.give(i.CutShoe(), key="today's first").code != "too-many-keys"
    assert (pit.state.commands.answered.carried, pit.state.commands.answered.today) == (5, 1)


def test_answers_are_values_however_many_there_are() -> None:
    count = 3_000
    answers, half = Answers(), Answers()
    for number in range(count):
        answers = answers.with_one(f"k:{number}", Answered("x", number))
        if number == count // 2:
            half = answers
    assert len(answers) == count
    assert len(half) == count // 2 + 1
    assert half.get(f"k:{count - 1}") is None
    assert answers.get("k:0") == Answered("x", 0)
    again = answers.with_one(f"k:{count - 1}", Answered("x", count))
    assert len(again) == count
    assert Answers.of(answers) == answers
    assert again != answers
    assert count < KEYS_A_DAY
