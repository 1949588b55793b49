"""English: the words of every message of the table, and how a view makes text of them.

Views call `say` and `show`, which speak the reader's language where there is one (`speaking`).
"""

from __future__ import annotations

import re
from typing import Final

from controller.devices.english import ENGLISH as DEVICES
from controller.rules.english import RULES, write
from controller.rules.messages import Language, Message, Value, Words
from controller.rules.spoken import spoken
from controller.table.views.english.device_failures import DEVICE_FAILURES
from controller.table.views.english.holds import HOLDS
from controller.table.views.english.ledger import LEDGER
from controller.table.views.english.logbook import LOGBOOK
from controller.table.views.english.prompts import PROMPTS
from controller.table.views.english.record import RECORD
from controller.table.views.english.refusals import REFUSALS
from controller.table.views.english.requests import REQUESTS
from controller.table.views.english.shift_sheet import SHIFT_SHEET
from controller.table.views.english.training import TRAINING
from controller.table.views.english.views import VIEWS

#: Devices whose section is no word. A technician's log keeps the section's name.
DEVICE_NAMES: Final = {
    "bet_spots": "bet spot sensors",
    "dmx": "USB DMX lights",
    "i2c_buttons": "I2C buttons",
    "i2c_leds": "I2C lights",
    "oled": "OLED display",
    "pedal": "foot pedal",
    "pole_display": "pole display",
    "sacn": "DMX lights",
    "stream_deck": "Stream Deck",
    "strip": "light strip",
}


def _write(value: Value, spec: str, words: Words) -> str:
    """A value in English, a device by its name; `code` leaves its section as it is."""
    if isinstance(value, str) and spec != "code":
        value = DEVICE_NAMES.get(value, value)
    return write(value, spec, words)


ENGLISH: Final = Language(
    _write,
    RULES,
    DEVICES.catalogue,
    REFUSALS,
    HOLDS,
    PROMPTS,
    LEDGER,
    VIEWS,
    RECORD,
    DEVICE_FAILURES,
    LOGBOOK,
    REQUESTS,
    SHIFT_SHEET,
    TRAINING,
)

_NO_WORDS: Final = Words()
#: What a text begins with that is a name of a house option: `min_bet`.
KEY: Final = re.compile(r"[a-z0-9]+_[a-z]")


def say(said: Message | None, words: Words = _NO_WORDS) -> str:
    """A message as a sentence, its first letter large, in the game's own `words`; None: empty."""
    if said is None:
        return ""
    text = spoken(ENGLISH).say(said, words)
    # A key of the configuration is written as a file has it.
    return text if KEY.match(text) else text[:1].upper() + text[1:]


def show(value: Value, words: Words = _NO_WORDS) -> str:
    """A value as it stands inside a sentence: `10♥`, `25.00`, `seat 3`, `hit`; tuples by commas."""
    if isinstance(value, tuple) and type(value) is tuple:
        return ", ".join(show(each, words) for each in value)
    return spoken(ENGLISH).write(value, "", words)


def say_value(value: Value, words: Words = _NO_WORDS) -> str:
    """A value that stands alone, its first letter large: `Stay low`."""
    text = show(value, words)
    return text[:1].upper() + text[1:]
