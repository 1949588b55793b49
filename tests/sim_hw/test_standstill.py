"""What a visitor left and nobody else can say is given up after a while; a table at rest is not."""

import asyncio

from sim_hw.people.dealer_intent import Act, Send, Wait
from sim_hw.people.standstill import LOOK_S, PUZZLED_S, ConditionTimer, Puzzle
from sim_hw.table.display_reader import Display, read_display
from tests.endurance.breaking.loop import VirtualClock, VirtualLoop
from tests.support.pictures import hold, picture

HELD = read_display(picture(holds=[hold("enter_card", "void")]))
SCANNER_OUT = read_display(
    picture(holds=[hold("count", "void")], devices=[{"name": "scanner", "up": False, "why": "out"}])
)


def puzzled_by(display: Display | None, act: Act, *, counts: bool = True) -> str:
    """What is said after that was so for twice as long as people puzzle."""
    clock, puzzle = VirtualClock(), Puzzle()

    async def run() -> str:
        for _ in range(5):
            puzzle.look(display, act, counts=counts)
            await asyncio.sleep(PUZZLED_S / 2)
        return puzzle.why

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        return runner.run(run())


def test_a_hold_that_nobody_answers_is_given_up() -> None:
    assert puzzled_by(HELD, Wait("Card not read")) != ""


def test_a_table_that_plays_waits_or_lost_its_reader_is_no_puzzle() -> None:
    assert puzzled_by(read_display(picture()), Wait("the display has not taken the card")) == ""
    assert puzzled_by(None, Wait("the display is not live")) == ""
    assert puzzled_by(SCANNER_OUT, Wait("scanner is down")) == ""
    assert puzzled_by(HELD, Send({"do": "resolve"})) == ""
    assert puzzled_by(HELD, Wait("Card not read"), counts=False) == ""


def test_a_machine_that_stood_still_has_not_waited() -> None:
    clock, timer = VirtualClock(), ConditionTimer()

    async def run() -> list[float]:
        held = [timer.look(True)]
        for pause_s in (LOOK_S / 2, 60.0, LOOK_S / 2):
            await asyncio.sleep(pause_s)
            held.append(timer.look(True))
        return [*held, timer.look(False)]

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        held = runner.run(run())
    assert held == [0, LOOK_S / 2, LOOK_S * 3 / 2, LOOK_S * 2, 0]
