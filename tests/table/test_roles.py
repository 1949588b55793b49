"""Roles: an alarm that the dealer can clear is no alarm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.inputs import Doubt
from controller.table import inputs as i
from controller.table.facts import HoldReleased, RoundCorrected
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Needs, Person, PersonId, Role, lacking, who_falls_short
from controller.table.views.english import say
from controller.table.views.public import public
from tests.support.pit import Pit, setup

DEALER = Person(PersonId("aino"), Role.DEALER)
FLOOR = Person(PersonId("eino"), Role.FLOOR)


def in_play(*, roles: bool = True) -> Pit:
    pit = Pit(replace(setup(3), roles=roles))
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening"), by=(FLOOR,))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh 9c 9d")
    return pit


def resolve(
    pit: Pit, resolution: Resolution, *by: Person, card: str | None = None, reason: str = "seen"
) -> str:
    command = i.Resolve(pit.state.holds[0].number, resolution, card, reason)
    return (pit.enter(command, by=by) if card else pit.give(command, by=by)).refused


def test_what_matters_takes_the_floor_and_a_reason() -> None:
    pit = in_play()
    pit.press("call")
    assert "the floor" in resolve(pit, Resolution.VOID)
    assert "the floor" in resolve(pit, Resolution.VOID, DEALER)
    assert "Say why" in resolve(pit, Resolution.VOID, FLOOR, reason=" ")
    assert resolve(pit, Resolution.VOID, FLOOR, reason="wrong pack") == ""
    released = next(fact for fact in reversed(pit.facts) if isinstance(fact, HoldReleased))
    assert (released.by, released.reason) == ((FLOOR,), "wrong pack")


def test_a_new_pack_takes_two_people_of_whom_one_is_the_floor() -> None:
    pit = in_play()
    pit.deal("2d", serial="000001")
    pit.deal("3d", serial="000002")
    pit.deal("2d", serial="000001")  # this very card has left before
    assert pit.state.held_for(Reason.FOREIGN)
    assert "second person" in resolve(pit, Resolution.NEW_SHOE, FLOOR)
    assert "second person" in resolve(pit, Resolution.NEW_SHOE, FLOOR, FLOOR)
    assert resolve(pit, Resolution.NEW_SHOE, FLOOR, DEALER) == ""


def test_the_dealer_may_do_what_only_corrects_the_record_about_a_card() -> None:
    pit = in_play()
    pit.doubt(Doubt.NO_CODE)
    assert "the floor" in resolve(pit, Resolution.NO_CARD)
    assert resolve(pit, Resolution.ENTER_CARD, card="7d") == ""
    pit.expect(next="Seat 1: stand or hit?")


def test_what_a_dealer_may_not_clear_survives_a_restart() -> None:
    pit = in_play()
    pit.press("call")
    pit.start()
    assert {hold.reason for hold in pit.state.holds} == {Reason.FLOOR, Reason.RECOUNT}
    assert all("the floor" in resolve(pit, Resolution.RELEASE) for _ in range(2))


def test_a_correction_takes_the_floor_and_names_who_stood_for_it() -> None:
    pit = in_play()
    edits = (i.EditAsked(0, EditKind.REPLACE, "Qh"),)
    assert "the floor" in pit.give(i.Correct(1, edits, "misread"), by=(DEALER,)).refused
    assert pit.give(i.Correct(1, edits, "misread"), by=(FLOOR,)).refused == ""
    made = next(fact for fact in pit.facts if isinstance(fact, RoundCorrected))
    assert made.by == (FLOOR,)


def test_the_keys_say_who_has_to_stand_for_them() -> None:
    pit = in_play()
    pit.doubt(Doubt.NO_CODE)
    who = {key.command["resolution"]: key.who for key in pit.display.holds[0].resolutions}
    assert who == {"enter_card": "", "no_card": "floor", "void": "floor"}


def test_a_table_without_people_has_no_roles() -> None:
    pit = in_play(roles=False)
    pit.press("call")
    assert [key.who for key in pit.display.holds[0].resolutions] == [""] * 3
    assert resolve(pit, Resolution.VOID) == ""


@pytest.mark.parametrize(
    ("wanted", "people", "enough"),
    [
        (Needs.DEALER, (), True),
        (Needs.FLOOR, (DEALER,), False),
        (Needs.FLOOR, (FLOOR,), True),
        (Needs.TWO, (FLOOR,), False),
        (Needs.TWO, (DEALER, Person(PersonId("onni"), Role.DEALER)), False),
        (Needs.TWO, (DEALER, FLOOR), True),
    ],
)
def test_who_is_enough(wanted: Needs, people: tuple[Person, ...], enough: bool) -> None:
    assert (lacking(wanted, people) is None) is enough


def test_every_way_of_every_hold_says_whose_word_it_takes() -> None:
    alone = {
        (reason, resolution) for reason, kind in IRREGULARITIES.items()
        for resolution, needs in kind.who.items() if needs is Needs.DEALER
    }  # fmt: skip
    assert (Reason.IMPOSSIBLE, Resolution.NEW_SHOE) not in alone
    # This one leads back to the bets, which are compared again as soon as they are closed.
    alone.discard((Reason.BETS_DIFFER, Resolution.RELEASE))
    assert not any(
        resolution in (Resolution.VOID, Resolution.RELEASE, Resolution.SQUARED)
        for _, resolution in alone
    )


def test_the_status_says_who_must_act() -> None:
    pit = in_play()
    pit.press("call")
    assert public(pit.state).who == "floor"
    assert public(in_play(roles=False).state).who == "dealer"
    pit = in_play()
    pit.doubt(Doubt.NO_CODE)
    assert public(pit.state).who == "dealer"


def test_a_dealers_right_pin_is_named_as_a_dealers() -> None:
    """Not "name and PIN", which were right, but who is missing."""
    refused = lacking(Needs.FLOOR, (DEALER,))
    assert refused is not None
    said = who_falls_short(refused, (DEALER,), {DEALER.id: "Aino"})
    assert say(said) == "Aino is a dealer: this needs the floor"
    assert who_falls_short(refused, (), {}) == refused
