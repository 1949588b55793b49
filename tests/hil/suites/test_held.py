"""The guard: a service that hangs is a held table, at the pins."""

from __future__ import annotations

import pytest

from tests.hil.bench_file import BenchFile
from tests.hil.dealt.brain import at_the_table
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.rig_client import RigClient
from tests.hil.stands.simulated import lamp
from tests.hil.stands.stand import Stand
from tests.hil.ways import BenchWay

pytestmark = [pytest.mark.anyio, pytest.mark.bench("guard")]


async def test_a_service_that_hangs_is_a_held_table_and_goes_on_afterwards(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    way: BenchWay,
) -> None:  # fmt: skip
    held = measure("hang to held", of=way.words, unit="s", at_most=bench.limits.held_s)
    after = measure("rounds dealt afterwards", of=way.words, unit="rounds", at_least=1)
    settings = await stand.begin(bench.game(way=way), way)
    async with at_the_table(settings, rig, stand.devices) as day:
        await day.deal(1)
        began_ns = int((await rig.do("lines"))[0])
        await stand.freeze()
        try:
            await rig.until(lambda: day.board.held_ns(began_ns) is not None)
        finally:
            await stand.thaw()
        at_ns = day.board.held_ns(began_ns)
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
