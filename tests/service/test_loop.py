"""The service: written before shown, resumed exactly, stopped safely, answers to everybody."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from controller.devices.inputs import Button, Condition, Health, Press, Reading
from controller.devices.safe import SAFE_HEADLINE
from controller.devices.scene import Light, Scene
from controller.record.files.day_writer import ChainWriter
from controller.record.journal import Journal, JournalBusy
from controller.rules.actions import Action
from controller.rules.cards import Card, IndexStyle, card
from controller.rules.sealed import Sealed
from controller.service import live_table
from controller.service.loop import Service
from controller.service.ports import TableStopped
from controller.service.recovery import SETUP_KEYS, SetupRefused
from controller.table import inputs as i
from controller.table.inputs.pit import PIT_BOSS
from controller.table.irregularities.holds import Resolution
from controller.table.roles import PersonId, pit_person
from controller.table.views.english import say
from tests.support.dealt.journals import newest
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

SEATS = 3


class RememberingOutput:
    """An output that remembers what it was shown, and what the journal held at that moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.shown: list[Scene] = []
        self.changed = asyncio.Event()

    def show(self, scene: Scene) -> None:
        self.shown.append(scene)
        self.changed.set()

    async def until(self, holds: Callable[[Scene], bool]) -> Scene:
        async with asyncio.timeout(PATIENCE_S):
            while not (self.shown and holds(self.shown[-1])):
                self.changed.clear()
                await self.changed.wait()
        return self.shown[-1]


@asynccontextmanager
async def running(
    path: Path, table: i.Setup | None = None
) -> AsyncIterator[tuple[Service, RememberingOutput]]:
    """A service on the journal at `path`, its scanner up."""
    service = Service(i.Start(table or setup(SEATS), "0.0-test", (SCANNER,)), path)
    wall = RememberingOutput(path)
    service.outputs.append(wall)
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        await service.offer(Health(SCANNER, Condition.UP))
        yield service, wall
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


async def ask(service: Service, command: i.Command, key: str | None = None) -> str:
    reply = await service.submit(command, key, None)
    return say(reply.refused)


async def draw(service: Service, codes: str) -> None:
    for code in codes.split():
        await service.offer(Reading(SCANNER, Sealed(card(code)), apart=True))


async def deal_to_the_first_choice(service: Service, bet: int = 1_000) -> None:
    for command in (i.LoadPack(), i.CutShoe()):
        assert await ask(service, command) == ""
    await draw(service, "2c")
    assert await ask(service, i.PlaceWager(1, bet)) == ""
    assert await ask(service, i.CloseBets()) == ""
    await draw(service, "Kh 9c 9d 7d")


async def test_nothing_is_shown_before_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, wall):
        written: list[int] = []
        journal = service.recorder.journal
        assert journal is not None
        real_show = wall.show

        def show(scene: Scene) -> None:
            written.append(journal.head[0] - scene.dealer.seq)
            real_show(scene)

        wall.show = show  # type: ignore[method-assign]
        await deal_to_the_first_choice(service)
        await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")
    assert written
    assert set(written) == {0}


async def test_wrong_pins_are_noted_once_they_are_written(tmp_path: Path) -> None:
    """Whoever counts wrong PINs forgets them when they are on record, and not before."""
    async with running(tmp_path / "record") as (service, _):
        assert await service.note(i.PinReport(PersonId("0000000a"), 3))
        assert b"WrongPins" in stored(tmp_path / "record")[0]
        assert service.state is not None
        assert [each.wrong for each in service.state.people.wrong_pins] == [3]
    assert not await service.note(i.PinReport(PersonId("0000000a"), 3)), "it is closed"


async def test_a_restart_resumes_the_step_beneath_a_recount(tmp_path: Path) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, wall):
        await deal_to_the_first_choice(service)
        before = await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")
    async with running(path) as (service, wall):
        assert wall.shown[0].dealer.holds[0].title == "Recount"
        assert wall.shown[0].dealer.hands == before.dealer.hands
        hands = [*before.dealer.hands, before.dealer.dealer]
        cards = sum(len(each.cards) for each in hands if each is not None)
        assert await ask(service, i.Resolve(1, Resolution.COUNT, cards=cards)) == ""
        assert wall.shown[-1].dealer.headline == before.dealer.headline
        assert wall.shown[-1].lights == before.lights


