"""Settings that cannot be right are refused with what to choose."""

import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from drivers.settings.checks import PINS
from drivers.settings.panel import (
    DEFAULT_BUZZER,
    DEFAULT_CALL,
    DEFAULT_NEXT,
    DEFAULT_SPOTS,
    DEFAULT_STAND,
    BuzzerSettings,
    LedSettings,
)
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import DEFAULT_BEAM, BeamSettings

PORT = Path("-")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ScannerSettings(PORT, baud=1), "baud is 1: choose 300 to 4000000"),
        (lambda: ScannerSettings(PORT, idle_ms=1), "idle_ms is 1: choose 10 to 1000"),
        (lambda: ScannerSettings(PORT, max_bytes=9_999), "max_bytes is 9999: choose 4 to 1024"),
        (lambda: ScannerSettings(PORT, aim="required", symbologies=()), "symbologies: it is empty"),
        (lambda: ScannerSettings(PORT, symbologies=("C0",)), "one AIM letter for each kind"),
        (lambda: BeamSettings(99), "pin is 99: choose a GPIO of the header"),
        (lambda: BeamSettings(5, glitch_ms=-1), "glitch_ms is -1: choose 0 to 100"),
        (lambda: BeamSettings(5, late_code_ms=5_000), "late_code_ms is 5000"),
        (lambda: BeamSettings(5, stuck_ms=1), "stuck_ms is 1"),
        (lambda: LedSettings(()), "give one [red, green, blue] for each seat"),
        (lambda: LedSettings(((6, 7, 8), (8, 9, 10))), "a pin stands twice"),
        (lambda: LedSettings(((1, 7, 8),)), "spots is 1: choose a GPIO"),
        (lambda: BuzzerSettings(0), "pin is 0: choose a GPIO"),
    ],
)
def test_a_wrong_setting_says_what_to_choose(make: Callable[[], object], says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        make()


def test_the_proposed_wiring_uses_every_pin_of_the_header_once() -> None:
    inputs = (DEFAULT_NEXT, DEFAULT_STAND, DEFAULT_CALL, DEFAULT_BEAM, DEFAULT_BUZZER)
    assert sorted([*chain.from_iterable(DEFAULT_SPOTS), *inputs]) == list(PINS)
