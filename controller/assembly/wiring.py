"""Reads a configuration and holds it against what a table needs: readers, wiring, calendar, web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.assembly import card_reader as readers
from controller.config.load import Parts, load_config
from controller.config.problems import Problem
from controller.config.sections import Config, DeviceSections
from controller.service.calendar import Calendar, CalendarError
from controller.table.gaming_day import Schedule
from controller.web.settings import address_problems
from drivers.settings import BUTTON_NAMES


def load(path: Path) -> Config:
    """The configuration at `path`, device sections and wiring checked. Raises `ConfigError`."""
    return load_config(path, CHECKS)


def _wiring(parts: Parts) -> Iterator[Problem]:
    """Lights without a seat, pins that are used twice, a hidden card without a beam."""
    leds = parts.devices.leds
    if leds and parts.table and len(leds.spots) != parts.table.seats:
        yield Problem(
            "leds.spots",
            f"{len(leds.spots)} lights for {parts.table.seats} seats:"
            " give one [red, green, blue] for each seat",
        )
    if parts.game is not None and parts.game.hides and "beam" not in parts.named:
        yield Problem(
            "beam",
            f"missing. {parts.game.title} deals cards face down: only an exit beam"
            " tells that one left which was not read",
        )
    used: dict[int, str] = {}
    for where, name, pin in used_pins(parts.devices):
        if pin in used:
            yield Problem(where, f"{name}pin {pin} is already used by {used[pin]}")
        used.setdefault(pin, where)


def _calendar(parts: Parts) -> Iterator[Problem]:
    """A time of day or a zone that there is not."""
    if parts.record is not None:
        try:
            Calendar(Schedule(parts.record.day_ends, parts.record.zone))
        except CalendarError as error:
            key, _, text = str(error).partition(": ")
            yield Problem(f"record.{key}", text)


def _addresses(parts: Parts) -> Iterator[Problem]:
    """Names and origins that are none."""
    if parts.web is not None:
        web = parts.web
        for name, text in address_problems(web.hosts, web.origins, web.frame_ancestors):
            yield Problem(f"web.{name}", text)


#: What a configuration is held against before it may run a table.
CHECKS: Final = (_wiring, readers.problems, _calendar, _addresses)


def used_pins(devices: DeviceSections) -> Iterator[tuple[str, str, int]]:
    """Where each pin stands in the file, whose it is there, and its number."""
    if devices.beam:
        yield "beam.pin", "", devices.beam.pin
    if devices.buzzer:
        yield "buzzer.pin", "", devices.buzzer.pin
    if buttons := devices.buttons:
        for name in BUTTON_NAMES:
            if (pin := getattr(buttons, name)) is not None:
                yield f"buttons.{name}", "", pin
    if leds := devices.leds:
        for seat, spot in enumerate(leds.spots, start=1):
            for pin in spot:
                yield "leds.spots", f"seat {seat}: ", pin