async def test_a_sender_s_key_is_remembered_across_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        first = await service.submit(i.LoadPack(), "key-1", None)
    async with running(path) as (service, _):
        again = await service.submit(i.LoadPack(), "key-1", None)
        assert again == first
        assert (await service.submit(i.LoadPack(), "key-2", None)).refused


async def test_a_second_service_on_the_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record"
    async with running(path):
        second = Service(i.Start(setup(SEATS), "0.0-test", (SCANNER,)), path)
        with pytest.raises(JournalBusy):
            await second.recover()


async def test_a_setup_cannot_change_in_mid_round(tmp_path: Path) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, wall):
        await deal_to_the_first_choice(service)
        await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")
    changed = replace(setup(5, min_bet=2_000), pit_acts=("send_note",), index=IndexStyle.ANGLO)
    other = Service(i.Start(changed, "0.0-test", (SCANNER,)), path)
    with pytest.raises(SetupRefused, match="Round 1 of 21-24-27 is in play") as refused:
        await other.recover()
    assert str(refused.value).endswith(
        f'([table] seats was {SEATS}; [table] index was "finnish"; [pit] acts was [];'
        " [options] min_bet was 1000)"
    )


@pytest.mark.parametrize("configured", [1_500, 2_000])
async def test_what_the_pit_had_set_is_named_by_what_the_file_had_then(
    tmp_path: Path, configured: int
) -> None:
    """Also where the file was brought to the pit's own value: by that the table does not start."""
    path = tmp_path / "record"
    allows = replace(setup(SEATS), pit_acts=("set_options",))
    async with running(path, allows) as (service, wall):
        now_ms = service.clock.wall_ms()
        options = i.SetOptions((("min_bet", "2000"),))
        asked = i.FromPit(options, pit_person(1), PIT_BOSS, "0a1b2c3d", now_ms, now_ms + 10_000)
        assert (await service.submit(asked, None, None)).accepted
        await deal_to_the_first_choice(service, 2_000)
        await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")
    changed = replace(setup(SEATS, min_bet=configured), pit_acts=("set_options",))
    other = Service(i.Start(changed, "0.0-test", (SCANNER,)), path)
    with pytest.raises(SetupRefused) as refused:
        await other.recover()
    assert str(refused.value).endswith("([options] min_bet was 1000 when the pit set it to 2000)")


def test_every_part_of_a_setup_has_a_key_by_which_it_is_named() -> None:
    """But for the options, by their own names, and what the pit set of them."""
    parts = {each.name for each in fields(i.Setup)}
    assert parts == {*SETUP_KEYS, "options", "set_by_pit"}


async def test_a_setup_can_change_between_rounds(tmp_path: Path) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        await ask(service, i.LoadPack())
    async with running(path, setup(5, min_bet=2_000)) as (service, wall):
        assert len(wall.shown[-1].lights) == 5
        assert service.state is not None
        assert service.state.options.min_bet == 2_000


async def test_a_journal_that_does_not_replay_stops_the_table_in_its_safe_picture(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, wall):
        await deal_to_the_first_choice(service)
        await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")
    with closing(sqlite3.connect(newest(path))) as base, base:
        base.execute("DELETE FROM records WHERE seq = 5")
    with caplog.at_level(logging.ERROR):
        async with running(path) as (service, wall):
            assert wall.shown[-1].dealer.headline == SAFE_HEADLINE
            assert wall.shown[-1].lights == (Light.HELD,) * SEATS
            assert "tablectl restore" in wall.shown[-1].dealer.refusal
            with pytest.raises(TableStopped, match="record 5 is missing"):
                await service.submit(i.LoadPack(), None, None)
            await draw(service, "Kh")
            await service.ping()
    assert "record 5 is missing" in caplog.text


