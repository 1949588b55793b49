"""A table's pictures of cards over a real broker: what lies face up by its record, and no other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout

from controller.bus import picture_desk
from controller.bus.forwarder import Forwarder
from controller.bus.messages import (
    CardPictures,
    PicturesRefused,
    PicturesRequest,
    Topic,
    decode_pictures,
    encode,
    subject,
)
from controller.bus.picture_desk import ANSWERED, BUSY, DAY_GONE, SLOW, PictureDesk
from controller.bus.server_conf import PIT, Leaves, ServerFiles, inbox, server_conf
from controller.config.bus_section import BusSection
from controller.pit.line import line as pit_line
from controller.pit.line.questions import NobodyThere, NotLet
from controller.record.card_images import Evidence
from tests.bus.described import fits
from tests.bus.nats_server import PASSWORDS, NatsServer, flushed
from tests.bus.test_command_subjects import BrokerClient
from tests.bus.test_forwarder import until
from tests.bus.test_pit_line import reading
from tests.support.dealt.journals import write_journal
from tests.support.filmed import CARDS, DRAWN, HIDDEN, FilmedTable, name_of
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
OPEN = [each for each in CARDS if each != HIDDEN]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def table() -> FilmedTable:
    """A round, as far as the player's turn."""
    made = FilmedTable()
    made.begin()
    return made


class FilmedRecord:
    """The record of a table, and its pictures, in a folder."""

    def __init__(self, folder: Path, table: FilmedTable) -> None:
        self.record = folder / "record"
        self.table = table
        self.evidence = Evidence(folder / "record.pictures", 10)
        self._written = 0
        self.write()

    def write(self) -> None:
        """Commit what the table has done since."""
        records = self.table.pit.records
        write_journal(self.record, records[self._written :])
        self._written = len(records)
        for name, jpeg in self.table.kept.items():
            self.evidence.keep(name, jpeg)

    def asked(self, *codes: str, number: int = 1) -> PicturesRequest:
        names = tuple(self.table.name(each) for each in codes)
        return PicturesRequest(number, self.table.first_seq(number), names)


@pytest.fixture
def written(tmp_path: Path, table: FilmedTable) -> Iterator[FilmedRecord]:
    made = FilmedRecord(tmp_path, table)
    yield made
    made.evidence.close()


@asynccontextmanager
async def forwarding(
    folder: Path, written: FilmedRecord, broker: NatsServer, desk: PictureDesk | None = None
) -> AsyncIterator[Forwarder]:
    """The line of a running table."""
    password = folder / "T1.password"
    password.write_text(PASSWORDS["T1"])
    line = Forwarder(
        "T1", written.record, BusSection((broker.url,), "T1", password, None),
        status=lambda: (1, b"{}"), clock_ms=lambda: 1_000, software="0.1.0+test",
        pictures=desk or PictureDesk("T1", written.record, written.evidence.get),
    )  # fmt: skip
    running = asyncio.ensure_future(line.run())
    try:
        yield line
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


class AskingPit:
    """The pit at the broker."""

    def __init__(self) -> None:
        self.client = Client()

    async def ask(self, request: PicturesRequest) -> CardPictures | PicturesRefused:
        """The table's answer; it may not listen yet."""
        asked = encode(request)
        fits("pictures", asked)
        answer = None
        async with asyncio.timeout(PATIENCE_S):
            while answer is None:
                try:
                    answer = await self.client.request(
                        subject("T1", Topic.PICTURES), asked, timeout=PATIENCE_S
                    )
                except NoRespondersError:
                    await asyncio.sleep(0.02)
        fits("picturesAnswer", answer.data)
        return decode_pictures(answer.data)


@asynccontextmanager
async def pit_at(broker: NatsServer) -> AsyncIterator[AskingPit]:
    pit = AskingPit()
    await pit.client.connect(broker.url, user=PIT, password=PASSWORDS[PIT], inbox_prefix=inbox(PIT))
    try:
        yield pit
    finally:
        await pit.client.close()


