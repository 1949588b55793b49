"""A bench's table: what the simulated people there take from its configuration, and its scanner."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from controller.config.configuration import Config
from drivers.shoe.scanners.protocols import again_ns_of
from sim_hw.settings import Settings, parse_settings
from tests.contracts.simulated_table import SPEAKS
from tests.hil.dealt.table_scanner import PLAYED, kind_of
from tests.hil.rig.rig_line import KEYS, REPORTS, SERIAL

#: The simulated people's time, as many times faster.
SPEED: Final = 1_000.0
#: What a scanner says whose section leaves these keys out, and the simulated dealer's.
USUAL_SCANNER: Final = {
    "prefix": "", "suffix": "", "terminator": "cr", "aim": "absent", "codes": "tablectl-1",
}  # fmt: skip
#: The node of one that is not on the serial line, at the simulated table.
NODES: Final = {"keyboard": KEYS, "hid-pos": REPORTS}


def world_settings(
    config: Config, url: str, token: str, seed: int, speaks: str = "plain"
) -> Settings:
    """The people, cards and felt for a table that is configured so, whose scanner speaks so."""
    devices = config.devices
    assert devices.leds is not None, "the rig senses lamps on pins: [leds]"
    assert devices.buttons is not None, "the rig presses buttons: [buttons]"
    scanner = devices.scanner
    assert scanner is not None, "the rig deals by a scanner: [scanner]"
    assert kind_of(scanner) == speaks, (
        f"the table's scanner speaks {kind_of(scanner)!r} and the bench's {speaks!r}: change"
        " [scanner] or bench.scanners"
    )
    assert {key: getattr(scanner, key) for key in USUAL_SCANNER} == USUAL_SCANNER, (
        f"the rig's dealer says codes as they are: [scanner] without {', '.join(USUAL_SCANNER)}"
    )
    buttons = devices.buttons
    beam = devices.beam
    # An equal card that follows sooner is one without a code.
    again_ms = again_ns_of(scanner) // 1_000_000
    glitch_ms = 4 if beam is None else beam.glitch_ms
    return parse_settings(
        {
            "game": config.table.game, "seats": config.table.seats, "seed": seed, "speed": SPEED,
            "rounds": 0, "headless": True, "rundir": ".", "port": 0, "service_url": url,
            "token": token, "options": dict(config.options), "baud": 115_200,
            "protocol": scanner.protocol, "beam_triggers": scanner.trigger == "beam",
            "beam_ms": 3 * glitch_ms, "settle_ms": glitch_ms,
            "card_gap_ms": 30 + (0 if beam is None else max(beam.late_code_ms, again_ms)),
            "pins": {
                "spots": list(devices.leds.spots),
                "beam": None if beam is None else beam.pin,
                "buttons": {"next": buttons.next, "stand": buttons.stand, "call": buttons.call},
                "buzzer": None if devices.buzzer is None else devices.buzzer.pin,
                "leds_active_low": devices.leds.active_low,
                "debounce_ms": buttons.debounce_ms,
            },
        }
    )  # fmt: skip


def with_scanner(config: str, speaks: str, folder: Path) -> str:
    """The demo's configuration with a scanner that speaks so, at the rig's lines in that folder."""
    port = folder / NODES.get(speaks, SERIAL)
    kept = (row for row in config.splitlines() if not (speaks in NODES and row.startswith("baud")))
    text = "\n".join(kept).replace('"scanner"', f'"{port}"')
    return text.replace("[scanner]", f"[scanner]\n{SPEAKS.get(PLAYED[speaks], '')}", 1) + "\n"
