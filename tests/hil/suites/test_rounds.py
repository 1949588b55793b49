"""Rounds of each game, dealt by the rig, with the simulated dealer as its brain.

What a dealer has a button for is pressed there, every spot is looked at before each act, and
before the last round the floor is called by its button. One game is dealt by each further scanner
and under each further kind of lights, too: under a strip one with more seats than pins reach.
"""

from __future__ import annotations

import pytest

from sim_hw.devices.pins.pin_world import PanelButton
from tests.hil.bench_file import BenchFile
from tests.hil.dealt.brain import at_the_table
from tests.hil.dealt.lamp_figures import LampFigures
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import TestRecord
from tests.hil.rig.rig_client import RigClient
from tests.hil.stands.stand import Stand
from tests.hil.ways import BenchWay

pytestmark = [pytest.mark.anyio, pytest.mark.bench("table")]
#: The games in which a player may stand, for which the dealer has a button; in others the page's
#: keys are pressed for a player's word. Somebody does within so many rounds.
STANDS = ("21-24-27", "finnish-27", "blackjack")
STANDS_WITHIN = 5


async def test_rounds_are_dealt_and_agree_with_the_felt(
    bench: BenchFile, rig: RigClient, stand: Stand, measure: Measurements, tested: TestRecord,
    dealt: tuple[str, BenchWay],
) -> None:  # fmt: skip
    game, way = dealt
    limits, later_ms = bench.limits, bench.limits.lights_ms(way)
    count = bench.share(bench.run.rounds, way)
    what = f"{game}, {way.words}"
    rounds = measure("rounds that agree", of=what, unit="rounds", at_least=count)
    holds = measure("holds beside the one that was called", of=what, unit="holds", at_most=0)
    problems = measure("problems of the record", of=what, unit="problems", at_most=0)
    looked = measure("pictures that all spots show", of=what, unit="pictures", at_least=count)
    wrong = measure("spots that show another thing", of=what, unit="spots", at_most=0)
    stands = None
    if game in STANDS and count >= STANDS_WITHIN:
        stands = measure("stands by the button", of=what, unit="stands", at_least=1)
    settings = await stand.begin(game, way)
    debounce_ms = settings.wiring.debounce_ms
    scans = LampFigures(
        measure, limits, "scan", "cards", what, count=count, later_ms=limits.later_ms(way)
    )
    presses = LampFigures(
        measure, limits, "press", "presses", what, count=count, later_ms=debounce_ms + later_ms
    )
    called = measure(
        "call to the last spot", of=what, unit="ms",
        at_most=debounce_ms + later_ms + limits.scan_to_lamp_max_ms,
    )  # fmt: skip
    async with at_the_table(settings, rig, stand.devices) as day:
        spots = day.look_at_spots(limits.scan_to_lamp_max_ms / 1_000)
        try:
            await day.deal(count - 1)
            called_ns = await day.call()
            await rig.until(lambda: day.board.held_ns(called_ns) is not None)
            held_ns = day.board.held_ns(called_ns)
            assert held_ns is not None
            called.take((held_ns - called_ns) / 1e6)
            await day.deal(1)
        finally:
            for each in spots.wrong:
                tested.note(each)
        tally = day.dealer.book.tally
        scans.take(*day.answers())
        presses.take(*day.presses())
    verified = await stand.verify()
    rounds.take(tally.rounds - tally.void)
    holds.take(len(tally.holds) - 1)
    problems.take(verified.status)
    looked.take(spots.looked)
    wrong.take(len(spots.wrong))
    buttons = [each.button for each in day.board.passages if each.button]
    if stands is not None:
        stands.take(buttons.count(PanelButton.STAND.value))
    pressed = ", ".join(f"{each.value} {buttons.count(each.value)}" for each in PanelButton)
    tested.note(f"Rounds: {tally.rounds}, cards: {tally.cards}. {verified.summary}")
    tested.note(f"Buttons pressed: {pressed}.")
