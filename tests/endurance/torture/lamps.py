"""What the lamps have to show, by the words on the dealer display (drivers/panel/README.md)."""

from __future__ import annotations

from typing import Any, Final

from sim_hw.devices.spot_lamps import DARK, LampColour

_COLOURS: Final = {
    "empty": DARK, "bet": LampColour(False, False, True),
    "card": LampColour(True, True, True),
    "choose": LampColour(True, True, False),
    "forced": LampColour(True, False, True),
    "standing": LampColour(False, True, True), "lost": LampColour(True, False, False),
    "won": LampColour(False, True, False), "push": LampColour(False, True, True),
}  # fmt: skip
#: A held table.
RED: Final = LampColour(True, False, False)
_MAGENTA: Final = LampColour(True, False, True)


def colours(scene: Any) -> dict[int, LampColour]:
    """The colour of each spot, by what the dealer display says (drivers/panel/README.md)."""
    seats = range(1, int(scene["seats"]) + 1)
    if scene["holds"]:
        return dict.fromkeys(seats, RED)
    if scene["phase"] not in ("betting", "round"):
        return dict.fromkeys(seats, _MAGENTA)
    found = dict.fromkeys(seats, DARK)
    for hand in scene["hands"]:
        seat = int(hand["seat"])
        if found[seat] == DARK or hand["active"]:
            found[seat] = _COLOURS[hand["light"]]
    return found


def named(spots: dict[int, LampColour]) -> str:
    said = (
        "".join(c if on else "-" for c, on in zip("RGB", each, strict=True))
        for each in spots.values()
    )
    return " ".join(said)
