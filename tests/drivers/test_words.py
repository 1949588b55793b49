"""What devices say has words, and no word is left over."""

from __future__ import annotations

from pathlib import Path

import controller.devices
from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt
from tests.support.message_codes import made_in, problems

DEVICES = Path(str(controller.devices.__file__)).parent
ROOT = DEVICES.parent.parent


def test_every_message_of_a_device_has_words_and_none_is_left_over() -> None:
    made = made_in(
        DEVICES, ROOT / "drivers", ROOT / "calibration", ROOT / "controller" / "web" / "app.py"
    )
    assert len(made) > 40
    assert problems(made, ENGLISH.catalogue) == []


def test_every_doubt_is_a_message_of_its_own() -> None:
    codes = [doubt.value.code for doubt in Doubt]
    assert len(set(codes)) == len(codes)
    assert all(doubt.value.params == () for doubt in Doubt), "a parameter could name a card"
