"""Spots at the pins against the display: each spot, of each phase, and what is late or wrong."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from controller.devices.scene import Light
from sim_hw.devices.spot_lamps import DARK, LampColour
from sim_hw.people.page_link import Link
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Display, read_display
from tests.hil.dealt.spot_check import HELD, SpotCheck, told
from tests.support.pictures import hand, picture

pytestmark = pytest.mark.anyio
WHITE, BLUE, RED = (
    LampColour(True, True, True), LampColour(False, False, True), LampColour(True, False, False),
)  # fmt: skip
#: So long is waited for lamps that are late, in seconds.
SOON, LATE = 0.02, 30.0


class SeenLamps:
    """What the spots show, and (by an eye) showed before they went dark."""

    def __init__(self, *shown: LampColour) -> None:
        self.shown = list(shown)
        self.before = list(shown)

    def spot(self, seat: int) -> LampColour:
        return self.shown[seat - 1]

    def perceived(self, seat: int) -> LampColour:
        shown = self.shown[seat - 1]
        return self.before[seat - 1] if shown == DARK else shown


class OnePicture(Link):
    """A dealer's page with one picture."""

    def __init__(self, shown: Display | None) -> None:
        self.display = shown


def display(**more: Any) -> Display:
    return read_display(picture(**more))


def check(lamps: SeenLamps, shown: Display | None, within_s: float = SOON) -> SpotCheck:
    return SpotCheck(lamps, OnePicture(shown), Changes(), within_s)


def only(*lights: Light) -> tuple[frozenset[Light], ...]:
    """Spots that may say one thing each."""
    return tuple(frozenset({each}) for each in lights)


ROUND = display(
    hands=[hand(1, "Th", active=True, light="card"), hand(3, light="bet")], headline="A card"
)


def test_each_spot_says_what_its_hand_does_and_an_empty_one_nothing() -> None:
    assert told(ROUND, 3) == only(Light.CARD, Light.EMPTY, Light.BET)
    two = [
        {**hand(1, light="standing"), "hand": 1},
        {**hand(1, active=True, light="choose"), "hand": 2},
        {**hand(1, light="bet"), "hand": 3},
    ]
    assert told(display(hands=two), 1) == only(Light.CHOOSE)


def test_between_rounds_only_bets_lie_at_the_spots() -> None:
    over = [hand(1, light="won"), hand(2, light="bet")]
    assert told(display(phase="betting", hands=over), 2) == only(Light.EMPTY, Light.BET)
    assert told(display(phase="cut", hands=over), 2) == only(Light.SHUFFLE, Light.SHUFFLE)


def test_a_held_table_is_held_at_each_spot_and_a_safe_picture_says_nothing() -> None:
    held = [{"number": 1, "title": "", "text": "", "resolutions": []}]
    assert told(display(hands=[hand(1, light="won")], holds=held), 2) == (HELD, HELD)
    assert told(display(tone="safe"), 2) == ()


async def test_spots_that_agree_are_counted_also_in_the_dark_of_a_blink() -> None:
    lamps = SeenLamps(WHITE, DARK, BLUE)
    spots = check(lamps, ROUND)
    await spots.look(3)
    lamps.shown[0] = DARK
    await spots.look(3)
    assert (spots.looked, spots.wrong) == (2, [])


@pytest.mark.parametrize(
    ("lamps", "says"),
    [
        (SeenLamps(WHITE, DARK, RED), "seat 3 shows red and the display says bet: A card"),
        (SeenLamps(WHITE, BLUE, BLUE), "seat 2 shows blue and the display says empty: A card"),
        (SeenLamps(DARK, DARK, BLUE), "seat 1 shows dark and the display says card: A card"),
    ],
)
async def test_a_lamp_that_shows_another_thing_is_named(lamps: SeenLamps, says: str) -> None:
    spots = check(lamps, ROUND)
    await spots.look(3)
    assert (spots.looked, spots.wrong) == (0, [says])


async def test_lamps_that_are_late_and_pictures_that_have_passed_are_none_that_are_wrong() -> None:
    lamps, page, changes = SeenLamps(WHITE, DARK, RED), OnePicture(ROUND), Changes()
    spots = SpotCheck(lamps, page, changes, LATE)
    looking = asyncio.create_task(spots.look(3))
    await asyncio.sleep(0)
    lamps.shown[2] = BLUE
    changes.notify()
    await looking
    assert spots.looked == 1
    lamps.shown[2] = RED
    looking = asyncio.create_task(spots.look(3))
    await asyncio.sleep(0)
    page.display = display()
    changes.notify()
    await looking
    page.display = None
    await spots.look(3)
    assert (spots.looked, spots.wrong) == (1, [])
