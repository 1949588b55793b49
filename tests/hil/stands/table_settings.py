"""A bench's table: what the simulated people there take from its configuration, and its scanner."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from controller.config.configuration import Config
from controller.rules.games.registry import game
from drivers.shoe.scanners.protocols import again_ns_of
from sim_hw.settings import ReaderKind, Settings, parse_settings
from tests.contracts.simulated_table import SPEAKS
from tests.hil.dealt.rig_camera import DECK
from tests.hil.dealt.table_lights import (
    DMX,
    MCP23017,
    PCA9685,
    PINS,
    SACN,
    STRIP,
    WIRED,
    active_low,
    lights_of,
    spots_of,
)
from tests.hil.dealt.table_scanner import CAMERA, PLAYED, WITH_CAMERA, reader_of
from tests.hil.rig.buses import BUS
from tests.hil.rig.rig_line import KEYS, REPORTS, SERIAL
from tests.hil.rig.wired_chips import LAMPS_AT, PORTS_AT
from tests.hil.stands.simulated import SEATS, UNIVERSE
from tests.hil.ways import BenchWay

#: The simulated people's time, as many times faster.
SPEED: Final = 1_000.0
#: What a scanner says whose section leaves these keys out, and the simulated dealer's.
USUAL_SCANNER: Final = {
    "prefix": "", "suffix": "", "terminator": "cr", "aim": "absent", "codes": "tablectl-1",
}  # fmt: skip
#: The node of one that is not on the serial line, at the simulated table.
NODES: Final = {"keyboard": KEYS, "hid-pos": REPORTS}


#: The least that the loom's stream gives on a busy machine; and how long one reader waits there for
#: the other.
FPS: Final = 5
PATIENCE_MS: Final = 5_000
#: So much longer than it passes is a card stuck, however late a busy machine sees it go; on a rainy
#: day one stays for 3.3 s more.
STUCK_MS: Final = 3_000
#: A card is out of the beam of a real table so long before it would be stuck there.
FREE_MS: Final = 500
#: A frame of a busy machine may come late: before it has, the next card comes to no rest.
CAMERA_GAP_MS: Final = 250


#: The sections of what lights a simulated table; a spot of the strip has several pixels.
LIT: Final = {
    PCA9685: f'[i2c_leds]\nbus = "{{rig}}/i2c"\naddresses = [{LAMPS_AT}]\nspots = {{seats}}\n',
    MCP23017: f"""\