async def test_a_record_that_cannot_be_opened_answers_a_command_with_a_key_as_any_other(
    tmp_path: Path,
) -> None:
    path = tmp_path / "record"
    path.write_text("no folder")
    service = Service(i.Start(setup(SEATS), "0.0-test", (SCANNER,)), path)
    await service.recover()
    for key in (None, "key-1"):
        with pytest.raises(TableStopped, match="record"):
            await service.submit(i.LoadPack(), key, None)
    service.close()


async def test_a_failed_commit_shows_safe_and_believes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(tmp_path / "record") as (service, wall):
        await deal_to_the_first_choice(service)
        await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")
        assert service.recorder.journal is not None
        head = service.recorder.journal.head
        assert service.recorder.journal.newest_day.writer is not None
        base = service.recorder.journal.newest_day.writer.base
        pages = base.execute("PRAGMA page_count").fetchone()[0]
        base.execute(f"PRAGMA max_page_count={pages}")
        with caplog.at_level(logging.ERROR):
            for _ in range(50):
                await draw(service, "Jo")
                if service.stopped:
                    break
                await asyncio.sleep(0)
            await wall.until(lambda scene: scene.dealer.headline == SAFE_HEADLINE)
        assert "check the disk" in wall.shown[-1].dealer.refusal
        with pytest.raises(TableStopped, match="check the disk"):
            await service.submit(i.CallFloor(), None, None)
        assert service.state is None
        assert service.recorder.journal.head[0] >= head[0]


async def test_an_anchor_that_cannot_be_written_stops_the_table_though_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(tmp_path / "record") as (service, wall):

        def broken(*unused: object) -> None:
            raise OSError(5, "Input/output error")

        assert await ask(service, i.LoadPack()) == ""
        await service.ping()  # the anchor of the last commit is written by then
        monkeypatch.setattr("controller.record.files.head_anchor.Anchor.write", broken)
        with caplog.at_level(logging.ERROR):
            assert await ask(service, i.CutShoe()) == ""
            shown = await wall.until(lambda scene: scene.dealer.headline == SAFE_HEADLINE)
        assert "Input/output error): check the disk" in shown.dealer.refusal
        monkeypatch.undo()
    async with running(tmp_path / "record") as (service, wall):
        # The cut was written, and is there.
        assert wall.shown[-1].dealer.holds[0].title == "Recount"


async def test_a_slow_commit_shows_safe_until_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.service.recorder.SLOW_COMMIT_S", 0.01)
    async with running(tmp_path / "record") as (service, wall):
        add, release = ChainWriter.add, threading.Event()

        def slow(writer: ChainWriter, *arguments: Any) -> None:
            release.wait()
            add(writer, *arguments)

        monkeypatch.setattr(ChainWriter, "add", slow)
        asking = asyncio.create_task(service.submit(i.LoadPack(), None, None))
        await wall.until(lambda scene: scene.dealer.headline == SAFE_HEADLINE)
        release.set()
        assert (await asking).accepted
        assert wall.shown[-1].dealer.headline == "Cut the pack"


async def test_a_defect_stops_the_table_and_keeps_the_record_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, wall):
        hidden, places = card("7d"), dict[Card, int]()

        def broken(*unused: object) -> object:
            return places[hidden]  # what Python says of it names the card

        monkeypatch.setattr(live_table, "decide", broken)
        with caplog.at_level(logging.ERROR), pytest.raises(TableStopped) as stopped:
            await service.submit(i.LoadPack(), None, None)
        assert wall.shown[-1].dealer.headline == SAFE_HEADLINE
        for text in (str(stopped.value), wall.shown[-1].dealer.refusal, caplog.text):
            assert "a defect of the program" in text
            assert "KeyError" in text
            assert "7d" not in text
    monkeypatch.undo()
    async with running(path) as (service, wall):
        assert wall.shown[-1].dealer.headline == "Load the shoe"


async def test_presses_and_refusals_are_counted(tmp_path: Path) -> None:
    async with running(tmp_path / "record") as (service, wall):
        await service.offer(Press("buttons", Button.STAND))
        await wall.until(lambda scene: bool(scene.dealer.refusal))
        figures = service.figures()
        assert figures.refused == 1
        assert figures.inputs == 2
        assert figures.records == 4  # opened, started, scanner up, refused
        assert 0 < figures.commit_s_max <= figures.commit_s_sum


