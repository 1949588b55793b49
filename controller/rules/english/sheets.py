"""English: what the rule sheets of all games say, and what the house options mean.

What one game alone says stands in its own file.
"""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

SHEETS: Final[Catalogue] = {
    # titles of the parts
    "sheet-table": "The table",
    "sheet-deal": "The deal",
    "sheet-values": "Values of the cards",
    "sheet-first-two-cards": "First two cards",
    "sheet-your-options": "Your options",
    "sheet-your-hand": "Your hand",
    "sheet-dealers-hand": "The {dealer:word}'s hand",
    "sheet-who-wins": "Who wins",
    "sheet-house-options": "House options",
    # the table and the deal
    "sheet-pack": ("{least} to {most} players; {decks:deck|decks} of {each}, {cards:card|cards}."),
    "sheet-cut": "The cut is at {cut} of {cards} cards: {meaning}.",
    "sheet-no-cut": "The pack is shuffled before every round.",
    "sheet-players-are-told": "Players are told of every shuffle.",
    "sheet-burned": "Cards burned, face down: {parts}.",
    "sheet-burned-after-shuffle": "{cards} after a shuffle",
    "sheet-burned-at-change": "{cards} when dealers change",
    "sheet-limits": "{limits}.",
    "sheet-limits-in-currency": "{limits}, in {currency}.",
    "sheet-smallest-chip": "The smallest chip is {chip}: {meaning}.",
    "sheet-wager-is-taken": "A wager is taken if the smallest chip can pay it at {odds}.",
    "sheet-deals-dealer-up": "{dealer:capital}: one card, face up.",
    "sheet-deals-dealer-down": "{dealer:capital}: one card, face down.",
    "sheet-deals-seats-up": "Each {seat:word} in order: one card, face up.",
    "sheet-deals-seats-down": "Each {seat:word} in order: one card, face down.",
    # the sheets of all games together
    "sheet-all-rules": "The rules as they are enforced",
    "sheet-all-made-by": "Made by {command} from the objects that enforce them.",
    "sheet-all-options": "With other house options: {command}.",
    # heads of tables
    "sheet-head-card": "card",
    "sheet-head-counts": "counts",
    "sheet-head-dealer-has": "{dealer:word} has",
    "sheet-head-your-total": "your total",
    "sheet-head-play": "play",
    "sheet-head-your-wager": "your wager",
    "sheet-head-first-two": "your first two cards",
    "sheet-head-dealers-first": "{dealer:word}: {hand}",
    "sheet-head-hand": "hand",
    "sheet-head-option": "option",
    "sheet-head-value": "value",
    "sheet-head-choices": "choices",
    "sheet-head-meaning": "meaning",
    "sheet-head-ruling": "ruling",
    # what cards count
    "sheet-number-of-the-card": "the number of the card",
    "sheet-rank": "{card:rank}",
    "sheet-ranks": "{first:rank} to {last:rank}",
    "sheet-ace-counts": "{high}, or {low} where that would pass {limit}",
    "sheet-two-of-a-rank": "two {card:rank}s",
    "sheet-two-ranks": "{one:rank} and {two:rank}",
    "sheet-and-any-other": "{card:rank} and any other card",
    "sheet-another-hand": "another hand",
    "sheet-first-hand": "{hand}: {cards}.",
    # totals, and how they stand to the dealer's
    "sheet-any": "any",
    "sheet-range": "{kind} {numbers}",
    "sheet-less": "less than {dealer}'s",
    "sheet-equal": "equal to {dealer}'s",
    "sheet-more": "more than {dealer}'s",
    "sheet-kind-stands": "{kind} {how}",
    "sheet-dealer-is-over": "any, {dealer} is over {limit}",
    # what may be done, and how a wager ends
    "sheet-must": "must {action}",
    "sheet-offered": "{action} (offered)",
    "sheet-has-too-many": "has too many",
    "sheet-is-played": "is played",
    "sheet-wins": "wins, paid {odds}",
    "sheet-wins-with-bonus": "wins, paid {odds}, and {bonus} more",
    "sheet-loses": "loses",
    "sheet-pushes": "pushes, the wager is returned",
    "sheet-surrenders": "half the wager is lost",
    "sheet-stand-and-hit": "Stand: the hand is complete. Hit: one more card.",
    "sheet-double": "Double: the same wager once more, one card, and the hand is complete.",
    "sheet-over-loses": "A hand over {limit} loses at once.",
    "sheet-dealer-draws-last": (
        "The dealer draws once every hand is complete, if a wager is left."
    ),
    # house options
    "sheet-options-note": (
        "Amounts are in minor units (cents). What differs from the default is marked."
    ),
    "sheet-default": "{value} (default: {default})",
    "sheet-odds": "odds",
    "sheet-whole-number": "a whole number",
    "sheet-or": "or",
    "option-min-bet": "least wager on a spot",
    "option-max-bet": "largest wager on a spot",
    "option-smallest-chip": "every amount is a whole number of these",
    "option-penetration-cards": (
        "once so many cards are gone, the round in play is the shoe's last"
    ),
    "option-burn-after-shuffle": "cards burned after a shuffle",
    "option-burn-on-dealer-change": "cards burned when dealers change",
    # the house's edge
    "house-edge": "house edge {edge:number} % ({source})",
    "house-edge-unknown": "house edge not computed",
    "house-loses": "THE HOUSE LOSES: the players' edge is {edge:number} % ({source})",
    "no-house-edge": "no house edge ({source})",
    "edge-at-least": "about, or more",
    "edge-of-a-pot": "players play for the pot",
    "edge-exact": "exact, best play, one player, fresh shoe",
    "edge-exact-at": "exact, best play, one player, fresh shoe, {wager} wagered",
}
