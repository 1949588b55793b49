"""Which lamp answered a card or a press, and the figures of it."""

from __future__ import annotations

import pytest

from sim_hw.devices.spot_lamps import DARK, LampColour
from tests.hil.bench_file import BenchLimits
from tests.hil.dealt.lamp_figures import LampFigures
from tests.hil.dealt.passages import Passage, SpotShown, card_answers, press_answers
from tests.hil.results.measure import Measurements, MeasurementVerdict

WHITE, CYAN, YELLOW = (
    LampColour(True, True, True), LampColour(False, True, True), LampColour(True, True, False),
)  # fmt: skip
MS = 1_000_000


def shown(*changes: tuple[int, int, LampColour]) -> list[SpotShown]:
    return [SpotShown(at_ms * MS, seat, colour) for at_ms, seat, colour in changes]


def card(seat: int, at_ms: int) -> Passage:
    return Passage(seat, at_ms * MS, (at_ms + 5) * MS, then_drawn=True)


def press(button: str, at_ms: int, *, lights: bool) -> Passage:
    return Passage(0, at_ms * MS, at_ms * MS, button=button, lights=lights)


PAGE = Passage(0)


def test_a_press_is_answered_by_the_lamp_that_it_moves_and_no_blink_of_another() -> None:
    lamps = shown(
        (0, 1, YELLOW), (1, 2, WHITE), (110, 2, DARK), (120, 2, WHITE), (131, 1, CYAN),
        (300, 1, WHITE),
    )  # fmt: skip
    passages = [press("stand", 100, lights=True), card(2, 200), press("next", 400, lights=False)]
    answers, missing = press_answers(passages, lamps)
    assert ([each.ms for each in answers], missing) == ([31.0], 0)
    assert card_answers(passages, lamps) == ([], 0)


def test_a_press_that_no_lamp_answers_before_the_rig_moves_on_is_missed() -> None:
    lamps = shown((0, 1, YELLOW), (250, 1, CYAN))
    passages = [press("stand", 100, lights=True), press("next", 200, lights=False)]
    assert press_answers(passages, lamps) == ([], 1)


def test_what_the_page_did_next_has_no_time_and_counts_for_neither() -> None:
    lamps = shown((0, 1, YELLOW))
    assert press_answers([press("stand", 100, lights=True), PAGE], lamps) == ([], 0)


def test_a_card_is_answered_when_the_light_goes_to_the_next_seat() -> None:
    lamps = shown((0, 1, WHITE), (107, 1, CYAN), (108, 2, WHITE))
    answers, missing = card_answers([card(1, 100), card(2, 200)], lamps)
    assert ([each.ms for each in answers], missing) == ([2.0], 0)


def test_times_that_nothing_was_measured_of_are_not_measured() -> None:
    measure = Measurements()
    limits = BenchLimits()
    figures = LampFigures(measure, limits, "press", "presses", "here", count=1, later_ms=25)
    assert [each.at_most for each in measure.declared] == [None, 0, 35, 45, 125]
    figures.take([], 1)
    timed, dark, *times = measure.declared
    assert [timed.verdict, dark.verdict] == [MeasurementVerdict.OUTSIDE] * 2
    assert {each.verdict for each in times} == {MeasurementVerdict.NOT_MEASURED}


@pytest.mark.parametrize("count", [1, 2])
def test_the_slowest_answer_is_the_worst(count: int) -> None:
    measure = Measurements()
    figures = LampFigures(measure, BenchLimits(), "scan", "cards", "here", count=2)
    lamps = shown((0, 1, WHITE), (107, 2, WHITE), (203, 3, WHITE), (225, 1, CYAN))
    passages = [card(1, 100), card(2, 200), card(3, 300)][: count + 1]
    figures.take(*card_answers(passages, lamps))
    worst = measure.declared[-1]
    assert worst.name == "scan to lamp, worst, here"
    assert worst.value == (2.0 if count == 1 else 20.0)
    assert (measure.declared[0].verdict is MeasurementVerdict.WITHIN) is (count == 2)
