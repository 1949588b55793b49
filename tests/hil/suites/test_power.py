"""Power: it is cut again and again in mid-play, and the record is verified after each cut.

The end of the record is noted before the cut: what was recorded since would hide a lost end.
"""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.hil.bench_file import BenchFile
from tests.hil.dealt.brain import DealtDay, at_the_table
from tests.hil.results.measure import Measurements
from tests.hil.results.power_cuts import PowerCuts
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.rig_client import RigClient
from tests.hil.stands.stand import Stand
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.anyio, pytest.mark.bench("power")]
#: The power is cut at any moment of so long a time after the table was ready.
WITHIN_S = (0.1, 2.0)


async def shown_seq(day: DealtDay) -> int:
    """The number of the record that the display shows, once it shows one."""
    async with asyncio.timeout(PATIENCE_S):
        while (display := day.link.display) is None or display.safe:
            await day.changes.wait(0.5)
    return display.seq


async def test_after_each_cut_all_that_was_shown_is_on_record(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord
) -> None:
    cuts = measure("power cuts", unit="cuts", at_least=bench.run.cuts)
    problems = measure("records that did not verify or lost their end", unit="records", at_most=0)
    lost = measure("facts that were shown and not on record", unit="facts", at_most=0)
    slowest = measure("power to ready, worst", unit="s", at_most=bench.limits.power_to_ready_s)
    chance = Random(f"{bench.run.seed}/cuts")
    settings = await stand.begin(bench.game())
    power = PowerCuts(stand)
    took_s = [0.0]
    async with at_the_table(settings, rig, stand.devices) as day:
        playing = asyncio.create_task(day.deal(1_000_000))
        # A record is verified while the table plays on: so is its end noted before the next cut.
        verifying = asyncio.create_task(asyncio.sleep(0))
        try:
            for _ in range(bench.run.cuts):
                await asyncio.wait([playing], timeout=chance.uniform(*WITHIN_S))
                if playing.done():
                    playing.result()
                await verifying
                await power.before(await shown_seq(day))
                await rig.do("power", "off")
                await stand.gone()
                on_ns = await rig.at("power", "on")
                await stand.ready()
                took_s.append((int((await rig.do("lines"))[0]) - on_ns) / 1e9)
                verifying = asyncio.create_task(power.after())
            await verifying
        finally:
            playing.cancel()
            verifying.cancel()
            await asyncio.wait([playing, verifying])
        rounds = day.dealer.book.tally.rounds
    for each in power.problems:
        tested.note(each)
    tested.note(f"{rounds} rounds were dealt between the cuts.")
    cuts.take(power.survived)
    problems.take(len(power.problems))
    lost.take(power.not_on_record)
    slowest.take(max(took_s))