async def test_changes_are_reported_at_once_folded_and_end_with_the_service(tmp_path: Path) -> None:
    async with running(tmp_path / "record") as (service, _):
        shown: list[int] = []

        async def watch() -> None:
            async for _ in service.changes():
                shown.append(service.scene.dealer.seq)

        watching = asyncio.create_task(watch())
        await ask(service, i.LoadPack())
        await ask(service, i.CutShoe())
        last = service.scene.dealer.seq
    async with asyncio.timeout(PATIENCE_S):
        await watching
    assert shown[0] <= last
    assert shown[-1] == last


@pytest.mark.parametrize(
    "entry",
    [lambda code: i.Resolve(1, Resolution.ENTER_CARD, code), lambda code: i.TurnCard(0, 1, code)],
)
async def test_the_record_of_a_card_that_is_entered_does_not_disclose_even_that_it_was_the_same(
    tmp_path: Path, entry: Callable[[str], i.Command]
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        for number, code in enumerate(("Kh", "Kh")):
            await service.submit(entry(code), f"key-{number}", None)
    journal = Journal(path)
    recorded = [record.cause for record in journal.newest_day.records()]
    journal.close()
    causes = [each for each in recorded if each.startswith("k:")]
    prints = [cause.partition("#")[2] for cause in causes]
    assert len(prints) == 2
    assert prints[0] != prints[1]


async def test_what_waits_when_the_table_stops_is_told_so_and_is_no_new_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(tmp_path / "record") as (service, _):

        def broken(*unused: object) -> object:
            raise ZeroDivisionError("a defect")

        monkeypatch.setattr(live_table, "decide", broken)
        with caplog.at_level(logging.ERROR):
            asked = [asyncio.create_task(service.submit(i.LoadPack(), None, None)) for _ in "123"]
            answers = await asyncio.gather(*asked, return_exceptions=True)
    assert {type(each) for each in answers} == {TableStopped}
    assert all("a defect of the program (ZeroDivisionError)" in str(each) for each in answers)
    assert caplog.text.count("table stopped: a defect") == 1


def stored(folder: Path) -> tuple[bytes, bytes]:
    """The bytes of the journal and of its openings, write-ahead logs included."""
    files = {each.name: each.read_bytes() for each in folder.iterdir()}
    seals = [name for name in files if ".openings" in name]
    return (
        b"".join(files[name] for name in files if name not in seals),
        b"".join(files[name] for name in seals),
    )


async def test_a_hidden_card_is_in_no_log_and_no_record_before_it_is_turned(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The journal can be published: what opens a seal stands in a file of its own."""
    caplog.set_level(logging.DEBUG)
    async with running(tmp_path / "record", setup(SEATS, "blackjack")) as (service, wall):
        first: list[i.Command] = [i.LoadPack(), i.CutShoe()]
        bets: list[i.Command] = [i.PlaceWager(1, 1_000), i.CloseBets()]
        for command in first:
            assert await ask(service, command) == ""
        await draw(service, "2c")
        for command in bets:
            assert await ask(service, command) == ""
        await draw(service, "Th 9c 9d")
        await service.offer(Reading(SCANNER, Sealed(card("7d"), "314159"), apart=True))
        await wall.until(lambda scene: scene.dealer.headline.startswith("Box 1: stand"))
        assert "Not now" in await ask(service, i.TurnCard(0, 1, "7d"))
        record, seals = stored(tmp_path / "record")
        for code in (b"314159", b'"7d"'):
            assert code not in record
        assert b"314159" in seals
        assert await ask(service, i.Decide(1, Action.STAND)) == ""
        assert await ask(service, i.TurnCard()) == ""
        assert b'"7d"' in stored(tmp_path / "record")[0]
    for name in ("7d", "7♦", "Seven of diamonds", "314159"):
        assert not re.search(rf"(?<!\w){name}(?!\w)", caplog.text)
