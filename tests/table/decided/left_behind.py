"""Moments of revision 5, and those in which a shoe is empty: what a void, a changed configuration,
another player or an empty shoe leaves behind. Two or three of each, since each was a decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.actions import Action
from controller.rules.script.steps import Ask, Deal
from controller.table import inputs as i
from controller.table.inputs import WindowTimes
from controller.table.inputs.pit import PIT_ACTS
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import pit_person
from controller.table.state.phases import Phase
from tests.support.pit import SCANNER, Pit, setup
from tests.table.decided.restless import OpenPit
from tests.table.irregularities import sensed_spots

TIMES: Final = WindowTimes(bets_ms=15_000, last_call_ms=5_000, decision_ms=9_000)


def without_cards() -> OpenPit:
    """A table whose shoe is empty in mid-round: one seat bets and stands, round by round."""
    pit = OpenPit(setup(3, penetration_cards=323, burn_after_shuffle=0))
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    cards = pit.state.shoe.pack.cards()
    while not pit.state.holds:
        if pit.state.phase is Phase.BETTING:
            pit.bet(1)
            pit.no_more_bets()
        elif isinstance(pit.state.step, Deal):
            pit.deal(cards.pop().code)
        else:
            pit.press("stand" if isinstance(pit.state.step, Ask) else "next")
    return pit


def left_open() -> Iterator[Pit]:
    """Holds that outlive their round, or its pack; bets of a pack that is out of play."""
    pit: Pit
    for called in (Reason.FLOOR, Reason.MISDEAL, Reason.DAMAGED):
        pit = without_cards()
        pit.give(i.CallFloor() if called is Reason.FLOOR else i.Happened(called))
        hold = next(each for each in pit.state.holds if each.reason is called)
        way = Resolution.NEW_SHOE if called is Reason.DAMAGED else Resolution.VOID
        assert pit.resolve(way, hold=hold.number).code == ""
        yield pit
    pit = sensed_spots.table()
    sensed_spots.bet(pit, 1)
    sensed_spots.sensed(pit, 2, sensed_spots.chips())
    pit.no_more_bets()
    pit.give(i.Happened(Reason.DAMAGED))
    assert pit.resolve(Resolution.NEW_SHOE, hold=pit.state.holds[-1].number).code == ""
    pit.resolve(Resolution.BETS_RIGHT)
    yield pit


def empty_shoes() -> Iterator[Pit]:
    """Discards come back, but not a card that is kept; and a new dealer burns what there is."""
    pit = without_cards()
    pit.give(Reading(SCANNER, None, Doubt.NO_CODE))
    for reason, way in (
        (Reason.UNEXPECTED, Resolution.KEEP), (Reason.OUT_OF_CARDS, Resolution.REFILLED),
    ):  # fmt: skip
        hold = next(each for each in pit.state.holds if each.reason is reason)
        assert pit.resolve(way, hold=hold.number).code == ""
    pit.press("next")
    pit.resolve(Resolution.ENTER_CARD, "Kc")
    pit.deal("5h 6h 7h")
    yield pit
    pit = OpenPit(setup(3, penetration_cards=323, burn_after_shuffle=0, burn_on_dealer_change=10))
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    cards = [each.code for each in pit.state.shoe.pack.cards()]
    while pit.state.shoe.left > 4:
        pit.deal(cards.pop())
        pit.resolve(Resolution.SET_ASIDE)
    pit.give(i.ChangeDealer(""))
    pit.deal(" ".join(cards[:4]))
    yield pit
    pit = OpenPit(setup(3, burn_after_shuffle=0, burn_on_dealer_change=1))
    pit.shuffle()
    pit.doubt()
    pit.resolve(Resolution.KEEP)
    pit.give(i.ChangeDealer(""))
    pit.press("next")
    yield pit


def put_right() -> Iterator[Pit]:
    """Amounts that nobody had entered are, and a round that is over would not be any more."""
    wager = EditKind.WAGER
    for edits in (
        (i.EditAsked(1, wager, amount=1_000),),
        (i.EditAsked(1, wager, amount=1_000), i.EditAsked(2, EditKind.REPLACE, "Qc")),
        (i.EditAsked(8, EditKind.REMOVE),),
        (i.EditAsked(8, EditKind.REMOVE), i.EditAsked(7, EditKind.REMOVE)),
    ):
        pit = OpenPit(setup(3))
        pit.shuffle()
        pit.bet(1, None)
        pit.no_more_bets()
        pit.deal("Kd 6c Kc 9c")
        pit.say("stand")
        pit.deal("Ts")
        pit.settle_all()
        pit.give(i.Correct(1, edits, "misread"))
        pit.give(i.Correct(1, (i.EditAsked(1, wager, amount=2_500),), "misread"))
        yield pit


def next_bets() -> Iterator[Pit]:
    """Bets that wait for another shoe, in one that is closed, out of play, or configured anew."""
    pit = OpenPit(replace(setup(3, penetration_cards=3), pit_acts=PIT_ACTS))
    pit.shuffle()
    pit.bet(2)
    for code in ("Td", "Tc"):
        pit.deal(code)
        pit.resolve(Resolution.SET_ASIDE)
    asked = i.FromPit(
        i.CloseTable(), pit_person(17), "pit_boss", "0f1e2d3c", pit.now_ms, pit.now_ms + 9_000
    )
    assert pit.give(asked).code == "table-closes-without-bets"
    pit.give(i.Happened(Reason.DAMAGED))
    pit.resolve(Resolution.NEW_SHOE)
    yield pit
    pit = OpenPit(replace(setup(3), windows=TIMES))
    pit.shuffle()
    pit.setup = replace(setup(3, max_bet=50_000), windows=TIMES)
    pit.start()
    pit.resolve(Resolution.COUNT)
    pit.wait(11)
    yield pit


def hidden() -> Iterator[Pit]:
    """A card that was to lie face down in a round that is void; one that a hold is about."""
    pit = OpenPit(setup(3, "blackjack"))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Td 6c Tc")
    pit.doubt(Doubt.TOO_CLOSE)
    pit.give(i.Happened(Reason.MISDEAL))
    pit.resolve(Resolution.VOID, hold=pit.state.holds[-1].number)
    pit.resolve(Resolution.SET_ASIDE)
    pit.give_back()
    for serial in ("000017", "000017", "000018"):
        pit.deal("Td", serial=serial)
    yield pit


def others_players() -> Iterator[Pit]:
    """A player has left with a bet, repeats another's, or declines again and again."""
    pit = OpenPit(replace(setup(3), windows=TIMES))
    pit.shuffle()
    pit.give(i.TakeSeat(1, "srv-1", "Ann"))
    pit.bet(1)
    pit.no_more_bets()
    pit.give(i.LeaveSeat(1))
    pit.deal("Kd 6c Kc 9c")
    pit.press("stand")
    pit.deal("Ts")
    pit.settle_all()
    pit.give(i.TakeSeat(1, "srv-2", "Bea"))
    pit.give(i.RepeatWagers())
    pit.bet(1)
    pit.deal("Td")
    pit.resolve(Resolution.DUMMY)
    pit.give(i.LeaveSeat(1))
    yield pit
    pit = OpenPit(replace(setup(3, "blackjack"), windows=TIMES))
    pit.shuffle()
    pit.give(i.TakeSeat(1, "srv-1", "Ann"))
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("5c 9d 6c Td")
    for player in ("srv-1", "srv-1", ""):
        pit.player = player
        pit.give(i.Decide(1, Action.DOUBLE))
        pit.give(i.DeclineWager(1))
    yield pit


LEFT_BEHIND: Final = {
    "5-left-open": left_open, "5-empty-shoes": empty_shoes, "5-put-right": put_right,
    "5-next-bets": next_bets, "5-hidden": hidden, "5-players": others_players,
}  # fmt: skip
