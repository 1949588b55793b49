"""Latency at the pins: from the last bit of a card, or its leaving the beam, to the lamp."""

from __future__ import annotations

import pytest

from sim_hw.settings import ReaderKind
from tests.hil.bench_file import BenchFile
from tests.hil.dealt.brain import DealtDay, at_the_table
from tests.hil.dealt.lamp_figures import LampFigures
from tests.hil.dealt.passages import LampAnswer
from tests.hil.dealt.rig_camera import PHOTODIODE
from tests.hil.dealt.table_scanner import BY_CAMERA
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.rig_client import RigClient
from tests.hil.stands.simulated import COLOURS, lamp
from tests.hil.stands.stand import Stand
from tests.hil.ways import BenchWay

pytestmark = [pytest.mark.anyio, pytest.mark.bench("latency")]
#: So much of the pins is shown before and after a card.
AROUND_NS = 60_000_000


async def test_every_card_is_answered_by_a_lamp_in_time(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    way: BenchWay,
) -> None:  # fmt: skip
    count = bench.share(bench.run.cards, way)
    limits, what, by_camera = bench.limits, way.words, way.scanner in BY_CAMERA
    figures = LampFigures(
        measure, limits, "scan", "cards", what, count=count,
        later_ms=limits.later_ms(way),
    )  # fmt: skip
    panel = None
    if by_camera:
        panel = measure("panel to photodiode, worst", of=what, unit="ms", at_most=limits.panel_ms)
    settings = await stand.begin(bench.game("blackjack", way), way)
    async with at_the_table(settings, rig, stand.devices) as day:
        taken, missing = day.answers()
        while len(taken) < count:
            await day.deal(1)  # some of its cards go round the players
            taken, missing = day.answers()
        slowest = max(taken, key=lambda each: each.ms)
        _trace("The last card", day, rig, tested, taken[-1])
        _trace("The slowest card", day, rig, tested, slowest)
        if panel is not None and day.camera is not None:
            panel.take(max(day.camera.seen_ms))
    figures.take(taken, missing)


def _trace(
    what: str, day: DealtDay, rig: RigClient, tested: TestRecord, answer: LampAnswer
) -> None:
    """The pins around one card, from its last bit until its lamp was lit."""
    one = answer.passage
    begin_ns, end_ns = one.began_ns - AROUND_NS, answer.lit_ns + AROUND_NS
    edges = [each for each in rig.edges if begin_ns <= each.at_ns <= end_ns]
    seats = range(1, len(day.world.settings.wiring.spots) + 1)
    lines = [PHOTODIODE, *(lamp(seat, colour) for seat in seats for colour in COLOURS)]
    shown = [name for name in lines if any(each.line == name for each in edges)]
    began = "beam broken" if day.world.settings.reader is ReaderKind.CAMERA else "last bit"
    marks = [(one.began_ns, began), (one.done_ns, "beam clear"), (answer.lit_ns, "lit")]
    tested.trace(f"{what}, to seat {one.seat}: its code, the beam, the lamps", shown, edges, marks)
