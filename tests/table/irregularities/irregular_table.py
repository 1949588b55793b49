"""A table at which something goes wrong: brought to that moment, and what is then said there."""

from __future__ import annotations

from dataclasses import replace

from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason
from controller.table.views.public import public
from tests.support.pit import Pit, setup

BETS = {1: 1_000, 2: 2_000}


def table(profile: str = "house", name: str = "21-24-27", seats: int = 3) -> Pit:
    """A table under that profile, a fresh shoe in it, bets open."""
    pit = Pit(replace(setup(seats, name), procedures=profile))
    pit.shuffle()
    return pit


def playing(cards: str = "", profile: str = "house", name: str = "21-24-27") -> Pit:
    pit = table(profile, name)
    for seat, amount in BETS.items():
        pit.bet(seat, amount)
    pit.no_more_bets()
    pit.deal(cards)
    return pit


def asked(profile: str = "house") -> Pit:
    """Seat 1 is asked: hard 15 against hard 16; seat 2 has hard 19."""
    pit = playing("6h Th 9c 9d 9s 7s", profile)
    pit.expect(next="Seat 1: stand or hit?")
    return pit


def over() -> Pit:
    """Round 1 is over: seat 1 lost 10.00, seat 2 lost 20.00."""
    pit = playing("6h Th 9c 9d 9s 7s")
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 3h")
    pit.settle_all()
    assert public(pit.state).rounds[0].net
    return pit


def happened(pit: Pit, what: Reason, number: int | None = None) -> str:
    return pit.give(i.Happened(what, number)).refused


def resolutions(pit: Pit) -> list[str]:
    return [
        str(key.command.get("resolution", key.command["do"]))
        for key in pit.display.holds[0].resolutions
    ]


def nets(pit: Pit) -> dict[int, int]:
    """What each seat has won in money that moved, by the record: settled, corrected, given back."""
    found: dict[int, int] = {}
    for fact in pit.facts:
        if isinstance(fact, f.HandSettled):
            found[fact.seat] = found.get(fact.seat, 0) + (fact.net or 0)
        elif isinstance(fact, f.RoundVoided | f.SettledRoundVoided | f.RoundCorrected):
            for seat, amount in fact.owed:
                found[seat] = found.get(seat, 0) + amount
    return {seat: amount for seat, amount in found.items() if amount}
