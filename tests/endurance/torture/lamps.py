"""What the lamps have to show, by the words on the dealer display (drivers/README.md)."""

from __future__ import annotations

from typing import Any, Final

from sim_hw.devices.pin_world import DARK, Colour

_COLOURS: Final = {
    "empty": DARK, "bet placed": Colour(False, False, True), "next card here": Colour(*(True,) * 3),
    "to decide": Colour(True, True, False),
    "forced: card here, do not ask": Colour(True, False, True),
    "standing": Colour(False, True, True), "lost": Colour(True, False, False),
    "won": Colour(False, True, False), "push": Colour(False, True, True),
}  # fmt: skip
#: A held table.
RED: Final = Colour(True, False, False)
_MAGENTA: Final = Colour(True, False, True)


def colours(scene: Any) -> dict[int, Colour]:
    """The colour of each spot, by what the dealer display says in words (drivers/README.md)."""
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


def named(spots: dict[int, Colour]) -> str:
    said = (
        "".join(c if on else "-" for c, on in zip("RGB", each, strict=True))
        for each in spots.values()
    )
    return " ".join(said)
