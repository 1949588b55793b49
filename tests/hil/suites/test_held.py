"""The guard: a service that hangs is a held table, at the pins."""

from __future__ import annotations

import pytest

from sim_hw.devices.spot_lamps import LampColour
from tests.hil.bench_file import BenchFile
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.brain import DealtDay, at_the_table
from tests.hil.rig.rig_client import RigClient
from tests.hil.simulated import lamp
from tests.hil.stand import Stand

pytestmark = [pytest.mark.anyio, pytest.mark.bench("guard")]
HELD = LampColour(True, False, False)


def held_ns(day: DealtDay, since_ns: int) -> int | None:
    """When the last spot had begun to show that the table is held; None before."""
    seats = range(1, len(day.world.settings.wiring.spots) + 1)
    first: dict[int, int] = {}
    for each in day.board.shown:
        if each.at_ns >= since_ns and each.colour == HELD:
            first.setdefault(each.seat, each.at_ns)
    held = all(day.board.perceived(seat) == HELD for seat in seats)
    return max(first.values()) if held and len(first) == len(seats) else None


async def test_a_service_that_hangs_is_a_held_table_and_goes_on_afterwards(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    scanner: str,
) -> None:  # fmt: skip
    by = f", scanner {scanner}"
    held = measure(f"hang to held{by}", unit="s", at_most=bench.limits.held_s)
    after = measure(f"rounds dealt afterwards{by}", unit="rounds", at_least=1)
    settings = await stand.begin(bench.game(scanner=scanner), scanner)
    async with at_the_table(settings, rig) as day:
        await day.deal(1)
        began_ns = int((await rig.do("lines"))[0])
        await stand.freeze()
        try:
            await rig.until(lambda: held_ns(day, began_ns) is not None)
        finally:
            await stand.thaw()
        at_ns = held_ns(day, began_ns)
        assert at_ns is not None
        held.take((at_ns - began_ns) / 1e9)
        seats = range(1, len(settings.wiring.spots) + 1)
        lines = ["buzzer", *(lamp(seat, "red") for seat in seats), lamp(1, "blue")]
        edges = [each for each in rig.edges if began_ns - 3e8 <= each.at_ns <= at_ns + 1e9]
        marks = [(began_ns, "the service hangs"), (at_ns, "every spot is held")]
        tested.trace("The service stands still", lines, edges, marks)
        before = day.dealer.book.tally.rounds
        await day.deal(1)
        after.take(day.dealer.book.tally.rounds - before)
