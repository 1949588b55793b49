"""How the demo's table is wired: the default wiring of drivers/panel/README.md, GPIO numbers."""

from __future__ import annotations

from typing import Final

#: Red, green, blue of each spot.
SPOTS: Final = (
    (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23), (24, 25, 27),
)  # fmt: skip
NEXT, STAND, CALL, BEAM, BUZZER = 2, 3, 4, 5, 26
SEATS_MAX: Final = len(SPOTS)
