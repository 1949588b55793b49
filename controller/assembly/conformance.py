"""The records of the conformance kit that a configuration names beside the drivers it admits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from calibration.certificate import digest
from controller.config.sections import AdmittedDriver
from controller.devices.scene import Light, Sound
from drivers.driver import DriverRole

#: The form of the records that this build reads.
VERSION: Final = 1

_EVERY_DRIVER: Final = frozenset({
    "test_its_package_is_installed_whole_and_names_it_at_the_door",
    "test_its_settings_cannot_be_changed_once_they_are_checked",
    "test_every_setting_has_a_type",
    "test_what_it_needs_of_the_unit_is_named",
    "test_its_device_has_the_name_of_its_section",
})  # fmt: skip
_PRESSED_OR_READ: Final = frozenset({
    "test_it_can_be_opened_and_closed_at_any_time",
    "test_each_thing_is_told_once_and_in_order",
    "test_what_happens_while_it_is_closed_is_not_told_afterwards",
    "test_a_second_program_is_refused_and_the_first_goes_on",
    "test_who_waits_for_it_may_stop_waiting",
    "test_a_lost_device_says_so_and_works_again_when_it_is_back",
})  # fmt: skip
_SENSED: Final = frozenset({
    "test_it_can_be_opened_and_closed_at_any_time",
    "test_every_spot_is_reported_as_it_is_and_each_change_once",
    "test_what_changed_while_it_was_closed_is_reported_as_it_is",
    "test_a_second_program_is_refused_and_the_first_goes_on",
    "test_a_lost_sensor_says_so_and_works_again_when_it_is_back",
})  # fmt: skip
_SHOWN: Final = frozenset({
    "test_it_can_be_opened_and_closed_at_any_time_and_is_dark",
    *(f"test_it_shows_every_scene[{light}]" for light in Light),
    *(f"test_it_takes_every_sound[{sound}]" for sound in Sound),
    "test_the_same_scene_again_changes_nothing",
    "test_the_newest_scene_wins",
    "test_it_is_dark_when_closed_and_shows_the_scene_again_when_opened",
    "test_a_second_program_is_refused_and_the_first_goes_on",
})  # fmt: skip
#: The contracts that a driver has to keep, by its role, as the kit names them.
CONTRACTS: Final[Mapping[DriverRole, frozenset[str]]] = {
    DriverRole.READER: _EVERY_DRIVER | _PRESSED_OR_READ
    | {"test_a_card_is_told_sealed_and_printing_it_tells_nothing"},
    DriverRole.INPUT: _EVERY_DRIVER | _PRESSED_OR_READ,
    DriverRole.OUTPUT: _EVERY_DRIVER | _SHOWN
    | {"test_the_settings_of_an_output_pass_to_the_guard_as_json"},
    DriverRole.DISPLAY: _EVERY_DRIVER | _SHOWN,
    DriverRole.PART: _EVERY_DRIVER,
    DriverRole.SENSOR: _EVERY_DRIVER | _SENSED,
}  # fmt: skip


class RecordRefused(ValueError):
    """A record that does not speak for the driver; the text says which and why."""


def check(path: Path, name: str, admitted: AdmittedDriver) -> None:
    """Raises `RecordRefused` where the record does not speak for this driver."""
    try:
        _check(_read(path), name, admitted)
    except RecordRefused as error:
        raise RecordRefused(f"conformance: {path} {error}") from None


def _check(record: dict[str, Any], name: str, admitted: AdmittedDriver) -> None:
    if record.get("version") != VERSION:
        raise RecordRefused("is of another form: examine the driver with the kit of this build")
    if record.pop("seal", "") != digest(record):
        raise RecordRefused("was changed after it was written: examine the driver again")
    for key, wanted in (
        ("driver", name), ("package_version", admitted.version), ("digest", admitted.digest),
    ):  # fmt: skip
        if record.get(key) != wanted:
            raise RecordRefused(
                f"is of another driver ({key} is {record.get(key)!r}, not {wanted!r})"
            )
    if record.get("good") is not True:
        raise RecordRefused("does not say that the driver conforms: every contract must be kept")
    if missing := _required_contracts(record) - _fulfilled_contracts(record):
        raise RecordRefused(
            f"does not show all that a table asks of its role: every contract must be kept, and"
            f" {min(missing)} was not; examine the driver with the kit of this build"
        )


def _required_contracts(record: dict[str, Any]) -> frozenset[str]:
    for role in DriverRole:
        if record.get("role") == role.name:
            return CONTRACTS[role]
    raise RecordRefused("names no role of a driver: examine the driver with the kit of this build")


def _fulfilled_contracts(record: dict[str, Any]) -> set[str]:
    try:
        return {each["name"] for each in record["contracts"] if each["outcome"] == "kept"}
    except (LookupError, TypeError):
        raise RecordRefused("has no list of contracts: examine the driver again") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordRefused(f"cannot be read ({error})") from None
    if not isinstance(record, dict):
        raise RecordRefused("is no record of the conformance kit")
    return record
