"""The world outside treats the real service badly: scanner, time, pins, and whoever looks at it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

import pytest

from controller.commands.demo.wiring import SPOTS
from controller.record.reading.verify import verify
from drivers.code_book import check_character
from sim_hw.devices.spot_lamps import LampColour
from tests.drivers.outside import ScannerLine, until
from tests.support.patience import PATIENCE_S, Stopwatch
from tests.support.processes.real_table import HELD, SHUFFLE, RealTable, down, standing

pytestmark = pytest.mark.anyio

FLOOD_FRAMES, FLOOD_S = 10_000, 1.0
#: What a service may grow by while it is flooded; a second of frames is 40 kB.
GROWTH_KB = 8_000
IDLE = 1_000
#: How systemd stops it (systemd/units/tablectl.service, TimeoutStopSec).
STOP_S = 15.0


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[RealTable]:
    async with standing(RealTable(tmp_path)) as built:
        yield built


async def betting(table: RealTable) -> asyncio.subprocess.Process:
    """A service at whose table the bets are open, with one placed."""
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    await table.open_bets()
    await table.ask("place_wager", seat=1, amount=5_000)
    return service


async def in_round(table: RealTable) -> asyncio.subprocess.Process:
    """A service that waits for the first card of a round."""
    service = await betting(table)
    await table.ask("close_bets")
    await table.until_scene(lambda scene: scene["phase"] == "round")
    return service


def frame(card: str) -> bytes:
    return f"{card}{check_character(card)}\r".encode()


def resident_kb(service: asyncio.subprocess.Process) -> int:
    """How much memory a process has."""
    lines = Path(f"/proc/{service.pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))


async def goes_on(table: RealTable, gone: int) -> None:
    """Every hold is released as the display offers; then a card is a card again."""
    async with asyncio.timeout(PATIENCE_S):
        while holds := (await table.scene())["holds"]:
            resolutions = {
                key["command"].get("resolution"): key["command"] for key in holds[0]["resolutions"]
            }
            resolution = next(
                each for each in ("count", "no_card", "one", "release") if each in resolutions
            )
            if resolution == "count":
                await table.count_felt()
            else:
                await table.ask(**resolutions[resolution])
    await table.draw("9S")
    await table.until_scene(lambda scene: scene["shoe"]["gone"] == gone + 1)
    found = verify(table.record)
    assert found.good, found.problems


# The scanner


async def test_a_scanner_that_comes_back_under_another_name_is_taken_up_again(
    table: RealTable,
) -> None:
    """The by-id name leads to another device than before, while the old one is still there."""
    await in_round(table)
    await table.draw("8S")
    gone = (await table.until_scene(lambda scene: scene["shoe"]["gone"] == 2))["shoe"]["gone"]
    old, link = table.line, table.folder / "scanner"
    was = os.readlink(link)
    link.unlink()
    table.line = ScannerLine(link)
    table.line.plug()
    assert os.readlink(link) != was
    old.hang_up()
    scene = await table.until_scene(lambda scene: bool(scene["holds"]) and not down(scene))
    assert [hold["title"] for hold in scene["holds"]] == ["Recount"]
    await goes_on(table, gone)


@pytest.mark.long
async def test_a_scanner_that_floods_is_held_in_bounded_memory_and_the_pages_answer(
    table: RealTable,
) -> None:
    """10,000 frames a second: no card of it is believed."""
    service = await in_round(table)
    before_kb = resident_kb(service)
    frames = [frame(f"{rank}{suit}") for rank in "23456789" for suit in "CDHS"]
    chance, sent = Random(1), 0
    began_s = asyncio.get_running_loop().time()
    while sent < FLOOD_FRAMES:
        due = int((asyncio.get_running_loop().time() - began_s) / FLOOD_S * FLOOD_FRAMES)
        for _ in range(min(due, FLOOD_FRAMES) - sent):
            with suppress(BlockingIOError):  # a line that is full overruns, like a UART
                table.line.say(chance.choice(frames))
        sent = min(due, FLOOD_FRAMES)
        if sent % 5 == 0:
            assert (await table.health()) == 200
        await asyncio.sleep(0.005)
    assert resident_kb(service) - before_kb < GROWTH_KB
    # So many cards and nothing in the beam: the reader is down, and what has left is counted.
    await until(lambda: table.line.unread == 0)
    scene = await table.until_scene(lambda scene: bool(scene["holds"]) and not down(scene))
    assert [hold["title"] for hold in scene["holds"]] == ["Recount"]
    assert scene["shoe"]["gone"] == 1, "no card is believed"
    await table.until_all(HELD)
    await goes_on(table, 1)


@pytest.mark.long
async def test_random_bytes_and_half_frames_are_no_cards(table: RealTable) -> None:
    """A second of noise with the exit of the shoe at rest, and the first halves of codes."""
    await in_round(table)
    chance = Random(2)
    for _ in range(100):
        with suppress(BlockingIOError):
            table.line.say(chance.randbytes(100))
        await asyncio.sleep(0.01)
    for card in ("8S", "9H", "TD"):
        table.line.say(frame(card)[:2])
    table.line.say(b"\r")
    # Noise without end is a scanner in trouble: it is taken again once it is quiet.
    await until(lambda: table.line.unread == 0)
    scene = await table.until_scene(lambda scene: not down(scene))
    assert scene["shoe"]["gone"] == 1
    await goes_on(table, 1)


# Time


@pytest.mark.long
async def test_a_service_that_is_stopped_for_longer_than_its_watchdog_is_silent_to_it(
    table: RealTable, tmp_path: Path
) -> None:
    """Held lights at once; what systemd would wait for does not come; it goes on if it may."""
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    with closing(notices):
        notices.bind(str(tmp_path / "notify"))
        notices.setblocking(False)
        table.below = {
            "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(WATCHDOG_US),
        }  # fmt: skip
        service = await betting(table)
        await until_alive(notices)
        service.send_signal(signal.SIGSTOP)
        await table.until_all(HELD)
        await heard(notices, 0.1)
        # As long as systemd would wait: it would have started another by now.
        assert await heard(notices, WATCHDOG_US / 1e6) == []
        service.send_signal(signal.SIGCONT)
        await table.until(lambda: table.spots()[0] == LampColour(False, False, True))
        await until_alive(notices)
    # A manager that cannot be told (it starts itself anew) is no reason to leave the table.
    async with asyncio.timeout(PATIENCE_S):
        while "was not told" not in table.log():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    scene = await table.scene()
    assert not scene["holds"], "nothing left the shoe unseen: bytes and edges waited"
    await table.ask("place_wager", seat=2, amount=5_000)


WATCHDOG_US = 900_000


async def until_alive(notices: socket.socket) -> None:
    """Until the service gives its manager a sign of life."""
    async with asyncio.timeout(PATIENCE_S):
        while b"WATCHDOG=1" not in await asyncio.get_running_loop().sock_recv(notices, 100):
            pass


async def heard(notices: socket.socket, for_s: float) -> list[str]:
    """What the service told its manager in that time."""
    loop, said = asyncio.get_running_loop(), []
    with suppress(TimeoutError):
        async with asyncio.timeout(for_s):
            while True:
                said.append((await loop.sock_recv(notices, 100)).decode())
    return said


# Pins


@pytest.mark.long
async def test_pins_that_are_busy_at_the_start_are_told_and_the_lights_come_when_they_are_free(
    table: RealTable,
) -> None:
    """Another guard has them: what is told to the table stands on the display and is counted."""
    table.running[0].kill()
    await table.running[0].wait()
    service = await table.start_service()
    scene = await table.until_scene(lambda scene: {"leds", "buzzer"} <= set(down(scene)))
    assert "lights do not work" in down(scene)["leds"]
    assert "guard" in (await table.technical())["leds"]
    figures = (await table.web.get(f"http://127.0.0.1:{table.port}/metrics")).text
    assert 'tablectl_device_failures_total{device="leds"} 1.0' in figures
    await table.start_guard()
    await table.until_all(SHUFFLE)
    await table.until_scene(lambda scene: not down(scene))
    assert service.returncode is None


@pytest.mark.long
async def test_lamps_that_do_not_follow_are_told_and_counted(table: RealTable) -> None:
    """The pins of the lights refuse: the world behind them is gone, and comes back."""
    await betting(table)
    await table.board.close()
    # What does not change writes no pin: the next bet's light does.
    await table.ask("place_wager", seat=2, amount=5_000)
    scene = await table.until_scene(lambda scene: "leds" in down(scene))
    assert "lights do not work" in down(scene)["leds"]
    assert "pins" in (await table.technical())["leds"]
    figures = (await table.web.get(f"http://127.0.0.1:{table.port}/metrics")).text
    assert 'tablectl_device_failures_total{device="leds"} 0.0' not in figures
    (table.folder / "pins.sock").unlink(missing_ok=True)
    await table.board.open(table.folder / "pins.sock")
    await table.until(lambda: table.board.level(SPOTS[0][2]) == 1)


# Whoever looks


def viewers(table: RealTable, count: int, path: str) -> Iterator[socket.socket]:
    """Connections that ask for a page, or say nothing, and never read."""
    for _ in range(count):
        made = socket.create_connection(("127.0.0.1", table.port), timeout=PATIENCE_S)
        if path:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            made.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n\r\n".encode())
        yield made


@pytest.mark.long  # each of the three alone: test_attacked.py, and tests/web
async def test_stalled_viewers_a_thousand_idle_lines_and_a_huge_body_stop_no_card(
    table: RealTable,
) -> None:
    """And told to stop with all of them there, the service ends in order and in time."""
    service = await in_round(table)
    with ExitStack() as open_lines:
        for made in viewers(table, 20, "/events/status"):
            open_lines.callback(made.close)
        for made in viewers(table, IDLE, ""):
            open_lines.callback(made.close)
        answer = await table.web.post(
            "/commands", content=b'{"do": "' + b"x" * 5_000_000 + b'"}',
            headers={"Content-Type": "application/json"},
        )  # fmt: skip
        assert answer.status_code == 413
        for made in viewers(table, 5, "/events/dealer"):
            made.close()  # the page on the dealer's display is closed
        for card in ("8S", "9H", "TD"):
            before = (await table.scene())["shoe"]["gone"]
            await table.draw(card)
            scene = await table.until_scene(lambda scene: scene["shoe"]["gone"] > before)  # noqa: B023
            assert scene["shoe"]["gone"] == before + 1
            assert not scene["holds"]
        stopping = Stopwatch()
        assert await table.stop(service) == 0
        assert stopping.passed_s() < STOP_S
    found = verify(table.record)
    assert found.good, found.problems
