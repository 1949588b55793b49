"""English: what a game and its options are worth, as the page of the odds says it."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

ODDS: Final[Catalogue] = {
    # the house's edge, in one line
    "odds-house-edge": "House edge {edge:number} % of every first wager",
    "odds-house-loses": "THE HOUSE LOSES {edge:number} % of every first wager",
    "odds-no-edge": "No house edge",
    "odds-no-house": "Players play for the pot: there is no house, and no edge.",
    # why there is no sheet
    "odds-are-computed": "The odds are being computed.",
    "odds-not-computed": "The odds were not computed.",
    "odds-not-computed-why": "The odds were not computed: {why}",
    "odds-file-damaged": (
        "The file of the odds cannot be used: {error}. Remove it: it is computed again"
    ),
    # figures
    "odds-rules": "Rules",
    "odds-strategy": "Strategy",
    "odds-best-by-totals": "best play by totals",
    "odds-edge-at": "House edge at a wager of {wager}",
    "odds-per-cent": "{number:number} %",
    "odds-deviation": "Standard deviation of a round",
    "odds-deviation-is": "{number:number} first wagers",
    "odds-deviation-is-about": "about {number:number} first wagers",
    "odds-hands": "Hands a round",
    "odds-number": "{number:number}",
    "odds-basis": "Basis",
    "odds-exact": "exact: one player, fresh shoe, no card put back",
    # how hands end
    "odds-outcome-win": "won",
    "odds-outcome-lose": "lost",
    "odds-outcome-push": "push",
    "odds-outcome-surrender": "surrendered",
    # an option
    "odds-default": "default",
    # rows and columns of a strategy card
    "odds-total": "{word} {points}",
    "odds-pair": "{hand} (pair)",
    "odds-dealer-shows": "up {rank}",
    "odds-asked": "{action}?",
}
