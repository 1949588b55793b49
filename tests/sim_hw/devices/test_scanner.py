"""The scanner as the other end of its line sees it: bytes on a real pty."""

import asyncio
import os
import termios
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.rules.cards import card
from sim_hw.devices.scanner import Scanner
from sim_hw.devices.shoe import PhysicalCard
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
TEN = PhysicalCard(card("Th"), 42)
BAUD = 115_200


@pytest.fixture
async def scanner(tmp_path: Path) -> AsyncIterator[Scanner]:
    made = Scanner(tmp_path / "scanner", baud=BAUD, with_serial=False, seed=7)
    made.plug()
    yield made
    made.unplug()


@contextmanager
def line_of(scanner: Scanner) -> Iterator[int]:
    end = os.open(scanner.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        yield end
    finally:
        os.close(end)


async def heard(end: int, count: int) -> bytes:
    """The next `count` bytes, as they come."""
    loop = asyncio.get_running_loop()
    data = b""
    async with asyncio.timeout(PATIENCE_S):
        while len(data) < count:
            readable = loop.create_future()
            loop.add_reader(end, readable.set_result, None)
            try:
                await readable
            finally:
                loop.remove_reader(end)
            data += os.read(end, count - len(data))
    return data


async def test_a_card_is_its_printed_code_and_a_carriage_return(scanner: Scanner) -> None:
    with line_of(scanner) as end:
        await scanner.scan(TEN)
        assert await heard(end, 4) == b"THX\r"


async def test_a_code_in_two_pieces_is_the_same_code(scanner: Scanner) -> None:
    with line_of(scanner) as end:
        await scanner.scan(TEN, split=True)
        assert await heard(end, 4) == b"THX\r"


async def test_rubbish_is_a_line_that_is_no_code(scanner: Scanner) -> None:
    with line_of(scanner) as end:
        await scanner.rubbish()
        await scanner.scan(TEN)
        said = b""
        while not said.endswith(b"THX\r"):
            said += await heard(end, 1)
        rubbish, rest = said.split(b"\r", 1)
        assert rest == b"THX\r"
        assert not rubbish.isalnum()


async def test_every_byte_arrives_as_it_was_sent(scanner: Scanner) -> None:
    with line_of(scanner) as end:
        flags = termios.tcgetattr(end)
        assert not flags[3] & (termios.ECHO | termios.ICANON | termios.ISIG)
        assert not flags[0] & termios.ICRNL


async def test_a_pulled_plug_hangs_the_line_up_and_takes_the_name_away(scanner: Scanner) -> None:
    with line_of(scanner) as end:
        scanner.unplug()
        assert not scanner.link.exists()
        with pytest.raises(OSError, match="Input/output error"):
            os.read(end, 1) or os.write(end, b"x")


async def test_one_that_gets_power_again_within_a_code_says_no_second_half(tmp_path: Path) -> None:
    scanner = Scanner(tmp_path / "slow", baud=300, with_serial=False, seed=7)
    scanner.plug()
    with line_of(scanner) as end:
        saying = asyncio.create_task(scanner.scan(TEN))
        await heard(end, 1)
    scanner.unplug()
    scanner.plug()
    with line_of(scanner) as end:
        await saying
        with pytest.raises(BlockingIOError):
            os.read(end, 1)
        assert not scanner.busy
    scanner.unplug()


async def test_a_code_that_is_given_up_leaves_the_scanner_free(tmp_path: Path) -> None:
    scanner = Scanner(tmp_path / "slow", baud=300, with_serial=False, seed=7)
    scanner.plug()
    with line_of(scanner) as end:
        saying = asyncio.create_task(scanner.scan(TEN))
        await heard(end, 1)
        saying.cancel()
        await asyncio.wait([saying])
        assert not scanner.busy
    scanner.unplug()


async def test_a_card_read_while_the_plug_is_out_is_lost_and_the_next_one_is_not(
    scanner: Scanner,
) -> None:
    scanner.unplug()
    await scanner.scan(TEN)
    scanner.plug()
    with line_of(scanner) as end:
        await scanner.scan(PhysicalCard(card("9c"), 1))
        assert await heard(end, 4) == b"9CE\r"


async def test_a_line_that_nobody_reads_overruns_and_blocks_nobody(scanner: Scanner) -> None:
    # The kernel keeps about 20,000 bytes for a reader; these are half as many again.
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*(scanner.scan(TEN) for _ in range(8_000)))
    with line_of(scanner) as end:
        assert os.read(end, 1) == b"T"
