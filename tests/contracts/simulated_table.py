"""The configuration of a table on a pty, a stream and mock pins, for each device in turn."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from controller.rules.cards import Card
from drivers.io.camera.frame_quality import Frame
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import Lens, slide, small
from tests.support.stream import Stream

TABLE = """\
[table]
name = "contracts"
game = "21-24-27"
seats = 5

[record]
folder = "record"

[web]
token_file = "token"

"""

#: What a scanner speaks, by the name under which its contract is looked at; else plain text.
SPEAKS = {
    "scanner with STX and ETX": 'prefix = "\\u0002"\nterminator = "etx"',
    "scanner with prefix and suffix": 'prefix = "<"\nsuffix = ">"\nterminator = "crlf"',
    "scanner that types": 'protocol = "keyboard"',
    "scanner by HID POS": 'protocol = "hid-pos"',
    "scanner by SSI": 'protocol = "ssi"',
    "scanner by SSI and beam": 'protocol = "ssi"\ntrigger = "beam"',
    "scanner GM65": 'protocol = "gm65"',
    "scanner by Newland": 'protocol = "newland"',
    "scanner by Datalogic": 'protocol = "datalogic"',
}

SCANNER = """\
[scanner]
port = "scanner"
{speaks}
"""

#: `fps` is the least that the stream gives on a busy machine: late frames are no matter of these
#: suites, nor is how long one reader waits for the other.
CAMERA = """\
[camera]
source = "{url}"
fps = 5
"""

BOTH = """\
[shoe]
patience_ms = 5000
"""

WHOLE = """\
[leds]
spots = [[6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20]]

[buttons]
next = 2
stand = 3
call = 4

[buzzer]
pin = 26
"""

STRIP = """\
[strip]
device = "{folder}/bus"
spots = 5
pixels = 1
"""

I2C_LEDS = """\
[i2c_leds]
bus = "{folder}/i2c"
addresses = [0x40]
spots = 5
"""

SACN = """\
[sacn]
universe = 7
host = "127.0.0.1"
spots = 5
"""

DMX = """\
[dmx]
port = "{folder}/keys"
spots = 5
"""

I2C_BUTTONS = """\
[i2c_buttons]
bus = "{folder}/i2c"
next = 8
"""

KEYPAD = """\
[keypad]
device = "{folder}/keys"
next = "KPENTER"
"""

PEDAL = """\
[pedal]
device = "{folder}/keys"
next = "B"
"""

BET_SPOTS = """\
[bet_spots]
ports = ["", "{folder}/spot"]
poll_ms = 0
settle_ms = 0
"""

OLED = """\
[oled]
bus = "{folder}/i2c"
"""

STREAM_DECK = """\
[stream_deck]
device = "{folder}/keys"
next = 1
"""

POLE_DISPLAY = """\
[pole_display]
port = "{folder}/keys"
"""

#: Sections that a table has where its contract is looked at.
OWN = {
    "strip": STRIP, "i2c_leds": I2C_LEDS, "sacn": SACN, "dmx": DMX, "i2c_buttons": I2C_BUTTONS,
    "keypad": KEYPAD, "pedal": PEDAL, "bet_spots": BET_SPOTS,
    "pole_display": POLE_DISPLAY, "stream_deck": STREAM_DECK, "oled": OLED,
    "oled on SH1106": OLED + 'chip = "sh1106"\n',
    "strip of SK6812": STRIP + 'order = "grbw"\n',
    "bet_spots by SPI": BET_SPOTS + 'interface = "spi"\n',
    "bet_spots on RC522": BET_SPOTS + 'interface = "spi"\nchip = "rc522"\n',
    "bet_spots by I2C": BET_SPOTS.replace("/spot", "/i2c") + 'interface = "i2c"\n',
    "i2c_leds on MCP23017": I2C_LEDS.replace("0x40", "0x21") + 'chip = "mcp23017"\n',
}  # fmt: skip

BEAM = """\
[beam]
pin = 5
stuck_ms = 30000
"""


def simulated_table(folder: Path, device: str, stream: Stream | None) -> Path:
    """The configuration of a table on a pty, a camera's stream and mock pins, for that device."""
    path = folder / "table.toml"
    speaks = SPEAKS.get(device, "")
    parts = [TABLE, "" if device == "camera" else SCANNER.format(speaks=speaks)]
    if stream is not None:
        stream.show(before_lens(None))
        parts += [CAMERA.format(url=stream.url), BOTH if device == "shoe" else ""]
    beam = BEAM if stream is not None or device.endswith(" beam") else ""
    (folder / "i2c").touch()
    own = OWN.get(device, "").format(folder=folder)
    path.write_text("".join([*parts, WHOLE, beam, own]))
    return path


@cache
def before_lens(kind: Card | None) -> Frame:
    """What the camera sees of a card, or of none."""
    shown = None if kind is None else small(face(DECKS["bristol"], kind))
    return Lens(1).picture(0.0, shown, slide(1, 1), 0.15, None)