def files(answer: CardPictures | PicturesRefused) -> dict[str, bytes]:
    assert isinstance(answer, CardPictures), answer
    return {each.name: each.jpeg for each in answer.pictures}


async def test_the_pit_gets_the_pictures_of_open_cards_and_of_a_hidden_one_once_it_is_turned(
    tmp_path: Path, broker: NatsServer, written: FilmedRecord
) -> None:
    table = written.table
    async with forwarding(tmp_path, written, broker), pit_at(broker) as pit:
        answer = await pit.ask(written.asked(*CARDS))
        assert files(answer) == {table.name(each): table.kept[table.name(each)] for each in OPEN}
        assert isinstance(answer, CardPictures)
        assert answer.held_back == (table.name(HIDDEN),)
        table.turn()
        table.end()
        written.write()
        again = await pit.ask(written.asked(*CARDS, DRAWN))
        assert files(again) == table.kept
        # What it no longer keeps, or what is another file than it was, it says to be gone.
        written.evidence.close()  # all are on the disk
        [hidden] = (tmp_path / "record.pictures").glob(f"*/{table.name(HIDDEN)}.jpg")
        [drawn] = (tmp_path / "record.pictures").glob(f"*/{table.name(DRAWN)}.jpg")
        hidden.unlink()
        drawn.write_bytes(b"another card")
        less = await pit.ask(written.asked(*CARDS, DRAWN))
        assert isinstance(less, CardPictures)
        assert set(less.gone) == {table.name(HIDDEN), table.name(DRAWN)}
        assert set(files(less)) == {table.name(each) for each in OPEN}


async def test_no_picture_can_be_asked_for_under_another_round(written: FilmedRecord) -> None:
    """Nor one that is none of the round's, nor by a place where no round begins."""
    desk = PictureDesk("T1", written.record, written.evidence.get)
    first = written.table.first_seq(1)
    name = written.table.name(OPEN[0])
    for number, at in ((2, first), (1, first + 1), (1, first - 1), (1, 1)):
        answer = await desk.answer(encode(PicturesRequest(number, at, (name,))))
        assert answer == CardPictures("T1", (), (), (name,))
    other = name_of(b"nothing of this table")
    answer = await desk.answer(encode(PicturesRequest(1, first, (other,))))
    assert answer == CardPictures("T1", (), (), (other,))
    desk.close()


@pytest.mark.parametrize("body", [b"", b"{", b"{}", b"[" * 100_000, b"\xff" * 50])
async def test_what_is_no_request_is_refused(written: FilmedRecord, body: bytes) -> None:
    desk = PictureDesk("T1", written.record, written.evidence.get)
    assert await desk.answer(body) == PicturesRefused("T1", "this is no request for pictures")
    desk.close()


async def test_a_round_that_is_not_in_the_record_any_more_is_said_to_be_so(
    written: FilmedRecord,
) -> None:
    desk = PictureDesk("T1", written.record, written.evidence.get)
    answer = await desk.answer(encode(PicturesRequest(1, 9_000, ())))
    assert answer == PicturesRefused("T1", picture_desk.OTHER_RECORD)
    for each in written.record.glob("*.day*"):
        each.unlink()
    gone = await desk.answer(encode(written.asked(*OPEN)))
    assert gone == PicturesRefused("T1", DAY_GONE)
    desk.close()


