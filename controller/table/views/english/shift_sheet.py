"""English: the sheet of a shift, line by line: names, and what stands beside them."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

SHIFT_SHEET: Final[Catalogue] = {
    "shift-sheet": "shift sheet",
    "shift-table": "table",
    "shift-table-is": "{table}, {game}",
    "shift-day": "gaming day",
    "shift-day-closed": "{day}, closed",
    "shift-day-open": "{day}, open",
    "shift-from": "from",
    "shift-to": "to",
    "shift-times": "times",
    "shift-times-of": "of {zone}",
    "shift-rounds": "rounds",
    "shift-void": "{rounds} void",
    "shift-without-bets": "{rounds} without bets",
    "shift-players-net": "players' net",
    "shift-earlier": "for earlier rounds",
    "shift-money": "{amount} {currency}",
    "shift-shoes": "shoes loaded",
    "shift-cards": "cards dealt",
    "shift-holds": "holds, raised and released",
    "shift-alarms": "alarms",
    "shift-pins": "PINs given",
    "shift-entries": "entries by hand",
    "shift-refusals": "refusals",
    "shift-doubts": "reader doubts",
    "shift-devices": "devices failed or back",
    "shift-corrections": "corrections",
    "shift-voids": "voids",
    "shift-asides": "cards put aside or kept",
    "shift-restarts": "starts of the service",
    "shift-wrong-pins": "wrong PINs",
    "shift-lock-outs": "{pins}, {locks} lock-outs",
    "shift-pins-by": "PINs given by",
    "shift-nobody": "nobody",
    "shift-open-holds": "holds open at the end",
    "shift-head": "head",
    "shift-signed-dealer": "dealer: {line}",
    "shift-signed-floor": "floor: {line}",
}
