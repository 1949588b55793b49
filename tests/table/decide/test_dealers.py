"""Who takes over as dealer: whoever proves it; somebody else is named by the floor or the pit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table import inputs as i
from controller.table.irregularities.holds import Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.state.phases import Phase
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
    assert pit.state.people.dealer == deals


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
    assert pit.state.people.dealer == EINO.id


def burning(**options: int) -> Pit:
    pit = Pit(setup(3, "21-24-27", burn_after_shuffle=0, **options))
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    return pit


def test_a_new_dealer_burns_what_there_is_and_then_the_shoe_is_over() -> None:
    pit = burning(penetration_cards=323, burn_on_dealer_change=10)
    cards = [each.code for each in pit.state.shoe.pack.cards()]
    while pit.state.shoe.left > 4:
        pit.deal(cards.pop())
        pit.resolve(Resolution.SET_ASIDE)
    pit.give(i.ChangeDealer(""))
    pit.deal(" ".join(cards.pop() for _ in range(3)))
    pit.expect(next="Burn 7 cards")
    pit.deal(cards.pop())
    assert pit.state.phase is Phase.SHUFFLE, "no card can be burned of an empty shoe"


def test_a_kept_card_that_nobody_has_read_is_burned_like_any_other() -> None:
    pit = burning(burn_on_dealer_change=1)
    pit.doubt()
    pit.resolve(Resolution.KEEP)
    pit.give(i.ChangeDealer(""))
    pit.expect(next="Burn the kept card")
    pit.press("next")
    assert not pit.state.holds
    assert (pit.state.phase, pit.state.shoe.gone) == (Phase.BETTING, 1)
