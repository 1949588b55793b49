"""The table of irregularities: what goes wrong at tables, and what is then done by this house.

One row each: the field's name for it, what the dealer reads, the lawful resolutions, likeliest
first, with who may choose them, and where that comes from. Profiles (`procedures`) change rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Needs

DEALER, FLOOR, TWO = Needs


class Kind(NamedTuple):
    """A row of the table: title, what to do, resolutions with who may choose them, and source.

    `called`: only people notice it, and call it; else the table notices it by itself.
    """

    title: str
    advice: str
    who: Mapping[Resolution, Needs]
    source: str = "House procedure"
    called: bool = False

    @property
    def resolutions(self) -> tuple[Resolution, ...]:
        """The resolutions, likeliest first."""
        return tuple(self.who)


#: What the table notices by itself.
_NOTICED: Final[dict[Reason, Kind]] = {
    Reason.UNREADABLE: Kind(
        "Card not read",
        "Leave the card where it lies. Look at it and enter it, or say that none left the shoe.",
        {
            Resolution.ENTER_CARD: DEALER,
            Resolution.FACE_DOWN: DEALER,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.BURN_UNREAD: Kind(
        "Burn card not read",
        "Do not look at it. Put it aside face down; it counts as gone.",
        {Resolution.SET_ASIDE: DEALER, Resolution.NO_CARD: FLOOR},
    ),
    Reason.HIDDEN_UNREAD: Kind(
        "Hidden card not certain",
        "Do not look at it. Count whether one card went face down, or none.",
        {Resolution.FACE_DOWN: DEALER, Resolution.NO_CARD: FLOOR, Resolution.VOID: FLOOR},
    ),
    Reason.IMPOSSIBLE: Kind(
        "This card cannot be",
        "Look at the card. If it was misread, enter it. If it is right, the pack is wrong.",
        {Resolution.ENTER_CARD: FLOOR, Resolution.FACE_DOWN: DEALER, Resolution.NEW_SHOE: TWO},
    ),
    Reason.FOREIGN: Kind(
        "Foreign card",
        "Show its back to the floor. If it was put in for a damaged card, it belongs here.",
        {
            Resolution.NO_CARD: FLOOR,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.ENTER_CARD: FLOOR,
            Resolution.FACE_DOWN: FLOOR,
            Resolution.REPLACED: TWO,
            Resolution.NEW_SHOE: TWO,
        },
        "House procedure, as NSW mini baccarat rule 12.3 has it for damaged cards",
    ),
    Reason.EARLY: Kind(
        "Game before time",
        "Leave the card face down. It is kept as the next card, put aside, or played out alone.",
        {
            Resolution.KEEP: FLOOR,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.DUMMY: FLOOR,
            Resolution.NO_CARD: FLOOR,
        },
    ),
    Reason.DRAWN: Kind(
        "Card drawn in error",
        "Leave the cards on the felt. Seen by somebody: put it aside. Not seen: it may be kept.",
        {
            Resolution.SET_ASIDE: FLOOR,
            Resolution.KEEP: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.OVERDRAWN: Kind(
        "Drawn on a complete hand",
        "The dealer's hand counts as it was. Put the further card aside; it counts as gone.",
        {
            Resolution.SET_ASIDE: FLOOR,
            Resolution.KEEP: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
        "House procedure; S.D. Admin. R. 20:18:15:28 burns it too",
    ),
    Reason.UNEXPECTED: Kind(
        "A card nobody waited for",
        "Leave the cards on the felt. Put this card aside face down; it counts as gone.",
        {
            Resolution.SET_ASIDE: FLOOR,
            Resolution.KEEP: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.TWIN: Kind(
        "One card or two?",
        "Count the cards that left the shoe just now.",
        {Resolution.ONE: DEALER, Resolution.TWO: DEALER},
    ),
    Reason.RECOUNT: Kind(
        "Recount",
        "Compare every card on the felt with this display. Enter what is missing, in order.",
        {
            Resolution.AGREES: FLOOR,
            Resolution.ENTER_CARD: DEALER,
            Resolution.FACE_DOWN: DEALER,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.OUT_OF_CARDS: Kind(
        "The shoe is empty",
        "Shuffle the discards and load them; the round goes on. Tell the players.",
        {Resolution.REFILLED: DEALER, Resolution.VOID: FLOOR},
        "Ruling F27-A16; S.D. Admin. R. 20:18:15:28 goes on in the same way",
    ),
    Reason.FLOOR: Kind(
        "Floor called",
        "Wait for the floor. Cards and chips stay where they lie.",
        {
            Resolution.RELEASE: FLOOR,
            Resolution.ENTER_CARD: FLOOR,
            Resolution.FACE_DOWN: FLOOR,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.DIFFERENCE: Kind(
        "Corrected: settle the difference",
        "Hands that were settled come to something else. Pay and collect, then confirm.",
        {Resolution.SQUARED: FLOOR},
    ),
    Reason.SHOE_OFF: Kind(
        "The shoe does not add up",
        "Keep all its cards together. The status page lists the rounds since it last did.",
        {Resolution.COUNT_AGAIN: FLOOR, Resolution.PACK_OUT: FLOOR},
    ),
    Reason.PACK_SIZE: Kind(
        "This pack is not whole",
        "Do not deal from it. Count it again, or take another one.",
        {Resolution.COUNT_AGAIN: FLOOR, Resolution.PACK_OUT: FLOOR},
    ),
}

#: What only people notice: they say which, and the table stops.
_CALLED: Final[dict[Reason, Kind]] = {
    Reason.TAKEN_BACK: Kind(
        "Decision taken back",
        "No card has left the shoe since: the player may choose anew.",
        {Resolution.TAKE_BACK: DEALER, Resolution.STANDS: DEALER},
        called=True,
    ),
    Reason.NOT_ASKED: Kind(
        "Card nobody asked for",
        "The last card was drawn for a player who had not asked. Ask whether the player takes it.",
        {
            Resolution.BURN_LAST: FLOOR,
            Resolution.KEEP_LAST: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        called=True,
    ),
    Reason.FACE_UP: Kind(
        "Card face up in the shoe",
        "The last card lay face up in the shoe. Put it aside; the next one takes its place.",
        {Resolution.BURN_LAST: FLOOR, Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        "House procedure; S.D. Admin. R. 20:18:15:28 discards it too",
        called=True,
    ),
    Reason.KEPT_REFUSED: Kind(
        "Kept card refused",
        "Nobody takes the card that lies ready. Put it aside face down; it counts as gone.",
        {Resolution.BURN_KEPT: FLOOR, Resolution.STANDS: FLOOR},
        called=True,
    ),
    Reason.WRONG_SPOT: Kind(
        "Card at a wrong spot",
        "No further card left: put it where the display says. Else: correct, or void the round.",
        {Resolution.PLACED: FLOOR, Resolution.CORRECT: FLOOR, Resolution.VOID: FLOOR},
        "House procedure, as Queensland Casino Gaming Rule 2010 (V4B, p. 340, s 32) has it",
        called=True,
    ),
    Reason.SKIPPED: Kind(
        "Spot left out",
        "A spot got no card, the next ones got theirs: its hand is dead and its bet goes back.",
        {Resolution.DEAD_HAND: FLOOR, Resolution.PLACED: FLOOR, Resolution.VOID: FLOOR},
        "House procedure; S.D. Admin. R. 20:18:15:28 calls the hand dead too",
        called=True,
    ),
    Reason.MISREAD: Kind(
        "Misread noticed late",
        "The record shows another card than the felt. Leave the cards; correct the record.",
        {Resolution.CORRECT: FLOOR, Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        called=True,
    ),
    Reason.EXPOSED: Kind(
        "Hidden card was seen",
        "Leave it where it lies, face down again. The floor says whether the round goes on.",
        {Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        called=True,
    ),
    Reason.PAYOUT: Kind(
        "Wrong payout noticed",
        "Compare the chips with the replay. Put the chips right, or the record, if that is wrong.",
        {
            Resolution.SQUARED: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        called=True,
    ),
    Reason.DEVICE: Kind(
        "A device fails",
        "Leave the cards. If it works again, the round goes on; else every bet goes back.",
        {Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        "House procedure, as NSW mini baccarat rules 12.2 and 12.4 have it for a shuffler",
        called=True,
    ),
    Reason.DAMAGED: Kind(
        "Foreign or damaged card",
        "Show it to the floor. Foreign: the pack is wrong. Damaged: the same card replaces it.",
        {Resolution.NEW_SHOE: TWO, Resolution.REPLACED: TWO, Resolution.STANDS: FLOOR},
        "House procedure, as NSW mini baccarat rule 12.3 has it for damaged cards",
        called=True,
    ),
    Reason.MISDEAL: Kind(
        "Misdeal",
        "The round cannot be put right. Every bet of it goes back.",
        {Resolution.VOID: FLOOR, Resolution.CORRECT: FLOOR, Resolution.STANDS: FLOOR},
        called=True,
    ),
}

#: The table by this house's procedures.
IRREGULARITIES: Final[dict[Reason, Kind]] = {**_NOTICED, **_CALLED}
