"""English: why the table does not take an input."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

REFUSALS: Final[Catalogue] = {
    # any input
    "too-many-keys": (
        "{keys} commands came with a key today, more than a table remembers: call the floor, who "
        "closes the gaming day, and look for the program that sends them"
    ),
    "key-is-of-another-command": (
        "this key came with another command before: send each with a key of its own"
    ),
    "table-has-moved-on": "the table has moved on: look at the display and press again",
    "not-now": "not now. {next:capital}",
    "not-now-because": "not now. {next:sentence} {why:capital}",
    "table-is-held": "the table is held. {title:sentence}",
    "needs-the-floor": "needs the floor: name and PIN",
    "dealer-is-not-the-floor": "{person} is a dealer: this needs the floor",
    "needs-a-second-person": "needs a second person too: another name and PIN",
    "needs-the-floor-and-a-second": "needs the floor and a second person: name and PIN of each",
    "no-play-on-trial": "no play yet: {why}",
    "no-round-by-this-software": "no round can begin: {why}",
    "no-card-can-be-read": "no card can be read: {why}",
    "no-such-card": "{card} is not a card: write rank and suit, as in Th",
    "say-how-many-lie-there": "say how many cards lie at that hand",
    "hand-has-cards": (
        "{who} has a card and is not out. Put each card where this display shows it and touch "
        "{placed:key}, or touch {void:key}"
    ),
    "dead-hand-does-not-fit": (
        "{who} cannot be out any more: the cards dealt since then would not fit. Put each card "
        "where this display shows it and touch {placed:key}, or touch {void:key}"
    ),
    "nothing-to-undo": "that cannot be undone any more: something has happened since",
    "say-how-many-cards": "say how many cards you counted",
    "count-every-seat": "count the cards of every seat in play, each once",
    "count-and-type": "count the cards that are left and type the number on the display",
    "more-cards-than-the-pack": (
        "the beam counted more cards than the {cards} of a pack: look whether it is free"
    ),
    # the pit
    "house-keeps-it-at-the-table": (
        "this house allows that at the table alone: [pit] acts of its configuration says so"
    ),
    "pit-author-may-not": "this takes a pit boss, or for what changes no play the floor",
    "pit-command-is-late": (
        "this came {seconds} s too late by the table's clock: look at the table, and ask again"
    ),
    "directory-is-older": ("directory {serial} of people is older than the one in force, {known}"),
    "pit-command-is-old": (
        "the pit has sent newer commands since, {seconds} s after the end of this one: if the clock"
        " was ahead then, do it at the table"
    ),
    "pit-command-of-later": (
        "the pit's clock is {seconds} s ahead of the table's: put the clocks right"
    ),
    "pit-command-lasts-too-long": "a command is valid for {seconds} s at most",
    "table-is-closed": "the table is closed: the pit opens it",
    "table-is-closed-already": "the table is closed already",
    "table-is-open-already": "the table is open",
    "table-closes-without-bets": (
        "bets lie on the table: it is closed once they are taken back, or their round has begun"
    ),
    "options-change-between-rounds": "options change between rounds, while no bets lie",
    "options-are-so-already": "the options are so already",
    "note-is-no-line": "a message is one line that can be read",
    "too-many-notes": "{most} messages wait to be read at the table: no more until one is",
    "no-such-note": "that message is not the oldest one, or has been read",
    # the start of the service
    "round-of-another-setup": (
        "round {round} of {game} is in play under another configuration: start with that one, "
        "finish or void the round, then change it"
    ),
    "bets-of-another-setup": (
        "bets are placed at {game} under another configuration: start with that one, play or take "
        "back the bets, then change it"
    ),
    # bets
    "no-more-bets": "no more bets: the round is in play",
    "bet-came-late": "no more bets: this came {late} ms after they closed",
    "bets-not-open-yet": "bets are not open: the dealer opens them",
    "bets-are-open": "bets are open already",
    "bets-have-no-clock": "bets have no clock at this table: they are open as it is",
    "answer-came-late": "too late: this came {late} ms after the time was over",
    "no-bets-yet": "no bets yet: {next:lower}",
    "no-such-seat": "there is no seat {seat}: this table has seats 1 to {seats}",
    "no-bet-at-seat": "there is no bet at {seat}",
    "no-bets-to-repeat": "there are no bets of the last round to repeat",
    "no-bets-placed": "no bets are placed: place one, or wait",
    "too-few-players": "this game takes {least} players: {players} have put in",
    # seats of a game server
    "not-for-a-player": "this is the house's to ask, and no player's",
    "seat-is-of-another": "{seat} is not that player's",
    "no-clapper-in-a-round": "A round is in play: the clapper flashes between rounds",
    "clapper-runs": "The clapper flashes already",
    "seat-is-taken": "{seat} is taken",
    "seat-is-reserved": "{seat} is reserved already",
    "seat-is-yours-already": "that player has {seat} already",
    "player-sits-elsewhere": "that player has {seat}: leave it first",
    "nobody-plays-there": "nobody plays at {seat}, or has left already",
    "take-the-bet-back-first": "a bet lies at {seat}: take it back, or play the round",
    "connection-is-so-already": "that is known of {seat} already",
    "name-is-no-line": "a name for screens is one line that can be read, 16 letters at most",
    # play
    "choice-not-allowed": "{action:capital} is not allowed: {why}; {allowed:or}",
    "further-bet-was-declined": (
        "{action:capital}: no chips came for it a moment ago, choose something else"
    ),
    "no-card-is-left": "no card is left in the shoe: stay with those that lie there",
    "bet-outside": "{action:capital} {low} to {high}, in chips of {chip} or more",
    "turned-card-was-read-otherwise": (
        "the card was read as another one when it was dealt: call the floor"
    ),
    "turned-kind-is-gone": "{card:name}: all of the pack are gone already: call the floor",
    "turned-card-not-read": "the card was not read when it was dealt: turn it and enter it",
    "entered-kind-is-gone": (
        "{card:name}: all of the pack are gone already. Look again, or call the floor"
    ),
    "game-has-no-cut-card": "this game has no cut card",
    "cut-card-outside-pack": "the cut card goes in after 1 to {most} cards",
    "dealer-is-no-id": "a dealer is named by id: `tablectl person list` shows it",
    "dealers-change-between-rounds": "dealers change between rounds, while bets are open",
    "dealers-take-over-themselves": "whoever takes over gives their own name and PIN, or the floor"
    " names them",
    "one-dealer-takes-over": "one person takes over: give one name and PIN",
    "floor-is-called": "the floor has been called already",
    # cards
    "too-many-holds": "{holds} holds are open already: void the round or load a new pack",
    "card-is-counted-already": "this very card has been counted already; it counts once",
    "card-was-read-twice": "the same card was read twice; it counts once",
    "cut-card-is-known": "that is the cut card, which has been read already; it is not dealt",
    "no-card-lies-ready": "no card lies ready",
    "kept-card-not-yet": "not yet: {next}",
    # the shoe
    "count-or-scan-the-rest": "say how many cards are left, or run them through the reader",
    "house-scans-the-rest": "this house wants the rest run through the reader, card by card",
    "pack-label-one-line": "the label of a pack is a few letters on one line",
    # holds
    "hold-is-not-open": "hold {hold} is not open",
    "resolution-is-not-open": "{title}: choose one of: {lawful}",
    "reason-on-one-line": "a reason is a few words on one line",
    "say-why": "say why, in a few words",
    "say-which-card": "say which card it is",
    "say-whose-hand": "say whose hand it is",
    "say-which-step": "say which step of the round was otherwise: a correction settles this hold",
    "kind-is-not-in-this-pack": "{card:name} is not in this pack",
    "no-card-is-wanted": "the table waits for no card now: put it aside, or void the round",
    # incidents
    "incident-is-noticed-by-the-table": (
        "{title}: the table notices that by itself. Call the floor instead"
    ),
    "incident-cannot-be-called": "{title}: {why}",
    "incident-is-called": "{title}: it has been called already",
    "no-pack-yet": "there is no pack at this table yet",
    "round-not-recalled": "round {round} is void, or too long ago",
    "only-while-in-play": "that is called while the round is in play",
    "decision-stands": "a card has left the shoe since, or nothing was decided: it stands",
    "last-was-no-players-card": (
        "the last thing in this round is not a player's card: call the floor"
    ),
    "last-was-no-card": "the last thing in this round is not a card: call the floor",
    # alarms
    "alarm-acknowledged-or-settled": "it has been seen already, or is settled",
    # chips and slips
    "table-keeps-no-chips": (
        "this table keeps no account of its chips: [chips] of its configuration names them"
    ),
    "one-person-signs-once": "a slip is signed by two people: the same one cannot sign twice",
    "rack-is-open-already": "the rack is open: its closer comes next",
    "rack-is-not-open": "the rack is not open: count its opener first",
    "rack-is-counted-between-rounds": "the rack is counted between rounds: finish the round first",
    "no-such-chip": "there is no chip of {chip} at this table: its chips are {chips}",
    "chip-is-counted-twice": "the chip of {chip} is counted twice: write all its pieces together",
    "chips-of-the-rack-are-smaller": (
        "a smallest chip of {chip} does not divide the chips of the rack"
    ),
    "count-every-chip": "count every chip, 0 where there is none of it: missing {chips:and}",
    "slip-does-not-add-up": "the chips come to {counted}, the slip says {amount}: count again",
    "table-keeps-no-buy-ins": (
        "this house puts no buy-ins on slips: buy_ins under [chips] of the configuration says so"
    ),
    "no-box-for-cash": "no drop box is under the table for the cash: sign for one first",
    "box-name-one-line": "a drop box is named by a few letters on one line",
    "box-is-there-already": "drop box {box} is the one under the table",
    "slip-took-no-box": "slip {slip} took no drop box: see the slips for the one that did",
    "box-is-counted-already": (
        "drop box {box} has been counted, by slip {slip}: make that void first"
    ),
    "say-why-slip-is-void": "say in a few words why the slip does not hold",
    "no-such-slip": "there is no slip {slip}, or it was too long ago",
    "slip-is-void-already": "slip {slip} is void already",
    "slip-is-of-a-closed-rack": (
        "slip {slip} is of a rack that is closed: make its closer void first"
    ),
    "slip-is-built-upon": (
        "slip {slip} stands: it is an opener, or slips or rounds came upon it. What was wrong shows"
        " in the next count"
    ),
    # the gaming day
    "no-gaming-days": "this table has no gaming days",
    "day-closes-between-rounds": (
        "the gaming day is closed between rounds: finish the round first"
    ),
    "day-has-not-begun": (
        "the gaming day {day} has not begun by the calendar: it cannot be closed yet"
    ),
    # corrections
    "say-why-record-is-wrong": "say in a few words why the record is wrong",
    "no-such-card-in-correction": "one of the cards is not a card: write rank and suit, as in Th",
    "no-round-can-be-corrected": "round {round} cannot be corrected: those that can are none",
    "round-cannot-be-corrected": "round {round} cannot be corrected: those that can are {known}",
    "round-would-not-be-over": (
        "round {round} is over, and would not be: correct what comes after it, too"
    ),
    "card-of-round-that-is-over": "round {round} is over: a card of it is not dealt again",
    "no-such-step": "there is no step {step}: the round has {steps}",
    "step-is-no-card": "step {step} is no card",
    "turned-card-stays": "a card that was turned cannot be taken out: replace it",
    "step-of-another-kind": "step {step} can only be replaced by another of its kind",
    "seat-had-no-bet": "{who} had no bet in this round",
    "round-needs-this-hand": "the round cannot go on without this hand: void it",
    "step-is-no-open-card": "step {step} is no card that lies open",
    "say-which-card-or-decision": "say which card it was, or which decision",
    "corrected-kind-is-gone": "{card:name}: all of the pack are gone already",
    "step-no-longer-fits": "then step {step} no longer fits: {why}",
}
