"""Which irregularities are listed, when, and that each way on settles its hold, by each profile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES, ProcedureError, procedures
from controller.table.roles import Needs
from tests.support.pit import Pit, setup
from tests.table.irregularities.irregular_table import (
    asked,
    happened,
    over,
    playing,
    resolutions,
    table,
)

# Who is asked what


def test_what_the_table_notices_is_not_called_by_people() -> None:
    assert "notices that by itself" in happened(asked(), Reason.UNREADABLE)


def test_nothing_is_called_twice() -> None:
    pit = asked()
    happened(pit, Reason.EXPOSED)
    assert "called already" in happened(pit, Reason.EXPOSED)


@pytest.mark.parametrize(
    ("pit", "first"),
    [
        (asked, "Card misread"),
        (lambda: playing("Kh"), "Hand skipped"),
        (over, "Wrong payout"),
        (table, "Foreign or damaged card"),
    ],
)
def test_the_likeliest_is_listed_first(pit: object, first: str) -> None:
    assert callable(pit)
    listed = [key.label for key in pit().display.happened]
    assert listed[0] == first
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("what", Reason)
def test_whatever_is_listed_can_be_called_and_has_a_way_on(profile: str, what: Reason) -> None:
    for pit in (asked(profile), playing("Kh", profile), table(profile)):
        listed = [key for key in pit.display.happened if key.command["what"] == what.value]
        if what is Reason.EXPOSED and not pit.state.game.hides:
            assert not listed, "nothing is said of hidden cards where none lies face down"
            continue
        number = listed[0].command.get("round") if listed else None
        refused = happened(pit, what, int(number) if number else None)
        assert bool(refused) is not bool(listed)
        assert not listed or resolutions(pit)


# Each way on, under each profile


def moment(what: Reason, profile: str) -> Pit:
    """A table at which `what` has just been noticed, or called."""
    if what is Reason.EARLY:
        pit = table(profile)
        pit.deal("Kh")
    elif what is Reason.DRAWN:
        pit = playing("Ah Td 9c Ks 9d 7h", profile)
        pit.expect(next="Pay seat 1: 10.00")
        pit.deal("2h")
    elif what is Reason.UNEXPECTED:
        pit = asked(profile)
        happened(pit, Reason.EXPOSED)
        pit.deal("3d")  # while the table is held
        pit.resolve(Resolution.STANDS)
    elif what is Reason.OVERDRAWN:
        pit = asked(profile)
        pit.press("stand")
        pit.press("stand")
        pit.deal("2d 4h Kd")
    elif what in (Reason.WRONG_SPOT, Reason.SKIPPED):
        pit = playing("Kh", profile)
        happened(pit, what)
    elif what in (Reason.NOT_ASKED, Reason.FACE_UP):
        pit = asked(profile)
        pit.deal("2d")
        happened(pit, what)
    else:
        pit = asked(profile)
        if what is Reason.TAKEN_BACK:
            pit.press("stand")
        happened(pit, what)
    return pit


CALLED = [reason for reason in Reason if reason.value in (
    "early", "drawn", "unexpected", "overdrawn", "wrong_spot", "skipped", "not_asked", "face_up",
    "taken_back", "misread", "exposed", "payout", "past_posting",
    "player_left", "device", "damaged", "misdeal",
)]  # fmt: skip


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("what", CALLED)
def test_each_way_on_settles_its_hold_and_the_table_goes_on(what: Reason, profile: str) -> None:
    offered = resolutions(moment(what, profile))
    assert offered
    for name in offered:
        pit = moment(what, profile)
        hold = pit.state.holds[0]
        assert hold.reason is what
        if name == "correct":
            edit = i.EditAsked(0, EditKind.WAGER, amount=3_000)
            wager = replace(edit, at=2)
            assert pit.give(i.Correct(hold.round, (wager,), "bet entered wrongly")).refused == ""
        else:
            seat = 1 if name == "dead_hand" else None
            assert (
                pit.give(
                    i.Resolve(hold.number, Resolution(name), reason="so", seat=seat, cards=0)
                ).refused
                == ""
            )
        assert hold.number not in [each.number for each in pit.state.holds]
        for each in pit.state.holds:
            assert each.reason is Reason.DIFFERENCE
            pit.resolve(Resolution.SQUARED)
        assert pit.display.keys
        assert not pit.state.holds


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("what", [each for each in CALLED if each is not Reason.EARLY])
def test_each_hold_has_a_way_on_when_another_one_has_voided_its_round(
    what: Reason, profile: str
) -> None:
    pit = moment(what, profile)
    hold = pit.state.holds[0].number
    pit.give(i.CallFloor())
    floor = pit.state.holds[-1].number
    assert not pit.give(i.Resolve(floor, Resolution.VOID, reason="so")).refused
    offered = resolutions(pit)
    assert offered
    for name in offered:
        again = pit.copied()
        answer = again.give(i.Resolve(hold, Resolution(name), reason="so", cards=0))
        assert not answer.refused
        assert again.state.hold(hold) is None


@pytest.mark.parametrize("profile", PROFILES)
def test_whose_word_a_way_takes_is_that_of_the_profile(profile: str) -> None:
    rules = procedures(profile)
    pit = Pit(replace(setup(3), procedures=profile, roles=True))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c 9d 7s")
    pit.press("stand")
    happened(pit, Reason.TAKEN_BACK)
    refused = pit.resolve(Resolution.TAKE_BACK).refused
    needs = rules.needs(Reason.TAKEN_BACK, Resolution.TAKE_BACK)
    assert bool(refused) is (needs is not Needs.DEALER)
    assert not refused or "floor" in refused


def test_the_setup_on_record_makes_the_same_procedures_again() -> None:
    own = (("misdeal", "text", "Call the pit boss first."), ("misdeal", "who.void", "two"))
    pit = Pit(replace(setup(3), procedures="strict", own_procedures=own))
    opened = pit.facts[0]
    assert isinstance(opened, f.TableOpened)
    again = procedures(opened.setup.procedures, opened.setup.own_procedures)
    assert again == pit.state.procedures
    assert again.rows[Reason.MISDEAL].advice == "Call the pit boss first."
    assert again.needs(Reason.MISDEAL, Resolution.VOID) is Needs.TWO


def test_a_table_does_not_begin_by_procedures_that_are_not_known_here() -> None:
    with pytest.raises(ProcedureError, match="there are no procedures 'atlantis'"):
        Pit(replace(setup(3), procedures="atlantis"))


@pytest.mark.parametrize("asked", [Needs.FLOOR, Needs.TWO])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_house_may_ask_for_more_people_than_its_profile_and_never_for_fewer(
    profile: str, asked: Needs
) -> None:
    fewest_first = list(Needs)
    for reason, row in procedures(profile).rows.items():
        for resolution, needs in row.who.items():
            own = ((reason.value, f"who.{resolution.value}", asked.value),)
            if fewest_first.index(asked) < fewest_first.index(needs):
                with pytest.raises(ProcedureError, match=f"it needs {needs.value} at least"):
                    procedures(profile, own)
            else:
                assert procedures(profile, own).needs(reason, resolution) is asked
