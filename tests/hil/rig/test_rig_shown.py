"""What the rig takes of lights and pictures: packets, a deck's reports, boards at a bus."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from controller.devices.lights import Colour
from drivers.panel.lights.sacn import packet
from drivers.settings.sacn import SacnSettings
from sim_hw.devices.wire.sacn import read
from sim_hw.devices.wire.stream_deck import Deck
from sim_hw.rig.boards.packets import HEARD, LOST
from sim_hw.rig.boards.packets import packet as board_packet
from sim_hw.rig.protocol import RigError
from sim_hw.rig.sacn_line import SacnLine
from sim_hw.rig.serial_line import SerialLine
from sim_hw.rig.settings import Sacn, Serial, load
from tests.hil.rig.rig_client import RigClient, RigRefused, connected
from tests.hil.rig.rig_line import RigLine
from tests.hil.rig.taps import DISPLAY_BOARD, STRIP_BOARD, BoardLine, NotHeard, Tap
from tests.hil.stands.simulated import UNIVERSE, SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

RED, DARK = Colour(True, False, False), Colour(False, False, False)
#: A page of a deck's picture, without its head.
PAGE = 1_016


@pytest.fixture
def receiver() -> Iterator[tuple[SacnLine, socket.socket]]:
    """A universe on this machine, and a socket that sends to it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sends:
        sends.bind(("127.0.0.1", 0))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        line = SacnLine("fixtures", Sacn(UNIVERSE, "127.0.0.1", port))
        sends.connect(("127.0.0.1", port))
        yield line, sends
        line.close()


def test_fixtures_have_the_newest_packet_of_their_universe(
    receiver: tuple[SacnLine, socket.socket],
) -> None:
    line, sends = receiver
    ours, theirs = SacnSettings(UNIVERSE, spots=2), SacnSettings(UNIVERSE + 1, spots=2)
    assert line.heard() == b""
    for number, (settings, colours) in enumerate(
        [(ours, [DARK, DARK]), (ours, [RED, DARK]), (theirs, [RED, RED])]
    ):
        sends.send(packet(settings, colours, number))
    sends.send(b"no packet")
    heard = read(line.heard())
    assert (heard.universe, heard.slots) == (UNIVERSE, bytes((255, 0, 0, 0, 0, 0)))
    assert line.heard() == b""


def test_fixtures_say_nothing_and_need_a_port(receiver: tuple[SacnLine, socket.socket]) -> None:
    line, sends = receiver
    with pytest.raises(RigError, match="fixtures say nothing, 2 bytes"):
        line.say(b"on")
    with pytest.raises(RigError, match="cannot be used"):
        SacnLine("fixtures", Sacn(UNIVERSE, "192.0.2.1", sends.getsockname()[1]))


@pytest.mark.parametrize("universe", [0, 64_000])
def test_a_universe_that_there_is_not_is_refused(tmp_path: Path, universe: int) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(f'name = "a"\n[sacn.fixtures]\nuniverse = {universe}\n')
    with pytest.raises(RigError, match=r"universe is \d+: choose 1 to 63999"):
        load(path)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_what_a_board_hands_on_is_parted_again(tmp_path: Path, size: int) -> None:
    path, frames = tmp_path / "line", [b"GRB" * 12, b"\x40" + bytes(300)]
    path.touch()
    tap = Tap(path, STRIP_BOARD)
    for each in frames:
        tap.queue.heard(each)
        tap.hands_on()
    tap.close()
    said, heard = path.read_bytes(), list[bytes]()
    line = BoardLine(STRIP_BOARD, heard.append)
    for at in range(0, len(said), size):
        line.hears(said[at : at + size])
    assert heard == frames
    with pytest.raises(NotHeard, match="strip simulated is on the line of the display board"):
        BoardLine(DISPLAY_BOARD, heard.append).hears(said)


def test_what_a_board_lost_is_no_picture() -> None:
    line = BoardLine(STRIP_BOARD, lambda frame: None)
    with pytest.raises(NotHeard, match="the strip board lost bytes of a frame"):
        line.hears(board_packet(LOST, b"bytes of a frame"))
    whole = board_packet(LOST, b"bytes")
    with pytest.raises(NotHeard, match="the strip board lost"):
        line.hears(whole[:4] + whole[5:])


