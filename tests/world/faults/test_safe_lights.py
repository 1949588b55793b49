"""The lights when the service hangs, dies or is stopped: "table held" on every spot.

Service and guard are processes; the pins end at a board in this one, which is the witness.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.commands.demo.wiring import SPOTS
from sim_hw.devices.spot_lamps import DARK
from tests.support.patience import PATIENCE_S, Stopwatch
from tests.support.processes.real_table import (
    BET,
    HELD,
    SEATS,
    SHUFFLE,
    RealTable,
    down,
    standing,
)

pytestmark = pytest.mark.anyio

#: The service, and two ways to hang it from outside, in Python and in C with the lock held, until
#: SIGCONT comes (which ends a sleep in C, too).
SERVICE = f"""
import ctypes, signal, sys
over = []
def busy(*unused):
    over.clear()
    while not over: pass
def stuck(*unused):
    ctypes.PyDLL(None).usleep({int(PATIENCE_S * 1e6)})
signal.signal(signal.SIGCONT, lambda *unused: over.append(True))
signal.signal(signal.SIGUSR1, busy)
signal.signal(signal.SIGUSR2, stuck)
from controller.__main__ import main
sys.exit(main())
"""


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[RealTable]:
    async with standing(RealTable(tmp_path, ("-c", SERVICE))) as built:
        yield built


async def test_a_hung_service_shows_held_and_goes_on_where_it_was(table: RealTable) -> None:
    """Stopped by a signal, busy in Python, and stuck in C with the interpreter's lock held."""
    service = await table.start_service()
    for hang in (signal.SIGSTOP, signal.SIGUSR1, signal.SIGUSR2):
        await table.until_all(SHUFFLE)
        await table.scene()  # it is back for the buzzer, too: else it would go on to be held
        began = Stopwatch()
        service.send_signal(hang)
        await table.held_after(began)
        await table.sounds_after(began)
        service.send_signal(signal.SIGCONT)
    await table.until_all(SHUFFLE)
    assert service.returncode is None
    # A device whose answer was due while the service hung is lost for a moment, and taken again.
    await table.until_scene(lambda scene: not down(scene))


@pytest.mark.long
async def test_a_killed_service_shows_held_until_the_next_one_speaks(table: RealTable) -> None:
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    began = Stopwatch()
    service.kill()
    await table.held_after(began)
    await table.sounds_after(began)
    before = len(table.board.history)
    await table.start_service()
    await table.until_all(SHUFFLE)
    # Red and blue make the next picture's colour: green is in neither.
    greens = {green for _, green, _ in SPOTS[:SEATS]}
    later = list(table.board.history)[before:]
    assert not [level for level in later if level.pin in greens and level.level]


@pytest.mark.long
async def test_a_service_that_is_stopped_leaves_a_held_table_and_no_alarm(table: RealTable) -> None:
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    began = Stopwatch()
    service.terminate()
    async with asyncio.timeout(PATIENCE_S):
        assert await service.wait() == 0
    await table.until_all(HELD)
    assert not table.sounded_since(began)


@pytest.mark.long
async def test_a_killed_guard_is_told_to_the_table_and_the_next_one_shows_its_lights(
    table: RealTable,
) -> None:
    await table.start_service()
    await table.until_all(SHUFFLE)
    table.running[0].kill()
    await table.until(
        lambda: (
            {table.board.spot(seat) for seat in range(1, SEATS + 1)} == {DARK}
            and not table.board.level(SPOTS[0][0])
        )
    )
    shown = await table.until_scene(lambda scene: set(down(scene)) == {"leds", "buzzer"})
    assert "lights do not work" in down(shown)["leds"]
    assert all("guard" in why for why in (await table.technical()).values())
    await table.start_guard()
    await table.until(lambda: set(table.spots()) == {SHUFFLE})
    await table.until_scene(lambda scene: not down(scene))


@pytest.mark.long
async def test_after_a_kill_with_bets_placed_the_recount_is_held_and_then_the_bets_are_lit(
    table: RealTable,
) -> None:
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    await table.open_bets()
    await table.ask("place_wager", seat=2, amount=5_000)
    bets = [DARK, BET, DARK]
    await table.until(lambda: table.spots() == bets)
    began = Stopwatch()
    service.kill()
    await table.held_after(began)
    await table.start_service()
    (hold,) = (await table.until_scene(lambda scene: bool(scene["holds"])))["holds"]
    assert table.perceived() == {HELD}
    assert hold["reason"] == "recount"
    await table.count_felt()
    await table.until(lambda: table.spots() == bets)
