"""A table whose bet spots sense, and what lies on them."""

from __future__ import annotations

from controller.devices.inputs import Condition, Health, SpotChips, SpotSensed
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.state.phases import Phase
from tests.support.pit import Pit, setup

SPOTS = "bet_spots"
NOTHING = SpotChips(present=False)


def chips(*tags: str, amount: int | None = None) -> SpotChips:
    return SpotChips(present=True, tags=tags or ("04a1",), amount=amount)


def sensed(pit: Pit, seat: int, lies: SpotChips) -> None:
    pit.give(SpotSensed(SPOTS, seat, lies))


def table(name: str = "blackjack", seats: int = 2) -> Pit:
    """Bets are open; every spot has a sensor, and nothing lies there."""
    pit = Pit(setup(seats, name))
    pit.shuffle()
    pit.give(Health(SPOTS, Condition.UP))
    for seat in range(1, seats + 1):
        sensed(pit, seat, NOTHING)
    return pit


def bet(pit: Pit, seat: int, amount: int = 1_000, lies: SpotChips | None = None) -> None:
    sensed(pit, seat, lies or chips())
    pit.give(i.PlaceWager(seat, amount))


def phase(pit: Pit) -> Phase:
    return pit.state.phase


def reasons(pit: Pit) -> list[Reason]:
    return [each.reason for each in pit.state.holds]


def resolve(pit: Pit, resolution: Resolution) -> str:
    return pit.give(i.Resolve(pit.state.holds[0].number, resolution)).code
