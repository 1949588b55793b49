"""The sections of the simulated table, for each device that a rig can be the hands of."""

from __future__ import annotations

from controller.commands.demo.wiring import BEAM, BUZZER, CALL, NEXT, SPOTS, STAND
from tests.contracts.simulated_table import SPEAKS
from tests.hil.rig.rig_line import (
    AROUND,
    BY_BEAM,
    HID_POS,
    RC522,
    RGBW,
    SCANNERS,
    SH1106,
    SPOT_BUSES,
    TYPES,
)
from tests.hil.rig.wired_chips import BUTTONS_AT, LAMPS_AT, NEXT_PIN, ON_PORTS, PORTS_AT
from tests.hil.stands.simulated import SEATS, UNIVERSE

TABLE = f"""\
[table]
name = "contracts"
game = "21-24-27"
seats = {SEATS}
[record]
folder = "record"
[web]
token_file = "token"
[leds]
spots = {[list(spot) for spot in SPOTS[:SEATS]]}
[buttons]
next = {NEXT}
stand = {STAND}
call = {CALL}
[buzzer]
pin = {BUZZER}
"""
SCANNER = """\
[scanner]
port = "{folder}/scanner"
baud = 115200
"""
BEAM_SECTION = f"""\
[beam]
pin = {BEAM}
stuck_ms = 30000
"""
CAMERA = """\
[camera]
source = "{url}"
fps = 5
"""
BOTH = """\
[shoe]
patience_ms = 5000
"""
#: Where the rig's line is another device's.
NO_SCANNER = """\
[scanner]
port = "{folder}/no-scanner"
"""
POLE_DISPLAY = """\
[pole_display]
port = "{folder}/scanner"
"""
BET_SPOTS = """\
[bet_spots]
ports = ["", "{folder}/scanner"]
poll_ms = 0
settle_ms = 0
"""
SPOTS_ON_A_BUS = """\
[bet_spots]
ports = ["", "{{folder}}/i2c"]
interface = "{interface}"
poll_ms = 0
settle_ms = 0
"""
TYPING = """\
[scanner]
port = "{folder}/keys"
protocol = "keyboard"
"""
REPORTING = """\
[scanner]
port = "{folder}/reports"
protocol = "hid-pos"
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
I2C_BUTTONS = f"""\
[i2c_buttons]
bus = "{{folder}}/i2c"
address = {BUTTONS_AT}
next = {NEXT_PIN}
"""
I2C_LEDS = f"""\
[i2c_leds]
bus = "{{folder}}/i2c"
addresses = [{LAMPS_AT}]
spots = {SEATS}
"""
STREAM_DECK = """\
[stream_deck]
device = "{folder}/deck"
next = 1
"""
STRIP = f"""\
[strip]
device = "{{folder}}/strip-bus"
spots = {SEATS}
pixels = 1
"""
OLED = """\
[oled]
bus = "{folder}/i2c"
"""
SACN = f"""\
[sacn]
universe = {UNIVERSE}
host = "127.0.0.1"
spots = {SEATS}
"""
DMX = f"""\
[dmx]
port = "{{folder}}/scanner"
spots = {SEATS}
"""
#: What the simulated table has, for each device on a line that the rig can be the hands of.
ON_THE_LINE = {
    "scanner": SCANNER,
    "scanner with beam": SCANNER + BEAM_SECTION,
    "camera": CAMERA + BEAM_SECTION,
    "shoe": SCANNER + CAMERA + BEAM_SECTION + BOTH,
    **{name: f"{SCANNER}{SPEAKS[name]}\n" for name in (*SCANNERS, *AROUND)},
    BY_BEAM: f"{SCANNER}{SPEAKS[BY_BEAM]}\n{BEAM_SECTION}",
    "pole_display": NO_SCANNER + POLE_DISPLAY,
    "bet_spots": NO_SCANNER + BET_SPOTS,
    **{
        name: NO_SCANNER + SPOTS_ON_A_BUS.format(interface=interface)
        for name, interface in SPOT_BUSES.items()
    },
    RC522: NO_SCANNER + SPOTS_ON_A_BUS.format(interface="spi") + 'chip = "rc522"\n',
    TYPES: TYPING,
    HID_POS: REPORTING,
    "keypad": SCANNER + KEYPAD,
    "pedal": SCANNER + PEDAL,
    "i2c_buttons": SCANNER + I2C_BUTTONS,
    "i2c_leds": SCANNER + I2C_LEDS,
    ON_PORTS: f'{SCANNER}{I2C_LEDS.replace(str(LAMPS_AT), str(PORTS_AT))}chip = "mcp23017"\n',
    "stream_deck": SCANNER + STREAM_DECK,
    "strip": SCANNER + STRIP,
    RGBW: f'{SCANNER}{STRIP}order = "grbw"\n',
    "oled": SCANNER + OLED,
    SH1106: f'{SCANNER}{OLED}chip = "sh1106"\n',
    "sacn": SCANNER + SACN,
    "dmx": NO_SCANNER + DMX,
}
#: Those that answer, or show what they were sent.
ANSWERS = (
    *SCANNERS, *SPOT_BUSES, "pole_display", "bet_spots", "stream_deck", "strip", RGBW, "oled",
    SH1106, "sacn", "dmx",
)  # fmt: skip