[i2c_leds]
bus = "{{rig}}/i2c"
chip = "mcp23017"
addresses = [{PORTS_AT}]
spots = {{seats}}
""",
    STRIP: f'[strip]\ndevice = "{{rig}}/{BUS}"\nspots = {{seats}}\npixels = 4\n',
    SACN: f'[sacn]\nuniverse = {UNIVERSE}\nhost = "127.0.0.1"\nspots = {{seats}}\n',
    DMX: '[dmx]\nport = "{rig}/dmx"\nspots = {seats}\n',
}


def seats_of(game_name: str, lights: str) -> int:
    """How many seats a simulated table has: four where wires of the rig's are at the lamps; else
    as many as the game may have.
    """
    return SEATS if lights in WIRED else game(game_name).seats.stop - 1


def with_lights(config: str, lights: str, rig: Path, seats: int) -> str:
    """The demo's configuration with that in place of its lamps on pins, at the lines of the rig in
    that folder.
    """
    if lights == PINS:
        return config
    section = LIT[lights].format(rig=rig, seats=seats)
    text, found = re.subn(r"^\[leds\]\nspots = .*\n", section, config, flags=re.MULTILINE)
    assert found == 1, "the demo has lamps on pins"
    return text


def world_settings(
    config: Config, url: str, token: str, seed: int, way: BenchWay, passing_ms: int = 500
) -> Settings:
    """The people, cards and felt for a table that is configured so, dealt and lit in that way.

    A card is before its camera for `passing_ms`, where it has one.
    """
    devices, speaks = config.devices, way.scanner
    lit = lights_of(devices)
    assert lit == way.lights, (
        f"the table's spots are lit by {lit or 'nothing'!r} and the bench's by {way.lights!r}:"
        " change its section of lights or bench.lights"
    )
    assert devices.buttons is not None, "the rig presses buttons: [buttons]"
    scanner, camera, reader = devices.scanner, devices.camera, reader_of(devices)
    assert reader, "the rig deals by a scanner or before a camera: [scanner], [camera]"
    assert reader == speaks, (
        f"the table's scanner speaks {reader!r} and the bench's {speaks!r}: change [scanner],"
        " [camera] or bench.scanners"
    )
    again_ms = 0
    if scanner is not None:
        assert {key: getattr(scanner, key) for key in USUAL_SCANNER} == USUAL_SCANNER, (
            f"the rig's dealer says codes as they are: [scanner] without {', '.join(USUAL_SCANNER)}"
        )
        # An equal card that follows sooner is one without a code.
        again_ms = again_ns_of(scanner) // 1_000_000
    buttons = devices.buttons
    beam = devices.beam
    assert camera is None or beam is not None, "cards pass a camera at the rig's beam: [beam]"
    assert camera is None or beam is None or passing_ms + FREE_MS <= beam.stuck_ms, (
        f"bench.passing_ms is {passing_ms}, and after [beam] stuck_ms {beam.stuck_ms} a card is one"
        " that is stuck: shorten the first or lengthen the second"
    )
    glitch_ms = 4 if beam is None else beam.glitch_ms
    gap_ms = 30 + (0 if beam is None else max(beam.late_code_ms, again_ms))
    kind = ReaderKind.BOTH if scanner and camera else ReaderKind.CAMERA
    return parse_settings(
        {
            "game": config.table.game, "seats": config.table.seats, "seed": seed, "speed": SPEED,
            "rounds": 0, "headless": True, "rundir": ".", "port": 0, "service_url": url,
            "token": token, "options": dict(config.options), "baud": 115_200,
            "protocol": "plain" if scanner is None else scanner.protocol,
            "beam_triggers": scanner is not None and scanner.trigger == "beam",
            "reader": (ReaderKind.SERIAL if camera is None else kind).value,
            "deck": DECK[config.table.index], "index": config.table.index.value,
            "beam_ms": 3 * glitch_ms if camera is None else passing_ms, "settle_ms": glitch_ms,
            "card_gap_ms": gap_ms if camera is None else max(gap_ms, CAMERA_GAP_MS),
            "pins": {
                "spots": list(spots_of(devices)),
                "beam": None if beam is None else beam.pin,
                "buttons": {"next": buttons.next, "stand": buttons.stand, "call": buttons.call},
                "buzzer": None if devices.buzzer is None else devices.buzzer.pin,
                "leds_active_low": active_low(devices),
                "debounce_ms": buttons.debounce_ms,
            },
        }
    )  # fmt: skip


def reads_by(speaks: str) -> str:
    """What a demo is to be read by, for that name of `bench.scanners`."""
    return {CAMERA: "camera", WITH_CAMERA: "both"}.get(speaks, "serial")


def with_reader(config: str, speaks: str, folder: Path, source: str, passing_ms: int) -> str:
    """The demo's configuration with a scanner that speaks so, at the rig's lines in that folder,
    and a camera that looks at `source`, which each card passes for `passing_ms`.
    """
    text = re.sub('^source = ".*"$', f'source = "{source}"', config, flags=re.MULTILINE)
    text = re.sub(r"^fps = \d+$", f"fps = {FPS}", text, flags=re.MULTILINE)
    if reads_by(speaks) != "serial":
        text = text.replace("[beam]", f"[beam]\nstuck_ms = {passing_ms + STUCK_MS}")
    if speaks == CAMERA:
        return f"{text}\n"
    port = folder / NODES.get(speaks, SERIAL)
    kept = (row for row in text.splitlines() if not (speaks in NODES and row.startswith("baud")))
    text = "\n".join(kept).replace('"scanner"', f'"{port}"')
    if speaks == WITH_CAMERA:
        text += f"\n[shoe]\npatience_ms = {PATIENCE_MS}"
    return text.replace("[scanner]", f"[scanner]\n{SPEAKS.get(PLAYED[speaks], '')}", 1) + "\n"
