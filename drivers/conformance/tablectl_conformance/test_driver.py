"""What every driver keeps to before a device is opened."""

import dataclasses
import json
from typing import Any

import pytest

from drivers.door import settings_of
from drivers.driver import SystemNeeds

from .subject import Subject


def test_its_package_is_installed_whole_and_names_it_at_the_door(subject: Subject) -> None:
    assert subject.digest, "install the package from a wheel: its files are what a table admits"
    assert subject.named, f"entry point {subject.driver.section} = {subject.name} is missing"


def test_its_settings_cannot_be_changed_once_they_are_checked(subject: Subject) -> None:
    (first, *_) = dataclasses.fields(subject.settings)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(subject.settings, first.name, None)


def test_every_setting_has_a_type(subject: Subject) -> None:
    assert all(each.type for each in dataclasses.fields(subject.settings))


def test_what_it_needs_of_the_unit_is_named(subject: Subject) -> None:
    needs = subject.driver.needs(subject.settings)
    assert isinstance(needs, SystemNeeds)
    # A node elsewhere is the word of who wrote the settings: a link in a folder, a pty at a bench.
    said = {
        str(getattr(subject.settings, each.name)) for each in dataclasses.fields(subject.settings)
    }
    strange = [each for each in needs.device_nodes if not each.startswith("/dev/")]
    assert set(strange) <= said, f"{strange}: it names a node outside /dev that no setting names"


def test_its_device_has_the_name_of_its_section(subject: Subject) -> None:
    device: Any = subject.make()
    assert device.name == subject.driver.section


@pytest.mark.role("OUTPUT")
def test_the_settings_of_an_output_pass_to_the_guard_as_json(subject: Subject) -> None:
    text = json.dumps(dataclasses.asdict(subject.settings))
    assert settings_of(subject.driver, json.loads(text)) == subject.settings
