"""What the dealer reads of a device that is down: in a dealer's words, with what hands do."""

import pytest

from controller.config.device_sections import DEVICES
from controller.rules.messages import Message, message
from controller.table.queries.device_failures import plain_name, trouble
from controller.table.views.english import say

ABSENT = message("node-absent", path="/dev/x", section="x")
FAILED = message("sacn-failed", address="192.0.2.7", detail="refused")
SILENT = message("scanner-does-not-answer", port="/dev/x", protocol="ssi")
LIGHTS = "The lights do not work. Go by this display."
BUTTONS = "The buttons do not work. Use the keys on this display."
SPOTS = "The sensors of the bet spots do not work. Play goes on. Tell the floor."
CABLE = "The scanner does not answer. Check the scanner's cable."


@pytest.mark.parametrize(
    ("device", "why", "says"),
    [
        ("scanner", ABSENT, CABLE),
        ("scanner", SILENT, CABLE),
        ("leds", FAILED, LIGHTS),
        ("strip", ABSENT, LIGHTS),
        ("i2c_leds", ABSENT, LIGHTS),
        ("sacn", FAILED, LIGHTS),
        ("dmx", ABSENT, LIGHTS),
        ("buttons", FAILED, BUTTONS),
        ("i2c_buttons", ABSENT, BUTTONS),
        ("keypad", ABSENT, "Keypad does not answer. Use the keys on this display."),
        ("pedal", ABSENT, "Foot pedal does not answer. Use the keys on this display."),
        ("stream_deck", FAILED, "Stream Deck does not work. Use the keys on this display."),
        ("pole_display", ABSENT, "Pole display does not work. Play goes on. Tell the floor."),
        ("oled", FAILED, "OLED display does not work. Play goes on. Tell the floor."),
        ("bet_spots", ABSENT, SPOTS),
    ],
)
def test_hands_are_told_what_they_can_do(device: str, why: Message, says: str) -> None:
    assert say(trouble(device, why).sentence) == says


def test_a_device_of_somebody_elses_driver_is_named_in_words() -> None:
    says = "Tower light does not answer. Check tower light's cable."
    assert say(trouble("tower_light", ABSENT).sentence) == says
    assert plain_name("tower_light") == "tower light"


@pytest.mark.parametrize("device", sorted(DEVICES))
def test_no_section_of_the_configuration_stands_on_the_dealers_display(device: str) -> None:
    """`Stream_deck down`: neither the sentence nor the alarm has a name that only a file has."""
    shown = [say(trouble(device, why).sentence) for why in (ABSENT, FAILED, SILENT)]
    shown.append(say(message("device-is-down", device=device)))
    assert not [each for each in shown if "_" in each or "I2c" in each or "sacn" in each.lower()]
