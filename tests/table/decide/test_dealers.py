"""Who takes over as dealer: whoever proves it; somebody else is named by the floor or the pit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table import inputs as i
from controller.table.roles import Person, PersonId, Role
from tests.support.pit import Pit, setup

AINO = Person(PersonId("7f3a91c2"), Role.DEALER)
BO = Person(PersonId("0f1e2d3c"), Role.DEALER)
EINO = Person(PersonId("0e170001"), Role.FLOOR)
OF_PIT = Person(PersonId("pit-17"), Role.FLOOR)


def between_rounds() -> Pit:
    pit = Pit(replace(setup(3), roles=True))
    pit.shuffle()
    return pit


@pytest.mark.parametrize(
    ("named", "by", "deals"),
    [
        ("", (AINO,), AINO.id),
        (AINO.id, (AINO,), AINO.id),
        ("", (EINO,), EINO.id),
        # The floor comes along, or sends somebody.
        ("", (EINO, AINO), AINO.id),
        (BO.id, (EINO,), BO.id),
        (BO.id, (AINO, EINO), BO.id),
        # A machine says it, or nobody knows who.
        (BO.id, (), BO.id),
        ("", (), ""),
        # The pit's own users deal at no table.
        ("", (OF_PIT,), ""),
        (AINO.id, (OF_PIT,), AINO.id),
    ],
)
def test_whoever_proves_it_deals(named: str, by: tuple[Person, ...], deals: str) -> None:
    pit = between_rounds()
    assert not pit.give(i.ChangeDealer(named), by=by).refused
    assert pit.state.dealer == deals


@pytest.mark.parametrize(
    ("named", "by", "code"),
    [
        (BO.id, (AINO,), "dealers-take-over-themselves"),
        ("", (AINO, BO), "one-dealer-takes-over"),
        ("Aino", (AINO,), "dealer-is-no-id"),
    ],
)
def test_nobody_deals_by_the_pin_of_another(named: str, by: tuple[Person, ...], code: str) -> None:
    pit = between_rounds()
    pit.give(i.ChangeDealer(""), by=(EINO,))
    assert pit.give(i.ChangeDealer(named), by=by).code == code
    assert pit.state.dealer == EINO.id
