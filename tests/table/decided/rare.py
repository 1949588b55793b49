"""What comes about now and then: a clock that is not believed, a rest that is read, a peek."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.script.steps import Deal, Peek
from controller.rules.sealed import Sealed
from controller.service.timekeeping.calendar import Calendar
from controller.table import inputs as i
from controller.table.alarms import AlarmTimes
from controller.table.gaming_day import LATE_MS, Schedule
from controller.table.irregularities.holds import Resolution
from controller.table.state.phases import Phase
from tests.support.pit import SCANNER, Pit, setup
from tests.table.decided.restless import OpenPit
from tests.table.money.cage import FIA

HOUR_MS: Final = 3_600_000


def calendars() -> Iterator[Pit]:
    """A day is overdue, its clock jumps or is behind, its end moves, an old one goes."""
    pit = OpenPit(setup(3))
    pit.shuffle()
    day = pit.state.day
    assert day is not None
    pit.bet(1)
    pit.no_more_bets()
    pit.leap(day.ends_ms + LATE_MS + 1)
    pit.give(i.DayCheck())
    pit.deal("Kh 9c 7d Ks Qc")
    pit.settle_all()
    pit.give(i.DayCheck())
    pit.give(i.CloseDay(), by=(FIA,))
    pit.give(i.RemoveDays(((day.label, True), ("2099-01-01", True))))
    pit.leap(pit.now_ms + 60 * HOUR_MS)
    pit.give(i.DayCheck())
    pit.give(i.CloseDay(), by=(FIA,))
    pit.calendar = Calendar(Schedule("05:00", "Europe/Helsinki"))
    pit.start()
    yield pit


def configured() -> Iterator[Pit]:
    """The configuration changes between rounds, and in one."""
    pit = OpenPit(setup(3))
    pit.shuffle()
    pit.give(i.Reload(replace(pit.setup, blind_counts=False), AlarmTimes(floor_s=40)))
    pit.bet(1)
    pit.no_more_bets()
    pit.give(i.Reload(setup(3, max_bet=50_000), AlarmTimes()))
    pit.deal("Kh 9c 7d Ks Qc")
    pit.settle_all()
    pit.give(i.Reload(setup(3, max_bet=50_000), AlarmTimes()))
    yield pit


def away() -> Iterator[Pit]:
    """A card leaves while its reader is away: it is counted, named and entered."""
    pit = OpenPit(setup(3))
    pit.shuffle()
    pit.bet(1)
    pit.bet(2)
    pit.no_more_bets()
    pit.deal("Kh 9c")
    pit.scanner_down()
    pit.give(Reading(SCANNER, None, Doubt.READER_AWAY, apart=True))
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=2)
    pit.resolve(Resolution.COUNT, cards=3)
    pit.resolve(Resolution.ENTER_CARD, "Kd")
    yield pit


def rests() -> Iterator[Pit]:
    """The cut card comes out by its own code; what is left in the shoe is read, all or a part."""
    for lacking in (0, 1):
        pit = OpenPit(
            replace(setup(3, penetration_cards=5, burn_after_shuffle=0), reconcile="scan")
        )
        pit.give(i.LoadPack())
        pit.give(i.CutShoe(300))
        cards = [each.code for each in pit.state.shoe.pack.cards()]
        pit.give(Reading(SCANNER, None, Doubt.CUT_CARD, apart=True))
        pit.give(Reading(SCANNER, None, Doubt.CUT_CARD, apart=True))
        pit.bet(1)
        pit.no_more_bets()
        while pit.state.step is not None:
            if isinstance(pit.state.step, Deal):
                pit.deal(cards.pop())
            else:
                pit.press("stand")
                pit.press("next")
        assert pit.state.phase is Phase.SHUFFLE
        pit.give(i.ScanRest())
        for code in cards[lacking:]:
            pit.give(Reading(SCANNER, Sealed(card(code)), apart=True))
        pit.give(i.CloseShoe())
        yield pit


def peeks() -> Iterator[Pit]:
    """The operator looks at the hidden card."""
    for natural in (False, True):
        pit = OpenPit(setup(3, "blackjack", peek=True))
        pit.shuffle()
        pit.bet(1)
        pit.no_more_bets()
        pit.deal("Td Ac 9c")
        pit.give(Reading(SCANNER, Sealed(None), apart=True))
        pit.say("no-insurance")
        assert isinstance(pit.state.step, Peek)
        pit.give(i.ReportPeek(natural))
        pit.press("stand")
        yield pit


RARE: Final = {
    "calendars": calendars, "configured": configured, "away": away, "rests": rests, "peeks": peeks,
}  # fmt: skip
