"""English: what the views add: keys, alarms, the shoe, and the notices to players."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

VIEWS: Final[Catalogue] = {
    # the printed procedures
    "profile-house": "house procedure",
    "profile-strict": "house procedure, cards entered and rounds voided by two people",
    "profile-south-dakota": "Deadwood, South Dakota: {source} (blackjack), else house procedure",
    "profile-with-own-rows": "{profile}, with this house's own rows",
    "the-floor": "the floor",
    "two-people": "the floor and a second person",
    "column-what-happens": "what happens",
    "column-what-to-do": "what to do",
    "column-resolutions": "resolutions",
    "column-source": "source",
    "column-id": "id",
    "column-resolution": "resolution",
    "section-noticed": "when something goes wrong: noticed by the table",
    "section-called": "when something goes wrong: called by people",
    "section-resolutions": "resolutions",
    "procedures-of": "procedures: {profile}",
    "procedures-cards-stay": (
        "cards stay where they lie. The table stops, and only these resolutions lift the hold."
    ),
    "procedures-who": (
        "whose word a resolution takes stands in brackets, at a table that knows its people."
    ),
    "source-house": "house procedure",
    "source-damaged-cards": "house procedure, as {rule} has it for damaged cards",
    "source-shuffler": "house procedure, as {rule} have it for a shuffler",
    "source-as-elsewhere": "house procedure, as {rule} has it",
    "source-burns-it-too": "house procedure; {rule} burns it too",
    "source-discards-it-too": "house procedure; {rule} discards it too",
    "source-calls-it-dead-too": "house procedure; {rule} calls the hand dead too",
    "source-shoe-ends": "ruling {ruling}; {rule} goes on in the same way",
    "source-voiding-of-house": "{rule}; voiding: house procedure",
    # sensed bet spots
    "spot-with-chips": "chips",
    "spot-without-chips": "no chips",
    # keys
    "key-kept-card-dealt": "kept card dealt",
    "key-kept-card-burned": "kept card put aside",
    "key-pack-loaded": "pack loaded",
    "key-run-it-through": "run it through",
    "key-cut-made": "cut made",
    "key-cut-elsewhere": "cut elsewhere",
    "key-call-the-floor": "call the floor",
    "key-done": "done",
    "key-message-read": "message read",
    "pit-says": "the pit: {text}",
    "pit-fill-comes": "a fill of {amount} was asked for: it is on its way.",
    "key-bet-placed": "bet placed",
    "key-no-bet": "no bet",
    "key-turned": "turned",
    "key-enter-the-card": "enter the card",
    "key-no-blackjack": "no blackjack",
    "key-blackjack": "blackjack",
    "key-all-went-through": "all went through",
    "key-begin-anew": "begin anew",
    "key-counted-instead": "counted instead",
    "key-run-the-rest-through": "run the rest through",
    "key-another-number": "another number",
    "key-run-them-through": "run them through",
    "section-clocks": "the table's clock",
    "clock-bets": "bets are open for {time}.",
    "clock-last-call": "the last call comes {time} before they close.",
    "clock-card-closes": "the first card of a round closes them too.",
    "clock-decision": "a player has {time} for each decision.",
    "clock-insurance": "a player has {time} for insurance.",
    "clock-no-answer": (
        "for a player who does not answer in time the table takes the first of these that is open: "
        "{actions:or}. It never takes a card, nor a further bet."
    ),
    "clock-waits": "where a player does not answer in time, the table waits for the dealer.",
    "clock-of-table": (
        "what reached the table in time counts. While the table is held the clock stands."
    ),
    "key-open-bets": "open bets",
    "key-no-more-bets": "no more bets",
    "key-repeat-bets": "repeat bets",
    "key-cards-counted": "type the cards left",
    "key-undo": "undo: {what}",
    "undo-card-entered": "card entered",
    "undo-card-face-down": "card face down",
    "undo-two-cards": "two cards",
    "undo-one-card": "one card",
    "undo-no-card": "no card left",
    "undo-card-put-aside": "card put aside",
    "undo-card-kept": "card kept",
    "undo-count": "the count",
    "undo-go-on": "go on",
    "undo-it-stays": "it stays",
    "undo-card-moved": "card moved",
    "undo-paid": "paid, collected",
    "key-cards-are-left": "{left:card is|cards are} left",
    "key-call": "call {amount}",
    "device-is-down": "{device} down",
    "results-are-off": "results are beyond what luck does",
    "pack-may-not-be-whole": "{pack} may not be whole",
    "alarm-acknowledged-by": "seen by {people:and}, not settled yet",
    "alarm-acknowledged": "seen by the floor, not settled yet",
    "alarm-just-raised": "just raised",
    "alarm-heard-by-dealer": "the dealer has heard it",
    "alarm-is-worked-on": "the {who} is called: somebody is at it",
    "alarm-is-unanswered": "the {who} is called: nobody has answered",
    "key-acknowledge": "seen",
    "key-close-day": "close the day",
    "key-quiet": "quiet",
    "bet-not-tracked": "bet, not tracked",
    "shoe-waits-for-a-pack": "waiting for a pack",
    "shoe-to-be-cut": "to be cut",
    "shoe-to-be-burned": "to be burned",
    "shoe-last-round": "last round of the shoe",
    "shoe-in-play": "in play",
    "not-connected-yet": "not connected yet",
    "notice-table-is-stopped": "the table is stopped. Please wait.",
    "notice-shuffling": "the dealer is shuffling.",
    "notice-opening": "the table is being opened.",
    "notice-without-bets": "a round without bets. {notice:capital}.",
    "notice-last-round": "{notice:capital}. Last round before the shuffle.",
    "notice-bonus": "{bonus:capital}! {notice:capital}",
    "notice-pushes": "{hand:capital} pushes",
    "notice-wins": "{hand:capital} wins {amount}",
    "notice-loses": "{hand:capital} loses {amount}",
    "notice-surrenders": "{hand:capital} surrenders and loses half: {amount}",
    # the gaming day
    "day-is-overdue": "gaming day {day} is two hours overdue: close it",
    "day-clock-is-behind": "the clock is behind the record: close gaming day {day} by hand",
    "day-clock-is-not-synchronised": (
        "the clock is not synchronised: close gaming day {day} by hand"
    ),
    "day-clock-jumped": (
        "over 36 hours without a record: check the clock, then close gaming day {day} by hand"
    ),
    # the replay of a round
    "replay-dealt": "{card} to {hand}",
    "replay-dealt-down": "a card, face down, to {hand}",
    "replay-turned": "{hand} shows {card}",
    "replay-blackjack": "{hand} looks: blackjack",
    "replay-no-blackjack": "{hand} looks: no blackjack",
    "replay-decided": "{hand}: {move}",
    "replay-for": "to {action}",
    "replay-no-further-bet": "{hand}: no further bet, chooses anew",
    "replay-further-bet": "{hand}: {amount} more",
    "replay-no-chips": "{hand}: no bet, no chips move",
    "replay-paid": "{hand}: {amount} paid",
    "replay-taken": "{hand}: {amount} taken",
    "replay-stays": "{hand}: {amount} stays",
    "replay-halved": "{hand}: {amount} halved",
    "replay-released": "{hold}: {resolution}",
    # the win of a shift of the rack
    "win-lacks-closer": "the closer of the shift that slip {slip} opened is missing",
    "win-lacks-count": "drop box {box}, taken by slip {slip}, is not counted yet",
    "win-lacks-box": "drop box {box} is still under the table",
    "win-shares-box": (
        "drop box {box}, taken by slip {slip}, served another shift too: add them up together"
    ),
    "win-buy-ins-differ": ("the drop boxes held {drop}, and the buy-ins on slips come to {bought}"),
    "win-lacks-amounts": (
        "{rounds:round was|rounds were} played with bets whose amount nobody entered"
    ),
    "win-lacks-rounds-outside": (
        "{rounds:round|rounds} ended or put right while the rack was closed"
    ),
    # a player at a distance whose name is not known any more
    "player-unnamed": "Player",
}
