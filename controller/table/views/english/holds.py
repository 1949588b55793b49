"""English: holds. Their titles, what to do, what happened, and what settles them."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

HOLDS: Final[Catalogue] = {
    # titles
    "hold-unreadable": "Card not read",
    "hold-burn-unread": "Burn card not read",
    "hold-hidden-unread": "Hidden card not certain",
    "hold-impossible": "This card cannot be",
    "hold-foreign": "Foreign card",
    "hold-early": "Game before time",
    "hold-drawn": "Card drawn in error",
    "hold-overdrawn": "Drawn on a complete hand",
    "hold-unexpected": "A card nobody waited for",
    "hold-twin": "One card or two?",
    "hold-recount": "Recount",
    "hold-revision": "round of another build",
    "hold-out-of-cards": "The shoe is empty",
    "hold-floor": "Floor called",
    "hold-difference": "Corrected: settle the difference",
    "hold-shoe-off": "The shoe does not add up",
    "hold-pack-size": "This pack is not whole",
    "hold-taken-back": "Decision taken back",
    "hold-not-asked": "Card nobody asked for",
    "hold-face-up": "Card face up in the shoe",
    "hold-kept-refused": "Kept card refused",
    "hold-wrong-spot": "Card at a wrong spot",
    "hold-skipped": "Spot left out",
    "hold-misread": "Misread noticed late",
    "hold-exposed": "Hidden card was seen",
    "hold-payout": "Wrong payout noticed",
    "hold-device": "A device fails",
    "hold-damaged": "Foreign or damaged card",
    "hold-misdeal": "Misdeal",
    # what to do
    "advice-unreadable": (
        "Leave the card where it lies. Look at it and enter it, or say that none left the shoe."
    ),
    "advice-burn-unread": "Do not look at it. Put it aside face down; it counts as gone.",
    "advice-hidden-unread": "Do not look at it. Count whether one card went face down, or none.",
    "advice-impossible": (
        "Look at the card. If it was misread, enter it. If it is right, the pack is wrong."
    ),
    "advice-foreign": (
        "Show its back to the floor. If it was put in for a damaged card, it belongs here."
    ),
    "advice-early": (
        "Leave the card face down. It is kept as the next card, put aside, or played out alone."
    ),
    "advice-drawn": (
        "Leave the cards on the felt. Seen by somebody: put it aside. Not seen: it may be kept."
    ),
    "advice-overdrawn": (
        "The dealer's hand counts as it was. Put the further card aside; it counts as gone."
    ),
    "advice-unexpected": (
        "Leave the cards on the felt. Put this card aside face down; it counts as gone."
    ),
    "advice-twin": "Count the cards that left the shoe just now.",
    "advice-recount": (
        "Compare every card on the felt with this display. Enter what is missing, in order."
    ),
    "advice-out-of-cards": (
        "Shuffle the discards and load them; the round goes on. Tell the players."
    ),
    "advice-revision": (
        "Start the build that began this round to finish it, or void it: every bet goes back."
    ),
    "advice-floor": "Wait for the floor. Cards and chips stay where they lie.",
    "advice-difference": (
        "Hands that were settled come to something else. Pay and collect, then confirm."
    ),
    "advice-shoe-off": (
        "Keep all its cards together. The status page lists the rounds since it last did."
    ),
    "advice-pack-size": "Do not deal from it. Count it again, or take another one.",
    "advice-taken-back": "No card has left the shoe since: the player may choose anew.",
    "advice-not-asked": (
        "The last card was drawn for a player who had not asked. Ask whether the player takes it."
    ),
    "advice-face-up": (
        "The last card lay face up in the shoe. Put it aside; the next one takes its place."
    ),
    "advice-kept-refused": (
        "Nobody takes the card that lies ready. Put it aside face down; it counts as gone."
    ),
    "advice-wrong-spot": (
        "No further card left: put it where the display says. Else: correct, or void the round."
    ),
    "advice-skipped": (
        "A spot got no card, the next ones got theirs: its hand is dead and its bet goes back."
    ),
    "advice-misread": (
        "The record shows another card than the felt. Leave the cards; correct the record."
    ),
    "advice-exposed": (
        "Leave it where it lies, face down again. The floor says whether the round goes on."
    ),
    "advice-payout": (
        "Compare the chips with the replay. Put the chips right, or the record, if that is wrong."
    ),
    "advice-device": (
        "Leave the cards. If it works again, the round goes on; else every bet goes back."
    ),
    "advice-damaged": (
        "Show it to the floor. Foreign: the pack is wrong. Damaged: the same card replaces it."
    ),
    "advice-misdeal": "The round cannot be put right. Every bet of it goes back.",
    # what to do, by a profile of procedures
    "advice-must-be-used": (
        "It must be used: keep it as the next card. Refused by all, it is put aside."
    ),
    "advice-overdrawn-burned": "The dealer's hand counts as it was. The further card is burned.",
    "advice-take-or-no-more": (
        "The player may take the card, or gets no more this round: then it is the next."
    ),
    "advice-no-card-dead": (
        "No card at all: the hand is dead. One card: it gets its second after the others."
    ),
    "advice-shuffle-and-cut": (
        "Shuffle and cut the discards and load them; the round goes on. Tell the players."
    ),
    # what settles a hold
    "enter-the-card": "enter the card",
    "no-card-left-the-shoe": "no card left the shoe",
    "put-the-card-aside-face-down": "put the card aside, face down",
    "a-card-lies-face-down": "a card lies face down",
    "one-card": "one card",
    "two-cards": "two cards",
    "cards-agree": "cards agree",
    "discards-shuffled-and-loaded": "discards shuffled and loaded",
    "go-on": "go on",
    "paid-and-collected": "paid and collected",
    "void-the-round": "void the round",
    "void-and-load-a-new-pack": "void, and load a new pack",
    "count-again": "count again",
    "pack-out-of-play": "pack out of play",
    "keep-it-as-the-next-card": "keep it as the next card",
    "play-it-out-without-bets": "play it out without bets",
    "take-it-back": "take it back",
    "put-the-last-card-aside": "put the last card aside",
    "keep-the-last-card-as-the-next": "keep the last card as the next",
    "put-the-kept-card-aside": "put the kept card aside",
    "put-where-the-display-says": "put where the display says",
    "the-hand-is-dead": "the hand is dead",
    "correct-the-record": "correct the record",
    "the-same-card-put-in-its-place": "the same card put in its place",
    "it-stays-as-it-is": "it stays as it is",
    "the-build-that-plays-it-runs": "the build that plays it runs",
    # what happened
    "round-of-another-build": (
        "round {round} was begun by the rules {rules}, which this build does not carry: "
        "build {build} does."
    ),
    "hidden-card-not-certain": "hidden card not certain.",
    "card-is-not-of-this-pack": (
        "this card is not of this pack: its serial number is none of the pack's."
    ),
    "card-has-left-already": "this very card has left already: its serial number is known.",
    "card-left-while-held": "a card left the shoe while the table was held.",
    "kept-card-goes-first": "a card lies ready to be dealt: it goes before those of the shoe.",
    "one-or-two-beside-hidden-card": (
        "without an exit beam the reader cannot tell next to a hidden card."
    ),
    "one-or-two-of-a-kind": (
        "the same card was read twice; without an exit beam the reader cannot tell."
    ),
    "card-not-read": "{doubt:capital}.",
    "card-read-differently": "{doubt:capital}. {readers:;}.",
    "reader-saw": "{reader}: {card:name}",
    "reader-could-not-tell": "{reader}: could not tell",
    "card-left-too-soon": "a card left the shoe, but the table waits: {next:capital}.",
    "card-left-before-asked": "a card left the shoe before {hand} was asked.",
    "kind-is-not-in-pack": "{card:name}: the pack has none.",
    "kind-is-gone": "{card:name}: all {count} of the pack are gone already.",
    "all-cards-are-gone": "all cards of the shoe are gone.",
    "dealer-called-the-floor": "the dealer called the floor.",
    "service-started-again": "the service was started again.",
    "reader-was-lost": "the {device} was lost: cards may have left unseen.",
    "reader-was-away": "the {device} was away: cards may have left unseen.",
    "recount-of-pack": "{why:capital} {cards:card|cards} of the pack had gone through the reader.",
    "recount-of-rest": "{why:capital} {cards:card|cards} of the rest had gone through the reader.",
    "called-about-kept-card": "the card that lies ready.",
    "called-at-the-table": "called at the table.",
    "called-about-decision": "{hand:capital}: {move}.",
    "called-about-last-card": "the last card, {card}.",
    "called-about-round": "round {round}.",
    "bid": "{action} {amount}",
    "round-corrected": "round {round}: {payments}.",
    "round-is-void": "round {round} is void: {payments}.",
    "pay": "pay {who} {amount}",
    "collect": "collect {who} {amount}",
    "give-back": "give {who} back {amount}",
    "give-back-bet": "give {who} back its bet",
    "undo-untracked": "undo {who}, not tracked",
    "device-does-not-answer": "it does not answer",
    "device-not-connected-yet": "the {device} is not connected yet",
}
