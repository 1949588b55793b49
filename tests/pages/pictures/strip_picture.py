"""The picture of a strip that lights ten seats of Seven Twenty-Seven, drawn from its bus.

What the real table shows goes through the strip's driver; the colours are what pixels make of the
bytes on the wire by their data sheets, whole scenes at the moment in which every pattern is lit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from controller.table.inputs import CallFloor
from controller.table.views.scene import scene
from drivers.panel.lights.strip import frame
from drivers.settings.panel import StripSettings
from tests.drivers.panel.strip_bus import decoded
from tests.pages.pictures.moments import NAMES, moment, started, ten_vying
from tests.support.pit import Pit, opened

SEATS, PIXELS = 10, 4
_STRIP: Final = StripSettings(spots=SEATS, pixels=PIXELS)
PIXEL, GAP, ROW = 13, 16, 78
_WIDE: Final = GAP + SEATS * (PIXELS * PIXEL + GAP)
_BETS: Final = (1, 2, 4, 5, 7, 8, 10)
_STYLE: Final = """
.ground{fill:#0e1416}.felt{fill:#06281f;stroke:#5d6a5f;stroke-width:2}
text{font-family:"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}
.says{fill:#fbf7ee;font-size:15px;font-weight:600}.seat{fill:#c3cccc;font-size:11px}
"""


def _moments() -> Iterator[Pit]:
    betting = opened(SEATS, "seven-twenty-seven")
    for seat in _BETS:
        betting.bet(seat, 1_000)
    yield betting
    dealing = started("seven-twenty-seven", SEATS, dict.fromkeys(range(1, SEATS + 1), 1_000))
    dealing.deal("2d 3d 4h")
    yield dealing
    yield moment("ten_vying")
    yield moment("ten_show")
    held = ten_vying()
    held.give(CallFloor())
    yield held


def _pixels(lights: tuple[Light, ...]) -> list[tuple[int, ...]]:
    """Green, red and blue of each pixel, as it takes them from the wire."""
    return decoded(frame(_STRIP, [LOOKS[light].colour for light in lights]), 3)


def strip_svg() -> str:
    """The strip at five moments of a round, a row each."""
    rows = [_row(at, pit) for at, pit in enumerate(_moments())]
    high = len(rows) * ROW + GAP
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" width="{_WIDE}"'
        f' height="{high}" role="img" aria-label="Ten seats lit by one strip">'
    )
    return "\n".join(
        [
            opening,
            f"<style>{_STYLE}</style>",
            f'<rect class="ground" width="{_WIDE}" height="{high}" rx="14"/>',
            *rows,
            "</svg>",
            "",
        ]
    )


def _row(at: int, pit: Pit) -> str:
    shown = scene(pit.state, NAMES)
    pixels = _pixels(shown.lights)
    top = at * ROW + GAP
    parts = [f'<text class="says" x="{GAP}" y="{top + 14}">{escape(shown.dealer.headline)}</text>']
    for spot, light in enumerate(shown.lights):
        left = GAP + spot * (PIXELS * PIXEL + GAP)
        wide = PIXELS * PIXEL
        parts.append(
            f'<rect class="felt" x="{left - 3}" y="{top + 22}" width="{wide + 6}"'
            f' height="{PIXEL + 6}" rx="6"/>'
        )
        for nth, (green, red, blue) in enumerate(pixels[spot * PIXELS : (spot + 1) * PIXELS]):
            full = [round(255 * part / _STRIP.brightness) for part in (red, green, blue)]
            colour = "#{:02x}{:02x}{:02x}".format(*(part or 24 for part in full))
            parts.append(
                f'<rect x="{left + nth * PIXEL + 1}" y="{top + 26}" width="{PIXEL - 2}"'
                f' height="{PIXEL - 2}" rx="3" fill="{colour}"/>'
            )
        label = f"{spot + 1} {light.value}"
        parts.append(f'<text class="seat" x="{left - 3}" y="{top + 56}">{escape(label)}</text>')
    return "".join(parts)
