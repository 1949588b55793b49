"""The dealer's display: the picture that is grabbed there against the page as it should look."""

from __future__ import annotations

import asyncio

import pytest

from tests.hil.bench_file import BenchFile
from tests.hil.dealt.brain import at_the_table
from tests.hil.results.compare import difference
from tests.hil.results.measure import Measurements
from tests.hil.results.page_shot import shot
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.rig_client import RigClient
from tests.hil.stands.stand import Stand

pytestmark = [pytest.mark.anyio, pytest.mark.bench("kiosk")]


async def test_the_display_shows_the_page(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord
) -> None:
    most = bench.limits.kiosk_difference
    empty = measure("worst field, empty table", unit="of full scale", at_most=most)
    played = measure("worst field, after a round", unit="of full scale", at_most=most)
    settings = await stand.begin(bench.game())
    url = f"{settings.service_url}/dealer"
    async with at_the_table(settings, rig, stand.devices) as day:
        for figure, rounds in ((empty, 0), (played, 1)):
            await day.deal(rounds)
            grabbed = await rig.grab()
            apart = difference(grabbed, await asyncio.to_thread(shot, url))
            figure.take(apart.worst)
            tested.picture(f"{figure.name}: as grabbed, the worst field framed", apart.marked_png)
