"""The light language as a picture, drawn from the very table that lights the lamps.

The README shows it; a test compares the committed picture with the one drawn here.
"""

from __future__ import annotations

from html import escape
from typing import Final

from controller.devices.lights import LOOKS, Look, Pattern
from controller.devices.scene import Light
from controller.table.views.english import show

COLUMNS: Final = 3
CELL_WIDTH: Final = 316
CELL_HEIGHT: Final = 116
MARGIN: Final = 18
#: How much time the strip under each lamp shows.
STRIP_MS: Final = 3200
STRIP_WIDTH: Final = 196
_OFF: Final = 40
_ON: Final = 255

_STYLE: Final = """
.ground{fill:#0e1416}.spot{fill:#06281f;stroke:#5d6a5f;stroke-width:2}
text{font-family:"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}
.state{fill:#fbf7ee;font-size:17px;font-weight:600}.says{fill:#c3cccc;font-size:14px}
.strip{fill:#27313a}.legend{fill:#93a1a6;font-size:13px}
@media (prefers-reduced-motion:reduce){.lamp{animation:none!important}}
"""


def lights_svg() -> str:
    """Every state of a spot: its lamp as it blinks, its pattern over time, and what it says."""
    rows = -(-(len(LOOKS) + 1) // COLUMNS)
    width = COLUMNS * CELL_WIDTH + 2 * MARGIN
    height = rows * CELL_HEIGHT + 2 * MARGIN
    cells = [_cell(number, light, look) for number, (light, look) in enumerate(LOOKS.items())]
    x, y = _corner(len(LOOKS))
    legend = f"a strip shows {STRIP_MS / 1000:.1f} seconds"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img"'
        ' aria-label="The light language of a bet spot">'
    )
    return "\n".join(
        [
            opening,
            f"<style>{_STYLE}{_keyframes()}</style>",
            f'<rect class="ground" width="{width}" height="{height}" rx="14"/>',
            *cells,
            f'<text class="legend" x="{x + 100}" y="{y + 82}">{legend}</text>',
            "</svg>",
            "",
        ]
    )


def _corner(number: int) -> tuple[int, int]:
    row, column = divmod(number, COLUMNS)
    return MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT


def _keyframes() -> str:
    return "".join(
        f"@keyframes {pattern.name.lower()}{{{_frames(pattern)}}}"
        f".{pattern.name.lower()}{{animation:{pattern.name.lower()} {sum(pattern.value)}ms"
        " step-end infinite}"
        for pattern in Pattern
        if pattern.value
    )


def _frames(pattern: Pattern) -> str:
    spans: tuple[int, ...] = pattern.value
    at, frames = 0, []
    for number, span in enumerate(spans):
        frames.append(f"{100 * at / sum(spans):.2f}%{{opacity:{0 if number % 2 else 1}}}")
        at += span
    return "".join(frames)


def _cell(number: int, light: Light, look: Look) -> str:
    x, y = _corner(number)
    red, green, blue = (_ON if on else _OFF for on in look.colour)
    colour = f"rgb({red},{green},{blue})"
    state, says = escape(light.value), escape(show(look.meaning))
    lamp = (
        f'<g class="lamp {look.pattern.name.lower()}"><circle r="38" fill="{colour}"'
        f' fill-opacity="0.22"/><circle r="27" fill="none" stroke="{colour}" stroke-width="8"/></g>'
        if any(look.colour)
        else ""
    )
    return (
        f'<g transform="translate({x + 48} {y + 56})"><circle class="spot" r="27"/>{lamp}</g>'
        f'<text class="state" x="{x + 100}" y="{y + 38}">{state.capitalize()}</text>'
        f'<text class="says" x="{x + 100}" y="{y + 60}">{says}</text>'
        f"{_strip(x + 100, y + 72, look, colour)}"
    )


def _strip(x: int, y: int, look: Look, colour: str) -> str:
    parts = [f'<rect class="strip" x="{x}" y="{y}" width="{STRIP_WIDTH}" height="9" rx="2"/>']
    at_ms = 0
    while any(look.colour) and at_ms < STRIP_MS:
        on, left = look.pattern.phase(at_ms)
        span = min(left or STRIP_MS, STRIP_MS - at_ms)
        if on:
            start = x + STRIP_WIDTH * at_ms / STRIP_MS
            length = STRIP_WIDTH * span / STRIP_MS
            parts.append(
                f'<rect x="{start:.2f}" y="{y}" width="{length:.2f}" height="9" fill="{colour}"/>'
            )
        at_ms += span
    return "".join(parts)
