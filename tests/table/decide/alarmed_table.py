"""A table with roles whose alarms are looked at: level, sound, who has seen it."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Doubt
from controller.devices.scene import Sound
from controller.rules.messages import message
from controller.table import inputs as i
from controller.table.alarms import Level
from controller.table.facts import (
    AlarmEscalated,
)
from controller.table.irregularities.holds import Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.views.scene import scene
from tests.support.pit import Pit, opened, setup

FLOOR = Person(PersonId("eino"), Role.FLOOR)

BUSY = message("pins-failed", device="leds", detail="busy")


def with_roles() -> Pit:
    """A table with people, bets placed, and nothing wrong."""
    pit = Pit(replace(setup(3), roles=True))
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening"), by=(FLOOR,))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    return pit


def held(*, roles: bool = True) -> Pit:
    """A card was not read, and nobody does anything about it."""
    pit = with_roles() if roles else opened(3)
    if not roles:
        pit.bet(1)
        pit.no_more_bets()
    pit.doubt(Doubt.NO_CODE)
    return pit


def level(pit: Pit) -> Level:
    return pit.state.alarms[0].level


def sound(pit: Pit) -> Sound:
    return scene(pit.state).sound


def acknowledge(pit: Pit, *by: Person, pit_page: bool = False) -> str:
    upto = max(each.number for each in pit.state.alarms)
    return pit.give(i.Acknowledge(upto, pit=pit_page), by=by).refused


def escalations(pit: Pit) -> list[Level]:
    """How far the first alarm went."""
    first = pit.state.alarms[0].number
    return [
        each.level for each in pit.facts if isinstance(each, AlarmEscalated) and each.alarm == first
    ]