class PulledOut(RigClient):
    """A rig whose boards say one thing, and are away then."""

    def __init__(self, said: bytes) -> None:
        self.said = ["-", "-", said.hex()]
        self.asked = asyncio.Event()

    async def do(self, verb: str, *words: object, raw: bytes = b"") -> tuple[str, ...]:
        if self.said:
            return (self.said.pop(0),)
        self.asked.set()
        raise RigRefused("strip: the line was lost (it hung up)")


@pytest.mark.anyio
async def test_what_a_board_said_before_it_was_pulled_out_is_not_all() -> None:
    rig = PulledOut(board_packet(HEARD, b"GRB"))
    line = RigLine(rig, "strip")
    listening = AsyncExitStack()
    await listening.enter_async_context(line.listening())
    async with asyncio.timeout(PATIENCE_S):
        await rig.asked.wait()
    assert line.frame == b"GRB"
    with pytest.raises(NotHeard, match="a board is away: strip: the line was lost"):
        await listening.aclose()


def test_a_line_that_was_pulled_out_is_said_to_be_lost_and_opened_again(tmp_path: Path) -> None:
    node = tmp_path / "board"
    line = SerialLine("strip", Serial(node, 115_200))
    for said in (b"before", b"after"):
        far, near = os.openpty()
        node.symlink_to(os.ttyname(near))
        os.close(near)
        assert line.heard() == b""
        os.write(far, said)
        assert line.heard() == said
        os.close(far)
        node.unlink()
        with pytest.raises(RigError, match="strip: the line was lost"):
            line.heard()
        with pytest.raises(RigError, match="cannot be opened"):
            line.heard()
    line.close()


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    with simulated_rig(tmp_path_factory.mktemp("rig")) as made:
        yield made


@pytest.mark.anyio
async def test_pictures_wait_until_the_rig_takes_them_and_none_is_torn(rig: SimulatedRig) -> None:
    """A burst of more than any buffer on the way holds; what USB does, a line of the loom does."""
    pictures = {key: bytes((key,)) * (2 * PAGE + 100) for key in range(15)}
    deck = Deck()
    async with connected("127.0.0.1", rig.port) as client:
        node = os.open(rig.folder / "deck", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            said = b"".join(map(_reports, pictures, pictures.values()))
            async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as both:
                both.create_task(_send(node, said))
                while deck.pictures != pictures:
                    (heard,) = await client.do("heard", "deck")
                    deck.hears(bytes.fromhex(heard.removeprefix("-")))
        finally:
            os.close(node)


def _reports(key: int, picture: bytes) -> bytes:
    """The output reports of a picture, as the deck's protocol has them."""
    pages = [picture[at : at + PAGE] for at in range(0, len(picture), PAGE)]
    return b"".join(
        bytes((2, 7, key, number == len(pages) - 1))
        + len(page).to_bytes(2, "little") + number.to_bytes(2, "little") + page.ljust(PAGE, b"\0")
        for number, page in enumerate(pages)
    )  # fmt: skip


async def _send(node: int, data: bytes) -> None:
    while data:
        with suppress(BlockingIOError):
            data = data[os.write(node, data) :]
        await asyncio.sleep(0)


@pytest.mark.anyio
async def test_fixtures_are_a_line_of_the_rig(rig: SimulatedRig) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        assert client.lines["fixtures"] == ("sacn", str(UNIVERSE))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sends:
            sends.sendto(packet(SacnSettings(UNIVERSE, spots=1), [RED], 0),
                         ("127.0.0.1", rig.fixtures))  # fmt: skip
        heard = "-"
        async with asyncio.timeout(PATIENCE_S):
            while heard == "-":
                (heard,) = await client.do("heard", "fixtures")
        assert read(bytes.fromhex(heard)).slots == bytes((255, 0, 0))
        with pytest.raises(RigRefused, match="fixtures say nothing"):
            await client.do("say", "fixtures", "00")
