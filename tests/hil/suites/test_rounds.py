"""Rounds of each game, dealt by the rig, with the simulated dealer as its brain."""

from __future__ import annotations

import pytest

from tests.hil.bench_file import BENCH_GAMES, BenchFile
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.brain import at_the_table
from tests.hil.rig.rig_client import RigClient
from tests.hil.stand import Stand

pytestmark = [pytest.mark.anyio, pytest.mark.bench("table")]


@pytest.mark.parametrize("game", BENCH_GAMES)
async def test_rounds_are_dealt_and_agree_with_the_felt(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    game: str,
) -> None:  # fmt: skip
    if game not in bench.run.games:
        pytest.skip(f"bench.games leaves {game} out")
    rounds = measure(f"rounds that agree, {game}", unit="rounds", at_least=bench.run.rounds)
    holds = measure(f"holds, {game}", unit="holds", at_most=0)
    problems = measure(f"problems of the record, {game}", unit="problems", at_most=0)
    settings = await stand.begin(game)
    async with at_the_table(settings, rig) as day:
        await day.deal(bench.run.rounds)
        tally = day.dealer.book.tally
    verified = await stand.verify()
    rounds.take(tally.rounds - tally.void)
    holds.take(len(tally.holds))
    problems.take(verified.status)
    tested.note(f"{tally.rounds} rounds, {tally.cards} cards. {verified.summary}")
