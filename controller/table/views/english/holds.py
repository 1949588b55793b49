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
    "hold-early": "Card drawn before the deal",
    "hold-drawn": "Card drawn in error",
    "hold-overdrawn": "Card drawn past a complete hand",
    "hold-unexpected": "Unexpected card",
    "hold-twin": "One card or two?",
    "hold-recount": "Recount",
    "hold-revision": "Round of another build",
    "hold-out-of-cards": "The shoe is empty",
    "hold-floor": "Floor called",
    "hold-difference": "Settle what is owed",
    "hold-shoe-off": "The shoe does not add up",
    "hold-pack-size": "Pack not complete",
    "hold-bets-differ": "Chips and bets differ",
    "hold-late-bet": "Late bet",
    "hold-taken-back": "Decision taken back",
    "hold-not-asked": "Card drawn without a signal",
    "hold-face-up": "Card face up in the shoe",
    "hold-kept-refused": "Kept card refused",
    "hold-wrong-spot": "Card at a wrong hand",
    "hold-skipped": "Hand skipped",
    "hold-misread": "Card misread",
    "hold-exposed": "Hidden card exposed",
    "hold-payout": "Wrong payout",
    "hold-past-posting": "Late bet seen",
    "hold-player-left": "Player has left",
    "hold-device": "Device out of order",
    "hold-damaged": "Foreign or damaged card",
    "hold-misdeal": "Misdeal",
    # what to do
    "advice-unreadable": "Nobody moves it. If no card left the shoe, the floor says so.",
    "advice-kept-was-not-read": "Turn it where it goes.",
    "advice-burn-unread": "Nobody looks at it. It counts as gone.",
    "advice-hidden-unread": "Did one card go face down, or none? Only count.",
    "advice-impossible": "The shoe cannot hold this card: it was misread, or the pack is wrong.",
    "advice-foreign": "If it was put in for a damaged card, it belongs here.",
    "advice-early": "Nobody looks at it. The floor says what becomes of it.",
    "advice-drawn": "The floor says what becomes of it: a card that somebody saw is put aside.",
    "advice-overdrawn": "The hand counts as it was before this card.",
    "advice-unexpected": "Nobody looks at it. The floor says what becomes of it.",
    "advice-twin": "How many cards left the shoe just now?",
    "advice-recount": "People count what lies on the felt; what is missing is put on record.",
    "advice-out-of-cards": "The round goes on with them. Tell the players.",
    "advice-revision": "The floor voids it here, or has the build started that began it.",
    "advice-floor": "Cards and chips stay where they lie.",
    "advice-difference": "Pay and give back what stands here, then confirm it.",
    "advice-shoe-off": (
        "Nothing is mixed or put away. The status page lists the rounds in question."
    ),
    "advice-pack-size": "Count it again, or take another one.",
    "advice-bets-differ": "Go on, and put the bets or the chips right. Or the floor says so.",
    "advice-late-bet": (
        "Chips moved after the bets were closed. They go back as they lay, or the floor decides."
    ),
    "advice-taken-back": "No card has left the shoe since, so the player may choose anew.",
    "advice-not-asked": (
        "The last card was drawn for a player who had not asked for one. Is it taken?"
    ),
    "advice-face-up": "The last card lay face up in the shoe. The floor says what becomes of it.",
    "advice-kept-refused": "Nobody takes the card that lies ready. It counts as gone.",
    "advice-wrong-spot": "The floor moves the card, has the record corrected, or voids the round.",
    "advice-skipped": (
        "A hand got no card and the next ones got theirs. The floor says how it goes on."
    ),
    "advice-misread": "The record shows another card than the felt: the felt is right.",
    "advice-exposed": "The floor says whether the round goes on.",
    "advice-payout": "Chips and record have to agree. Is it the chips, or the record?",
    "advice-past-posting": (
        "Chips came, went or changed after the bets were closed. The floor decides."
    ),
    "advice-player-left": (
        "The bet stays. The house plays the hand on: with a choice it stands, or folds."
    ),
    "advice-device": "If it works again, the round goes on.",
    "advice-damaged": "Foreign: the pack is wrong. Damaged: the same card takes its place.",
    "advice-misdeal": "The floor says whether the round can be put right.",
    "advice-no-cards-come-back": "No cards come back into this shoe. The floor voids the round.",
    "when-it-is-back": "{what:sentence} When it is back: {then:lower}",
    # what hands do first: the large words
    "do-leave-the-card": "leave the card where it lies",
    "do-leave-the-cards": "leave all cards where they lie",
    "do-leave-it-face-down": "leave it face down",
    "do-look-and-enter": "look at it, then enter it",
    "do-look-at-the-card": "look at the card",
    "do-put-it-aside": "put it aside, face down",
    "do-not-look-count": "do not look: count",
    "do-show-its-back": "show its back to the floor",
    "do-show-it-to-the-floor": "show it to the floor",
    "do-count-the-cards": "count the cards",
    "do-wait-for-the-floor": "wait for the floor",
    "do-shuffle-the-discards": "shuffle the discards, load them",
    "do-pay-and-collect": "pay and collect",
    "do-keep-its-cards-together": "keep all its cards together",
    "do-not-deal-from-it": "do not deal from it",
    "do-compare-chips-and-bets": "compare chips and bets",
    "do-leave-the-chips": "leave the chips where they lie",
    "do-ask-the-player": "ask the player",
    "do-ask": "ask {who}",
    "do-compare-the-chips": "compare chips and replay",
    # what to do, by a profile of procedures
    "advice-must-be-used": "It must be used: it is the next card. Refused by all, it is put aside.",
    "advice-overdrawn-burned": "The dealer's hand counts as it was. The further card is burned.",
    "advice-take-or-no-more": (
        "The player takes it, or gets no more this round: then it is the next card."
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
    "count-the-cards-on-the-felt": "count the cards on the felt",
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
    "put-where-the-display-says": "card moved to the right hand",
    "the-hand-is-dead": "dead hand",
    "correct-the-record": "correct the record",
    "the-same-card-put-in-its-place": "same card put in its place",
    "it-stays-as-it-is": "it stays as it is",
    "cards-lie-as-shown": "cards lie as shown",
    "the-build-that-plays-it-runs": "the build that plays it runs",
    "the-chips-lie-as-before": "the chips lie as before",
    "the-bets-are-right": "the bets are right",
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
    "held-card-is-not-of-this-pack": (
        "a card left while the table was held: its serial number is none of the pack's."
    ),
    "held-card-has-left-already": (
        "a card left while the table was held: its serial number has left already."
    ),
    "card-left-while-held": "a card left the shoe while the table was held.",
    "kept-card-goes-first": "a card left the shoe, but one that lies ready is dealt first.",
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
    "kept-card-was-not-read": "the card that lay ready was not read when it left the shoe.",
    "card-left-too-soon": "a card left the shoe, but the table waits: {next:sentence}",
    "card-left-before-asked": "a card left the shoe before {hand} was asked.",
    "kind-is-not-in-pack": "{card:name}: the pack has none.",
    "kind-is-gone": "{card:name}: all {count} of the pack are gone already.",
    "bet-differs": "{place}.",
    "bets-differ-more": "{first}; {more:more spot differs|more spots differ}.",
    "chips-without-bet": "{who:title}: chips lie there, and no bet is entered",
    "bet-without-chips": "{who:title}: a bet is entered, and no chips lie there",
    "bet-of-another-amount": "{who:title}: the chips are worth {chips}, the bet is {bet}",
    "late-bet-placed": "{who:title}: chips were put down after the bets were closed.",
    "late-bet-gone": "{who:title}: the chips were taken away after the bets were closed.",
    "late-bet-changed": "{who:title}: the chips were changed after the bets were closed.",
    "all-cards-are-gone": "all cards of the shoe are gone.",
    "dealer-called-the-floor": "the dealer called the floor.",
    "service-started-again": "the service was started again.",
    "reader-was-lost": "the {device} was lost: cards may have left unseen.",
    "reader-was-away": "the {device} was away: cards may have left unseen.",
    "recount-of-pack": "{why:capital} The pack was being run through the reader.",
    "recount-of-rest": "{why:capital} The rest was being run through the reader.",
    "cards-left-while-away": "{cards:card|cards} left while the {device} was away.",
    "cards-left-while-held": "{cards:card|cards} left while the table was held.",
    "count-the-felt": "Count the cards of all hands on the felt, and type how many.",
    "count-the-felt-and-the-burned": (
        "Count the cards on the felt, with any that was burned meanwhile, and type how many."
    ),
    "count-what-went-through": "Count the cards that went through the reader, and type how many.",
    "count-expected": "{asked:capital} The display shows {shown}.",
    "count-is-right": "{cards:card|cards} counted: that agrees with the display.",
    "count-without-those": (
        "{cards:card|cards} counted, as shown. What became of the {left:card|cards} that left?"
    ),
    "count-differs": (
        "{cards:card|cards} counted, the display shows {shown}. Count {each:word} by {each:word}."
    ),
    "count-differs-between-rounds": "{cards:card|cards} counted, the display shows {shown}.",
    "count-differs-at": "{places:;}.",
    "count-at": "{who:title}: {cards} counted, {shown} shown",
    # what a resolution has done
    "done-enter-card": "the card was entered and lies where the display shows it.",
    "done-counted": "the card counts as gone.",
    "done-card-counted": "the card is counted.",
    "done-not-awaited": "the card is entered; the table did not wait for it.",
    "done-no-card": "no card left the shoe; nothing was counted.",
    "done-set-aside": "one card was put aside, face down. It counts as gone.",
    "done-face-down": "one card lies face down, not read.",
    "done-one": "it was one card, and counts once.",
    "done-two": "it was two cards, and both count.",
    "done-count": "the count agrees with the display.",
    "done-count-open": "{cards:card|cards} counted.",
    "done-refilled": "the discards are in the shoe.",
    "done-release": "the table goes on.",
    "done-squared": "the difference is settled.",
    "done-void": "the round is void: every bet goes back.",
    "done-void-and-gone": (
        "the round is void: every bet goes back. {cards:card counts|cards count} as gone, unseen."
    ),
    "done-new-shoe": "the pack is out of play.",
    "done-count-again": "it is counted again.",
    "done-pack-out": "the pack is out of play.",
    "done-keep": "the card is kept, face down: it is the next card.",
    "done-dummy": "the card is played out without bets.",
    "done-take-back": "the decision is taken back.",
    "done-burn-last": "the last card was put aside, face down. It counts as gone.",
    "done-keep-last": "the last card is kept, face down: it is the next card.",
    "done-burn-kept": "the kept card was put aside, face down. It counts as gone.",
    "done-placed": "the cards lie where the display shows them.",
    "done-dead-hand": "the hand is dead: its bet goes back.",
    "done-correct": "the record is corrected.",
    "done-replaced": "the card belongs to this pack.",
    "done-stands": "it stays as it is.",
    "done-as-shown": "the cards lie as shown.",
    "done-resumed": "the round goes on.",
    "done-chips-back": "the chips lie as they did.",
    "done-bets-right": "the bets stand as they were entered.",
    "called-about-kept-card": "the card that lies ready.",
    "called-at-the-table": "called at the table.",
    "called-about-decision": "{hand:capital}: {move}.",
    "called-about-last-card": "{card} to {hand}.",
    "called-about-round": "round {round}.",
    "bid": "{action} {amount}",
    "round-corrected": "round {round}: {payments}.",
    "round-is-void": "round {round} is void: {payments}.",
    "pay": "pay {who} {amount}",
    "collect": "collect {who} {amount}",
    "give-back": "give {who} back {amount}",
    "give-back-bet": "give {who} back its bet",
    "settle-anew-untracked": "settle {who} anew, not tracked",
    "undo-untracked": "undo {who}, not tracked",
    "device-does-not-answer": "it does not answer",
    "device-not-connected-yet": "the {device} is not connected yet",
}
