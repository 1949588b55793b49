"""What a rig hears on a line that it listens to: as it comes, with its time, until it is deaf."""

from __future__ import annotations

import asyncio
import os
import queue
import socket
import time
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.devices.lights import Colour
from drivers.panel.lights.sacn import packet
from drivers.settings.sacn import SacnSettings
from sim_hw.devices.wire.sacn import read
from sim_hw.rig.protocol import RigError
from sim_hw.rig.serial_line import SerialLine
from sim_hw.rig.settings import Serial
from tests.hil.rig.rig_client import RigClient, RigHeard, RigRefused, connected
from tests.hil.stands.simulated import UNIVERSE, SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

RED, DARK = Colour(True, False, False), Colour(False, False, False)


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    with simulated_rig(tmp_path_factory.mktemp("rig")) as made:
        yield made


@asynccontextmanager
async def ears(client: RigClient) -> AsyncIterator[asyncio.Queue[RigHeard]]:
    """What comes on the lines that are listened to."""
    came: asyncio.Queue[RigHeard] = asyncio.Queue()
    client.hear(came.put_nowait)
    yield came
    client.unhear(came.put_nowait)


async def heard(came: asyncio.Queue[RigHeard], count: int) -> list[RigHeard]:
    """What comes until there are so many bytes."""
    found: list[RigHeard] = []
    async with asyncio.timeout(PATIENCE_S):
        while sum(len(each.data or b"") for each in found) < count:
            found.append(await came.get())
    return found


@pytest.mark.anyio
async def test_what_comes_is_told_as_it_comes_with_its_time(rig: SimulatedRig) -> None:
    node = os.open(rig.folder / "dmx", os.O_RDWR | os.O_NOCTTY)
    tty.setraw(node)
    try:
        async with connected("127.0.0.1", rig.port) as client, ears(client) as came:
            began_ns = await client.at("listen", "dmx", "on")
            said = b"\x7e\x00" + bytes(range(256))
            os.write(node, said)
            found = await heard(came, len(said))
            assert b"".join(each.data or b"" for each in found) == said
            assert {each.line for each in found} == {"dmx"}
            times = [began_ns, *(each.at_ns for each in found), time.monotonic_ns()]
            assert times == sorted(times)
            assert "dmx" in client.used
            with pytest.raises(RigRefused, match="dmx: it is listened to"):
                await client.do("heard", "dmx")
            # It says, too, while it is listened to.
            await client.do("say", "dmx", b"\xe7".hex())
            assert os.read(node, 10) == b"\xe7"
            await client.do("listen", "dmx", "off")
            os.write(node, b"later")
            async with asyncio.timeout(PATIENCE_S):
                while await client.do("heard", "dmx") == ("-",):  # noqa: ASYNC110
                    await asyncio.sleep(0)
            assert came.empty()
    finally:
        os.close(node)


@pytest.mark.anyio
async def test_the_next_bench_has_a_line_to_itself_and_nothing_of_what_came_before(
    rig: SimulatedRig,
) -> None:
    node = os.open(rig.folder / "dmx", os.O_RDWR | os.O_NOCTTY)
    tty.setraw(node)
    try:
        async with connected("127.0.0.1", rig.port) as client:
            await client.do("listen", "dmx", "on")
        async with connected("127.0.0.1", rig.port) as client, ears(client) as came:
            os.write(node, b"before")
            got = b""
            async with asyncio.timeout(PATIENCE_S):
                while len(got) < len(b"befo"):
                    (said,) = await client.do("heard", "dmx")
                    got += bytes.fromhex(said.removeprefix("-"))
            await client.do("listen", "dmx", "on")
            os.write(node, b"after")
            assert b"".join(each.data or b"" for each in await heard(came, 5)) == b"after"
    finally:
        os.close(node)


@pytest.mark.anyio
async def test_packets_of_a_universe_are_told_one_by_one(rig: SimulatedRig) -> None:
    settings = SacnSettings(UNIVERSE, spots=1)
    async with connected("127.0.0.1", rig.port) as client, ears(client) as came:
        await client.do("listen", "fixtures", "on")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sends:
            for number, colour in enumerate((RED, DARK, RED)):
                sends.sendto(packet(settings, [colour], number), ("127.0.0.1", rig.fixtures))
        size = len(packet(settings, [RED], 0))
        found = await heard(came, 3 * size)
        assert [read(each.data or b"").slots[0] for each in found] == [255, 0, 255]
        with pytest.raises(RigRefused, match="listening is on or off, not 'up'"):
            await client.do("listen", "fixtures", "up")


def test_a_line_that_is_pulled_out_is_said_to_be_away_and_heard_again_when_it_is_back(
    tmp_path: Path,
) -> None:
    node, came = tmp_path / "board", queue.SimpleQueue[tuple[str, bytes]]()
    line = SerialLine("strip", Serial(node, 115_200))
    with pytest.raises(RigError, match="cannot be opened"):
        line.listen(lambda *_: None, lambda *_: None)
    for turn in range(2):
        far, near = os.openpty()
        tty.setraw(near)
        node.symlink_to(os.ttyname(near))
        if not turn:
            line.listen(
                lambda _, name, data: came.put((name, data)), lambda _, name: came.put((name, b""))
            )
        # What is said before the line is opened again is lost.
        while came.empty():
            os.write(far, b"%d" % turn)
            time.sleep(0.01)
        name, data = came.get()
        assert (name, {*data.decode()}) == ("strip", {str(turn)})
        for end in (near, far):
            os.close(end)
        node.unlink()
        while data:
            name, data = came.get(timeout=PATIENCE_S)
        assert name == "strip"
    line.close()
