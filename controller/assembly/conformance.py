"""The records of the conformance kit that a configuration names beside the drivers it admits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from calibration.certificate import digest
from controller.config.sections import AdmittedDriver

#: The form of the records that this build reads.
VERSION: Final = 1


class RecordRefused(ValueError):
    """A record that does not speak for the driver; the text says which and why."""


def check(path: Path, name: str, admitted: AdmittedDriver) -> None:
    """Raises `RecordRefused` where the record does not speak for this driver."""
    try:
        _check(_read(path), name, admitted)
    except RecordRefused as error:
        raise RecordRefused(f"conformance: {path} {error}") from None


def _check(told: dict[str, Any], name: str, admitted: AdmittedDriver) -> None:
    if told.get("version") != VERSION:
        raise RecordRefused("is of another form: examine the driver with the kit of this build")
    if told.pop("seal", "") != digest(told):
        raise RecordRefused("was changed after it was written: examine the driver again")
    for key, wanted in (
        ("driver", name), ("package_version", admitted.version), ("digest", admitted.digest),
    ):  # fmt: skip
        if told.get(key) != wanted:
            raise RecordRefused(
                f"is of another driver ({key} is {told.get(key)!r}, not {wanted!r})"
            )
    if told.get("good") is not True:
        raise RecordRefused("does not say that the driver conforms: every contract must be kept")


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordRefused(f"cannot be read ({error})") from None
    if not isinstance(told, dict):
        raise RecordRefused("is no record of the conformance kit")
    return told
