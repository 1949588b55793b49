"""Rounds of each game, dealt by the rig, with the simulated dealer as its brain.

One game is dealt by each further scanner, too.
"""

from __future__ import annotations

import pytest

from tests.hil.bench_file import BenchFile
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.brain import at_the_table
from tests.hil.rig.rig_client import RigClient
from tests.hil.stand import Stand

pytestmark = [pytest.mark.anyio, pytest.mark.bench("table")]


async def test_rounds_are_dealt_and_agree_with_the_felt(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    dealt: tuple[str, str],
) -> None:  # fmt: skip
    game, scanner = dealt
    count = bench.share(bench.run.rounds, scanner)
    what = f"{game}, scanner {scanner}"
    rounds = measure(f"rounds that agree, {what}", unit="rounds", at_least=count)
    holds = measure(f"holds, {what}", unit="holds", at_most=0)
    problems = measure(f"problems of the record, {what}", unit="problems", at_most=0)
    settings = await stand.begin(game, scanner)
    async with at_the_table(settings, rig) as day:
        await day.deal(count)
        tally = day.dealer.book.tally
    verified = await stand.verify()
    rounds.take(tally.rounds - tally.void)
    holds.take(len(tally.holds))
    problems.take(verified.status)
    tested.note(f"{tally.rounds} rounds, {tally.cards} cards. {verified.summary}")
