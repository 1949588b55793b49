"""New software on trial accepts no play; software that was changed begins no further round."""

from __future__ import annotations

import pytest

from controller.devices.inputs import Condition, Health
from controller.rules.messages import Message, message
from controller.table import inputs as i
from controller.table.facts import BetsClosed, CardDealt, DeviceDown, WagerPlaced
from controller.table.irregularities.holds import Reason
from controller.table.queries.device_failures import SOFTWARE
from tests.support.pit import Pit, opened, setup

TRIAL = message("software-on-trial", build="0.2.0+00000002")
CHANGED = message("software-changed", file="controller/rules/money.py", files=1)
NOT_COMPARED = message("software-not-compared")
WENT_BACK = message(
    "software-went-back", build="0.2.0+00000002", why=message("update-lost-device", device="shoe")
)


def _with(why: Message | None) -> Pit:
    pit = opened()
    pit.give(Health(SOFTWARE, Condition.UP if why is None else Condition.DOWN, why))
    return pit


@pytest.mark.parametrize(
    "command",
    [i.PlaceWager(1, 1_000), i.CloseBets(), i.LoadPack(), i.CloseDay(), i.CallFloor(), i.CutShoe()],
)
def test_no_play_is_accepted_on_trial(command: i.Command) -> None:
    pit = _with(TRIAL)
    before = pit.state
    answer = pit.give(command)
    if isinstance(command, i.CallFloor):
        assert not answer.refused, "the floor can always be called"
        return
    assert answer.refused == "No play yet: New software is being tried. Wait a moment."
    assert pit.state.phase is before.phase
    assert not [each for each in pit.facts if isinstance(each, WagerPlaced)]


@pytest.mark.parametrize("button", ["next", "stand"])
def test_no_button_plays_on_trial(button: str) -> None:
    pit = _with(TRIAL)
    assert "being tried" in pit.press(button).refused


def test_a_card_that_leaves_on_trial_is_on_record_and_no_card_of_a_round() -> None:
    pit = _with(TRIAL)
    pit.deal("Kh")
    assert [each.reason for each in pit.state.holds] == [Reason.EARLY]
    assert not [each for each in pit.facts if isinstance(each, CardDealt)]


def test_play_goes_on_once_it_is_confirmed() -> None:
    pit = _with(TRIAL)
    pit.give(Health(SOFTWARE, Condition.UP))
    assert not pit.bet(1).refused
    assert not pit.no_more_bets().refused


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (CHANGED, "The software of this table was changed. Finish the round, then call the floor."),
        (NOT_COMPARED, "not checked yet"),
    ],
)
def test_changed_software_stops_the_next_round_and_not_the_one_in_play(
    why: Message, said: str
) -> None:
    pit = _with(None)
    pit.bet(1)
    pit.no_more_bets()
    pit.give(Health(SOFTWARE, Condition.DOWN, why))
    pit.deal("Kh 9c 9d")
    pit.press("stand")
    assert pit.state.in_play is not None
    other = _with(why)
    assert not other.bet(1).refused
    assert said in other.no_more_bets().refused
    assert not [each for each in other.facts if isinstance(each, BetsClosed)]
    assert any(each.name == SOFTWARE and not each.up for each in other.display.devices)
    other.give(Health(SOFTWARE, Condition.UP))
    assert not other.no_more_bets().refused


def test_an_update_that_went_back_is_on_record_and_play_goes_on() -> None:
    pit = _with(WENT_BACK)
    assert DeviceDown(SOFTWARE, WENT_BACK) in pit.facts
    pit.bet(1)
    assert not pit.no_more_bets().refused


def test_a_checkout_without_a_release_has_no_such_device() -> None:
    assert SOFTWARE not in Pit(setup(3)).state.run.devices