async def test_pictures_that_do_not_fit_in_a_message_are_asked_for_again(tmp_path: Path) -> None:
    sizes = {"Th": 150_000, "9c": 150_000, "8d": 150_000, "7s": 600_000}
    table = FilmedTable(lambda code: code.encode() * (sizes.get(code, 2) // 2))
    table.whole()
    written = FilmedRecord(tmp_path, table)
    desk = PictureDesk("T1", written.record, written.evidence.get)
    left, answers = written.asked(*CARDS, DRAWN).names, 0
    found: dict[str, bytes] = {}
    while left:
        answer = await desk.answer(encode(PicturesRequest(1, table.first_seq(1), left)))
        assert isinstance(answer, CardPictures)
        assert len(encode(answer)) < 600_000
        found |= files(answer)
        settled = {*found, *answer.gone, *answer.held_back}
        left = tuple(each for each in left if each not in settled)
        answers += 1
        assert answers <= 2
    # The one that fits in no message is to be had by nobody.
    assert found == {name: each for name, each in table.kept.items() if len(each) < 600_000}
    desk.close()
    written.evidence.close()


async def test_a_table_whose_disk_hangs_says_so_and_its_line_goes_on(
    tmp_path: Path, broker: NatsServer, written: FilmedRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = threading.Event()

    def kept(_name: str) -> bytes | None:
        hangs.wait(PATIENCE_S)
        return None

    desk = PictureDesk("T1", written.record, kept, answer_s=0.05)
    async with forwarding(tmp_path, written, broker, desk) as line, pit_at(broker) as pit:
        assert await pit.ask(written.asked(*OPEN)) == PicturesRefused("T1", SLOW)
        # Meanwhile nobody waits for it a second time, and the line is in order.
        assert await pit.ask(written.asked(*OPEN)) == PicturesRefused("T1", BUSY)
        assert line.link.problem() is None
        heard = await pit.client.subscribe(subject("T1", Topic.STATUS))
        await flushed(pit.client)
        line.wake()
        await heard.next_msg(PATIENCE_S)
        assert not hangs.is_set()
        hangs.set()
        answer: CardPictures | PicturesRefused = PicturesRefused("T1", BUSY)
        for _ in range(100):
            answer = await pit.ask(written.asked(*OPEN))
            if isinstance(answer, CardPictures):
                break
            await asyncio.sleep(0.1)
        assert isinstance(answer, CardPictures)
        assert len(answer.gone) == len(OPEN)


async def test_a_flood_of_requests_reads_no_disk(written: FilmedRecord) -> None:
    read: list[str] = []
    now_s = 0.0

    def kept(name: str) -> bytes | None:
        read.append(name)
        return None

    desk = PictureDesk("T1", written.record, kept, lambda: now_s)
    most, every_s = ANSWERED
    asked = encode(written.asked(OPEN[0]))
    answers = [await desk.answer(asked) for _ in range(most + 5)]
    assert [isinstance(each, CardPictures) for each in answers] == [True] * most + [False] * 5
    assert answers[-1] == PicturesRefused("T1", BUSY)
    assert len(read) == most
    now_s = every_s
    assert isinstance(await desk.answer(asked), CardPictures)
    desk.close()


async def test_a_defect_of_ours_says_nothing_of_a_card(
    tmp_path: Path, broker: NatsServer, written: FilmedRecord, caplog: pytest.LogCaptureFixture
) -> None:
    def kept(_name: str) -> bytes | None:
        raise KeyError(HIDDEN)

    desk = PictureDesk("T1", written.record, kept)
    async with forwarding(tmp_path, written, broker, desk) as line, pit_at(broker) as pit:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await pit.client.request(
                        subject("T1", Topic.PICTURES), encode(written.asked(*OPEN)), timeout=0.3
                    )
                except NoRespondersError:
                    await asyncio.sleep(0.02)
                except NatsTimeout:
                    break
        assert line.link.problem() is None
    assert "a request for pictures was not answered" in caplog.text
    assert HIDDEN not in caplog.text


async def test_a_table_is_asked_by_the_pit_alone(broker: NatsServer) -> None:
    """Another table neither hears nor asks; and an answer goes to the pit's inbox alone."""
    pit, one, two = [await BrokerClient().enter(broker, user) for user in (PIT, "T1", "T2")]
    await one.client.subscribe(subject("T1", Topic.PICTURES))
    await pit.client.publish(subject("T1", Topic.PICTURES), b"{}")
    await two.client.subscribe(subject("T1", Topic.PICTURES))
    await two.client.subscribe(subject("*", Topic.PICTURES))
    for table in ("T1", "T2"):
        await two.client.publish(subject(table, Topic.PICTURES), b"forged")
    await two.until_refused(4)
    assert pit.refused == one.refused == []
    for each in (pit, one, two):
        await each.client.close()


async def test_an_answer_goes_nowhere_but_to_the_pit(
    tmp_path: Path, broker: NatsServer, written: FilmedRecord
) -> None:
    """Else whoever has the pit's password would have a table say pictures for its status."""
    async with forwarding(tmp_path, written, broker), pit_at(broker) as pit:
        heard = await pit.client.subscribe(subject("T1", Topic.STATUS))
        assert isinstance(await pit.ask(written.asked(*OPEN)), CardPictures)
        await pit.client.publish(
            subject("T1", Topic.PICTURES), encode(written.asked(*OPEN)),
            reply=subject("T1", Topic.STATUS),
        )  # fmt: skip
        assert isinstance(await pit.ask(written.asked(*OPEN)), CardPictures)
        await flushed(pit.client)
        while True:
            try:
                came = await heard.next_msg(0.3)
            except NatsTimeout:
                break
            assert b"pictures" not in came.data


async def test_a_broker_whose_configuration_is_of_before_costs_a_table_nothing(
    tmp_path: Path, written: FilmedRecord, caplog: pytest.LogCaptureFixture
) -> None:
    text = server_conf("127.0.0.1:0", ServerFiles(str(tmp_path / "js")), PASSWORDS)
    of_before = text.replace(f', "{subject("T1", Topic.PICTURES)}"', "")
    assert of_before != text
    server = NatsServer(tmp_path / "nats")
    server.conf.write_text(of_before.replace("127.0.0.1:0", f"127.0.0.1:{server.port}"))
    with server:
        async with forwarding(tmp_path, written, server) as line:
            await until(lambda: "write the broker's configuration anew" in caplog.text)
            assert line.link.problem() is None


async def took_nothing(_table: str, _body: bytes, _number: int) -> None:
    """No record is sent here."""


async def test_the_pits_line_asks_for_them_and_says_why_none_come(
    tmp_path: Path, broker: NatsServer, written: FilmedRecord
) -> None:
    asked = written.asked(*OPEN)
    password = tmp_path / "pit.password"
    password.write_text(PASSWORDS[PIT])
    async with reading(broker, password, took_nothing) as line:
        await until(lambda: line.why == "")
        with pytest.raises(NobodyThere):
            await line.pictures("T1", asked)
        async with forwarding(tmp_path, written, broker):
            answer: CardPictures | PicturesRefused | None = None
            while answer is None:
                with suppress(NobodyThere):
                    answer = await line.pictures("T1", asked)
                await asyncio.sleep(0.02)
            assert set(files(answer)) == {written.table.name(each) for each in OPEN}


async def test_a_broker_that_lets_nobody_ask_is_told_from_a_table_that_is_away(
    tmp_path: Path, written: FilmedRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its configuration is of before: the pit reads on, and says what to do."""
    monkeypatch.setattr(pit_line, "ANSWER_S", 0.5)
    text = server_conf("127.0.0.1:0", ServerFiles(str(tmp_path / "js")), PASSWORDS)
    server = NatsServer(tmp_path / "nats")
    of_before = text.replace(f', "{subject("*", Topic.PICTURES)}"', "")
    assert of_before != text
    server.conf.write_text(of_before.replace("127.0.0.1:0", f"127.0.0.1:{server.port}"))
    password = tmp_path / "pit.password"
    password.write_text(PASSWORDS[PIT])
    with server:
        async with reading(server, password, took_nothing) as line:
            await until(lambda: line.why == "")
            with pytest.raises(NotLet):
                await line.pictures("T1", written.asked(*OPEN))
            assert line.why == ""


def test_headquarters_asks_tables_of_sites_and_no_site_those_of_others() -> None:
    leaves = Leaves("127.0.0.1:7422", {"HELSINKI": "secret"})
    text = server_conf("127.0.0.1:4222", ServerFiles("/x"), {PIT: "p"}, leaves=leaves)
    [site] = [each for each in text.splitlines() if '"HELSINKI"' in each and "LEAFNODE" in each]
    says, hears = site.split("subscribe:")
    assert subject("*", Topic.PICTURES) in says
    assert subject("*", Topic.PICTURES) not in hears
