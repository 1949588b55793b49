"""A rainy day by relay and panel: all that goes wrong with readers, beam, buttons and power."""

from __future__ import annotations

import asyncio

import pytest

from sim_hw.devices.faults import CameraFault, FaultKind
from tests.hil.bench_file import BenchFile
from tests.hil.dealt.brain import at_the_table
from tests.hil.dealt.table_scanner import faults_of
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.rig_client import RigClient
from tests.hil.stands.stand import Stand
from tests.hil.ways import BenchWay

pytestmark = [pytest.mark.anyio, pytest.mark.bench("faults")]


async def test_a_rainy_day_ends_with_all_rounds_settled(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    scanner: str,
) -> None:  # fmt: skip
    faults = faults_of(scanner)
    can = {each.kind for each in faults}
    never = sorted(each.value for each in (*FaultKind, *CameraFault) if each not in can)
    planned = max(each.round for each in faults) + 1
    of = f"scanner {scanner}"
    rounds = measure("rounds that ended", of=of, unit="rounds", at_least=planned)
    happened = measure("faults that happened", of=of, unit="faults", at_least=len(faults))
    problems = measure("problems of the record", of=of, unit="problems", at_most=0)
    way = BenchWay(scanner, bench.run.lights[0])
    settings = await stand.begin(bench.game(way=way), way)
    cutting: set[asyncio.Task[None]] = set()

    async def cut() -> None:
        await rig.do("power", "off")
        await stand.gone()
        await rig.do("power", "on")

    def cut_power() -> None:
        cutting.add(asyncio.create_task(cut()))

    async with at_the_table(settings, rig, stand.devices, faults, cut_power) as day:
        await day.deal(planned)
        await asyncio.gather(*cutting)
        tally = day.dealer.book.tally
        left = day.world.faults.left
    await stand.ready()
    verified = await stand.verify()
    rounds.take(tally.rounds)
    happened.take(len(faults) - left)
    problems.take(verified.status)
    tested.note(
        f"{len(faults)} faults, {len(tally.holds)} holds, {tally.void} rounds void."
        f" {verified.summary}"
    )
    tested.note(f"Not of this day, or never of such a reader: {', '.join(never)}.")
