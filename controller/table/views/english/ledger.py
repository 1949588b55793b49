"""English: how the shoes add up, and the early warning about a pack."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

LEDGER: Final[Catalogue] = {
    "shoe-does-not-add-up": "shoe {shoe}: {finding:;}.",
    "pack-does-not-add-up": "{finding:;}.",
    "pack-counted-short": "{counted} cards were counted, not {size}: {missing} missing.",
    "pack-counted-over": "{counted} cards were counted, not {size}: {surplus} too many.",
    "cards-missing": "{cards:card|cards} missing",
    "cards-too-many": "{cards:card|cards} too many",
    "kind-too-many": "{card:name}: {count} too many",
    "kind-missing": "{card:name}: {count} missing",
    "cards-never-read": "{cards:card|cards} never read",
    "cards-never-read-may-be-missing": (
        "{cards:card|cards} never read (missing ones may be among them)"
    ),
    "every-card-is-there": "every card is there, each kind as often as the pack has it",
    "number-agrees": "the number of cards agrees, the kinds are not proven",
    "shoe-finding": "{parts:;}.",
    "pack-kind-too-seldom": (
        "{pack}: {kind:name} comes too seldom: missing, or not read? Over "
        "{shoes:shoe|shoes}. Check it."
    ),
    "pack-kind-too-often": (
        "{pack}: {kind:name} comes too often: doubled? Over {shoes:shoe|shoes}. Check it."
    ),
    "pack-by-label": "pack {label}",
    "pack-without-label": "the pack",
}
