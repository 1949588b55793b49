"""A table that keeps account of its chips, and the two people who sign for them."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.messages import Message
from controller.table import inputs as i
from controller.table.inputs.money import ChipCount, Chips, Moved
from controller.table.irregularities.holds import Resolution
from controller.table.queries.win import win_of
from controller.table.rack_win import RackWin
from controller.table.roles import Person, PersonId, Role
from tests.support.pit import Pit, PitAnswer, setup

FIA = Person(PersonId("0e170001"), Role.FLOOR)
AINO = Person(PersonId("0e170002"), Role.DEALER)
BOTH = (FIA, AINO)
DENOMINATIONS = (100, 500, 2_500)


def rack_table(name: str = "21-24-27", *, buy_ins: bool = False) -> Pit:
    """A shuffled table with chips of 1, 5 and 25."""
    pit = Pit(replace(setup(3, name), roles=True, chips=DENOMINATIONS, buy_ins=buy_ins))
    for hold in pit.state.holds:
        counted = i.Resolve(hold.number, Resolution.COUNT, reason="opening", cards=0)
        pit.give(counted, by=(FIA,))
    pit.shuffle()
    return pit


def chips(ones: int = 0, fives: int = 0, twenty_fives: int = 0) -> Chips:
    """A count of every chip of the table."""
    pieces = zip(DENOMINATIONS, (ones, fives, twenty_fives), strict=True)
    return tuple(ChipCount(chip, many) for chip, many in pieces)


def sign(pit: Pit, command: i.Command, by: tuple[Person, ...] = BOTH) -> PitAnswer:
    """A command that both sign, or whoever is named."""
    return pit.give(command, by=by)


def fill(pit: Pit, fives: int, by: tuple[Person, ...] = BOTH) -> PitAnswer:
    """So many fives come from the cage."""
    return sign(pit, i.SignSlip(Moved.FILL, 500 * fives, (ChipCount(500, fives),)), by)


def credit(pit: Pit, fives: int) -> PitAnswer:
    """So many fives go to the cage."""
    return sign(pit, i.SignSlip(Moved.CREDIT, 500 * fives, (ChipCount(500, fives),)))


def buy_in(
    pit: Pit, fives: int, seat: int = 1, cash: int | None = None, by: tuple[Person, ...] = BOTH
) -> PitAnswer:
    """So many fives are bought for cash, of their worth where nothing else is said."""
    amount = 500 * fives if cash is None else cash
    return sign(pit, i.BuyIn(amount, (ChipCount(500, fives),), seat), by)


def newest_win(pit: Pit) -> RackWin:
    """What the newest shift of the rack came to."""
    money = pit.state.money
    assert money.newest is not None
    return win_of(money, (money.newest,), pit.state.counts.rounds, code_of)


def code_of(said: Message) -> str:
    """What is missing, by its code."""
    return said.code


def lost_round(pit: Pit, bet: int | None = 1_000) -> None:
    """A round of 21-24-27 at seat 1 in which the player must hit, and goes over."""
    pit.bet(1, bet)
    pit.no_more_bets()
    pit.deal("Kh 9c 7d Ks Qc")
    pit.settle_all()
