"""What becomes of a rig, and of its bench, when something at the other end of a line does not."""

from __future__ import annotations

import asyncio
import fcntl
import os
import socket
import struct
import sys
import termios
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from drivers.panel.lights.sacn import packet
from drivers.settings.sacn import SacnSettings
from sim_hw.devices.wire.sacn import read
from sim_hw.rig import serial_line
from sim_hw.rig.pins import Pins
from sim_hw.rig.protocol import GREETING, RigError
from sim_hw.rig.sacn_line import SacnLine
from sim_hw.rig.serial_line import SerialLine
from sim_hw.rig.settings import RigSettings, Sacn, Serial
from tests.hil.rig.rig_client import RigGone, RigRefused, connected
from tests.hil.rig.test_rig_shown import DARK, RED
from tests.hil.stands.simulated import UNIVERSE, SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
READ_AHEAD = 4_096


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[SerialLine, int]]:
    """A serial line of the rig, and its other end, which nobody reads yet."""
    monkeypatch.setattr(serial_line, "FULL_S", 0.05)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    made = SerialLine("scanner", Serial(Path(os.ttyname(theirs)), 115_200))
    yield made, ours
    made.close()
    for end in (ours, theirs):
        os.close(end)


def test_a_line_that_nobody_reads_does_not_hold_the_rig_up(
    line: tuple[SerialLine, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table whose service is down takes nothing from USB: `tcdrain` would wait until it does."""
    monkeypatch.setattr(serial_line, "_waiting", lambda _: 3)
    monkeypatch.setattr(termios, "tcdrain", lambda _: pytest.fail("it waits for ever"))
    with pytest.raises(RigError, match="3 bytes were not said, and none will be: nobody reads it"):
        line[0].say(b"THX\r")


def test_half_a_code_does_not_wait_for_whoever_reads_next(line: tuple[SerialLine, int]) -> None:
    with suppress(RigError):
        while True:
            line[0].say(b"THX\r" * 250)
    line[0].say(b"9CE\r")
    heard = b""
    while not heard.endswith(b"9CE\r"):
        heard += os.read(line[1], READ_AHEAD)
    # What had left is at the other end, which a pty has a page for; the rest is said no more.
    assert len(heard) <= READ_AHEAD + 4


class LibraryError(Exception):
    """As lgpio's own: none of gpiozero's, and none of Python's."""


def test_hands_are_taken_off_every_pin_where_one_of_them_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: object) -> None:
        raise LibraryError("bad handle")

    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=LibraryError))
    hands = {"beam": 23, "next": 24, "call": 25}
    pins = Pins(RigSettings("a", "", 0, outputs=hands), lambda *_: None)
    try:
        for name in hands:
            pins.move(name, True)
        with monkeypatch.context() as broken:
            broken.setattr(factory.pin(23), "_set_state", fails)
            with pytest.raises(RigError, match="a pin cannot be moved: bad handle"):
                pins.hands_off()
        assert [factory.pin(each).state for each in hands.values()] == [1, 0, 0]
    finally:
        pins.close()
        factory.reset()


def _bytes_in(fixtures: SacnLine) -> int:
    """How much lies in its socket."""
    return int(struct.unpack("i", fcntl.ioctl(fixtures._socket, termios.FIONREAD, bytes(4)))[0])


async def test_fixtures_that_nobody_asked_for_minutes_have_the_newest_packet() -> None:
    """The socket of a universe is full within minutes, and drops what is new."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sends:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        fixtures = SacnLine("fixtures", Sacn(UNIVERSE, "127.0.0.1", port))
        sends.connect(("127.0.0.1", port))
        settings = SacnSettings(UNIVERSE, spots=2)
        for number in range(200):
            sends.send(packet(settings, [RED, DARK], number))
        sends.send(packet(settings, [DARK, RED], 200))
        async with asyncio.timeout(PATIENCE_S):
            while _bytes_in(fixtures):  # noqa: ASYNC110  (a socket has no event for that)
                await asyncio.sleep(0.005)
        assert read(fixtures.heard()).slots == bytes((0, 0, 0, 255, 0, 0))
        fixtures.close()


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    with simulated_rig(tmp_path_factory.mktemp("rig")) as made:
        yield made


async def test_a_picture_that_is_refused_is_not_taken_for_requests(rig: SimulatedRig) -> None:
    requests = b"1 edge beam on\n2 dance\n"
    async with connected("127.0.0.1", rig.port) as client:
        for name in ("small", "what-is-no-name"):
            with pytest.raises(RigRefused, match=r"a picture"):
                await client.do("picture", name, len(requests), raw=requests)
        assert (await client.look())["beam"].value == "0"


@asynccontextmanager
async def hanging_up(*answers: bytes) -> AsyncIterator[int]:
    """A rig that gives these answers after its greeting, one a request, and hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(GREETING.encode() + b"\n")
        for each in answers:
            await reader.readline()
            writer.write(each)
        with suppress(OSError):
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("last", [b"", b"3 ok 9\n", b"3 ok 9 100\na pict", b"at\n", b"7 ok\n"])
async def test_a_rig_that_is_started_again_ends_what_a_bench_waits_for(last: bytes) -> None:
    async with (
        hanging_up(b"1 ok 5 name=a\n", b"2 ok 6 beam=out:0\n", last) as port,
        connected("127.0.0.1", port) as client,
    ):
        waiting = asyncio.create_task(client.until(lambda: False))
        with suppress(RigGone):
            await (client.grab() if b"pict" in last else client.do("edge", "beam", "on"))
        async with asyncio.timeout(PATIENCE_S / 2):
            with pytest.raises(RigGone):
                await waiting
            with pytest.raises(RigGone):
                await client.do("edge", "beam", "off")
            with pytest.raises(RigGone):
                await client.until(lambda: False)
        assert client.gone is not None
