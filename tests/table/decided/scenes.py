"""Moments that days at random may miss for long, one scene each.

Most are those in which an earlier revision of the table decided otherwise: whoever raises the
revision adds the moment here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.devices.inputs import Reading
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.script.steps import Ask, Deal, Vie
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.inputs import WindowTimes
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person
from controller.table.state.phases import Phase
from tests.support.pit import SCANNER, Pit, setup
from tests.table.decided.left_behind import LEFT_BEHIND
from tests.table.decided.rare import RARE
from tests.table.decided.restless import BO, OpenPit
from tests.table.irregularities import sensed_spots
from tests.table.irregularities.test_reported import stand_not_pressed
from tests.table.money.cage import AINO, BOTH, DENOMINATIONS, FIA, chips

POT: Final = "seven-twenty-seven"


def two_kept() -> Iterator[Pit]:
    """3: the order in which one correction keeps several cards."""
    pit = stand_not_pressed()
    for _ in range(2):
        pit.give(i.Happened(Reason.NOT_ASKED))
        pit.resolve(Resolution.KEEP_LAST)
    pit.give(i.Happened(Reason.MISDEAL, 1))
    pit.resolve(Resolution.VOID)
    assert len(pit.state.aftermath.kept_cards) == 2
    yield pit
    for cards in ((9, 7), (7, 7)):
        pit = stand_not_pressed()
        edits = tuple(
            i.EditAsked(at - hit, do)  # with the hit that drawing it was, the step before
            for at in cards
            for hit, do in enumerate((EditKind.KEEP, EditKind.REMOVE))
        )
        pit.give(i.Happened(Reason.WRONG_SPOT))
        assert pit.give(i.Correct(1, edits, "stand was not pressed")).code == ""
        yield pit


def dealers() -> Iterator[Pit]:
    """4: who takes over as dealer, by whose word."""
    several: tuple[tuple[Person, ...], ...] = (
        (), (AINO,), (BO,), (FIA,), (FIA, AINO), (AINO, FIA), (AINO, BO), (FIA, AINO, BO),
    )  # fmt: skip
    pit = OpenPit(replace(setup(3), roles=True))
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening", cards=0), by=(FIA,))
    pit.shuffle()
    for by in several:
        for named in ("", AINO.id, BO.id, "Aino"):
            pit.give(i.ChangeDealer(named), by=by)
    assert pit.state.people.dealer
    yield pit


def pots() -> Iterator[Pit]:
    """6: a pot whose shoe is empty, and one for which too few antes came in time."""
    pit = OpenPit(setup(10, POT))
    pit.shuffle()
    for seat in range(1, 11):
        pit.bet(seat)
    pit.no_more_bets()
    cards = [each.code for each in pit.state.shoe.pack.cards()]
    pit.deal(" ".join(cards.pop() for _ in range(21)))
    pit.resolve(Resolution.SET_ASIDE)
    while pit.state.in_play is not None:
        step = pit.state.step
        if isinstance(step, Deal):
            pit.deal(cards.pop())
        elif isinstance(step, Vie):
            pit.say("pass")
        elif not isinstance(step, Ask):
            pit.press("next")
        elif pit.say("card").code:
            pit.say("no-card")
    yield pit
    times = WindowTimes(
        bets_ms=15_000, last_call_ms=5_000, decision_ms=9_000, opened_by_dealer=True
    )
    pit = OpenPit(replace(setup(6, POT), windows=times))
    pit.shuffle()
    pit.press("next")
    pit.bet(1)
    pit.bet(2)
    pit.wait(16)
    pit.press("next")
    for seat in (3, 4, 5):
        pit.bet(seat)
    pit.wait(16)
    assert pit.state.phase is Phase.ROUND
    yield pit


def foreign_cards() -> Iterator[Pit]:
    """7: a card of another pack that left while the table was held."""
    for way in (Resolution.REPLACED, Resolution.ENTER_CARD, Resolution.SET_ASIDE):
        pit = OpenPit(setup(5, POT))
        pit.give(i.ScanPack())
        own = {each.code: f"{at:06}" for at, each in enumerate(pit.state.game.pack.cards())}
        for code, serial in own.items():
            pit.give(Reading(SCANNER, Sealed(card(code), serial), apart=True))
        pit.give(i.LoadPack())
        pit.give(i.CutShoe())
        for seat in range(1, 6):
            pit.bet(seat)
        pit.no_more_bets()
        pit.give(i.CallFloor())
        pit.give(Reading(SCANNER, Sealed(card("Th"), "999999"), apart=True))
        assert pit.state.held_for(Reason.FOREIGN)
        for each in pit.state.holds:
            if each.reason is Reason.FLOOR:
                pit.resolve(Resolution.RELEASE, hold=each.number)
        pit.resolve(way, "Th", pit.state.holds[-1].number)
        if pit.state.holds:
            pit.resolve(Resolution.SET_ASIDE)
        yield pit


def closers() -> Iterator[Pit]:
    """8: a closer with which the drop box was taken is made void."""
    for roll in (False, True):
        pit = OpenPit(replace(setup(3), chips=DENOMINATIONS, buy_ins=True))
        pit.give(i.OpenRack(chips(30, 30, 30)), by=BOTH)
        pit.give(i.ChangeBox("A7"), by=BOTH)
        pit.give(i.CloseRack(chips(30, 30, 30), roll=roll, box="A8"), by=BOTH)
        pit.give(i.ChangeBox("A9"), by=BOTH)
        pit.give(i.CountBox(4, 700), by=BOTH)
        pit.give(i.VoidSlip(3, "counted wrong"), by=BOTH)
        yield pit


def spots() -> Iterator[Pit]:
    """Sensors see other chips than the dealer entered, before and after bets are closed."""
    for way in (Resolution.RELEASE, Resolution.BETS_RIGHT):
        pit = sensed_spots.table()
        sensed_spots.bet(pit, 1)
        sensed_spots.sensed(pit, 2, sensed_spots.chips())
        pit.no_more_bets()
        if pit.state.holds:
            pit.resolve(way)
        sensed_spots.sensed(pit, 1, sensed_spots.chips("04a1", "04a2"))
        sensed_spots.sensed(pit, 2, sensed_spots.NOTHING)
        pit.no_more_bets()
        pit.deal("Td 6c Tc")
        sensed_spots.sensed(pit, 2, sensed_spots.chips())
        sensed_spots.sensed(pit, 1, sensed_spots.NOTHING)
        for each in (Resolution.STANDS, Resolution.PLACED, Resolution.RELEASE):
            if pit.state.holds:
                pit.resolve(each)
        yield pit


def studio() -> Iterator[Pit]:
    """Players at a distance: seats, late bets, what nobody answers, a clock that stands."""
    times = WindowTimes(
        bets_ms=30_000, last_call_ms=10_000, decision_ms=9_000, no_answer=(Action.STAND,)
    )
    pit = OpenPit(replace(setup(3), windows=times))
    pit.shuffle()
    for seat in (1, 2):
        pit.give(i.TakeSeat(seat, f"srv-{seat}", "Ann"))
    pit.give(i.TakeSeat(1, "srv-3", "Bea"))
    pit.give(i.MarkAway(2, away=True))
    pit.player = "srv-1"
    pit.bet(1)
    pit.bet(3)
    pit.player = ""
    pit.wait(16)
    pit.give(i.CallFloor())
    pit.wait(60)
    pit.resolve(Resolution.RELEASE)
    pit.give_late(i.PlaceWager(3, 1_000), waited_ms=500, after_s=8)
    pit.wait(5)
    assert pit.state.phase is Phase.ROUND
    pit.give(i.TakeSeat(1, "srv-3", "Bea"))
    pit.give(i.LeaveSeat(1))
    pit.give(i.TakeSeat(1, "srv-3", "Bea"))
    pit.give(i.MarkAway(2, away=False))
    cards = ["Th", "9c", "2d", "8s", "3h"] * 9
    while (step := pit.state.step) is not None:
        if isinstance(step, Deal):
            pit.deal(cards.pop())
        elif isinstance(step, Ask):
            pit.wait(12)
        else:
            pit.press("next")
    pit.give(i.Clap())
    pit.wait(30)
    yield pit


SCENES: Final = {
    "spots": spots, "studio": studio,
    "3-kept": two_kept, "4-dealers": dealers, "6-pots": pots,
    "7-foreign": foreign_cards, "8-closers": closers, **LEFT_BEHIND, **RARE,
}  # fmt: skip
"""By what they are about; those with a number by the revision that mended them."""
