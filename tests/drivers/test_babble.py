"""What cannot be a card or a press is counted, what can be is passed on."""

from __future__ import annotations

import pytest

from controller.devices.inputs import Button, Doubt, Press, Reading, Repeats
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from drivers.supervision.babble import CARDS, DOUBTS, PRESSES, QUIET_S, SAME, Babble


def read(code: str, serial: str = "", passed_ns: int | None = None) -> Reading:
    return Reading("scanner", Sealed(card(code), serial), passed_ns=passed_ns)


def test_the_same_code_is_a_few_cards_and_then_a_number() -> None:
    babble = Babble()
    passed = [babble.admits(read("Kh"), at / 1_000) for at in range(1_000)]
    assert 0 < sum(passed) <= SAME.at_once + 1
    assert passed[: SAME.at_once] == [True] * SAME.at_once
    assert babble.babbles(1.0)
    assert babble.admits(read("9d"), 1.0), "another card is passed on at once"
    assert not babble.admits(read("9d"), 1.001)
    assert not babble.babbles(1.001 + QUIET_S)
    assert babble.count == 1_001 - sum(passed)
    assert babble.admits(read("9d"), 60.0)


def test_a_simulated_world_may_be_so_many_times_faster_than_people() -> None:
    presses = [Press("buttons", button) for button in (Button.NEXT, Button.STAND) * 100]
    for pace, most in ((1.0, 40), (100.0, 200)):
        babble = Babble(pace)
        assert sum(babble.admits(each, at / 100) for at, each in enumerate(presses)) <= most
        assert babble.babbles(2.0) is (pace == 1.0)


def test_cards_that_passed_the_beam_are_never_too_many_for_a_hand() -> None:
    babble = Babble()
    at_once = [babble.admits(read("Kh", passed_ns=at), at / 10) for at in range(416)]
    dealt = [babble.admits(read("Kh", passed_ns=at), 42 + at / 3) for at in range(5_000)]
    assert all(at_once)
    assert all(dealt)
    assert not babble.babbles(2_000.0)


def test_cards_go_on_through_a_reader_that_repeats_another_one() -> None:
    babble = Babble()
    passed = []
    for second in range(120):
        for at in range(50):
            babble.admits(read("Kh"), second + at / 100)
        passed.append(babble.admits(read("9d", passed_ns=1), second + 0.9))
    assert all(passed)
    assert babble.babbles(120.0)


@pytest.mark.long
def test_a_reader_that_never_stops_is_read_to_the_end_of_its_measures() -> None:
    """Random codes without an end were passed on 56 times a second, for ever."""
    codes = ("Kh", "9d", "2c", "Qs", "7h")
    for passed_ns in (None, 1):
        babble = Babble()
        found = sum(
            babble.admits(read(codes[at % 5], passed_ns=passed_ns), at / 100)
            for at in range(360_000)
        )
        assert CARDS.at_once <= found <= CARDS.at_once * 1.1, "in an hour"
        assert babble.count == 360_000 - found


def test_a_pack_is_run_through_the_reader_as_fast_as_it_can() -> None:
    babble = Babble()
    assert all(babble.admits(read("Kh", f"{at:06}"), 0.0) for at in range(416))
    assert CARDS.at_once > 416


def test_a_beam_that_flaps_and_a_contact_that_chatters_are_bounded() -> None:
    flaps = Babble()
    doubt = Reading("scanner", None, Doubt.NO_CODE, apart=True, passed_ns=1)
    assert sum(flaps.admits(doubt, at / 100) for at in range(1_000)) == DOUBTS.at_once
    chatters = Babble()
    press = Press("buttons", Button.NEXT)
    at_20_hz = sum(chatters.admits(press, at / 20) for at in range(200))
    assert at_20_hz < PRESSES.at_once * 2
    assert chatters.babbles(10.0)


def test_nobody_who_presses_in_a_hurry_is_trouble() -> None:
    babble = Babble()
    assert all(babble.admits(Press("buttons", Button.NEXT), at / 7) for at in range(200))


def test_what_a_reader_counted_itself_is_counted() -> None:
    babble = Babble()
    assert babble.admits(read("Kh"), 0.0)
    assert not babble.admits(Repeats("scanner", 39_999), 0.0)
    assert babble.count == 39_999
