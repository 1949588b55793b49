"""The table of irregularities: what goes wrong at tables, and what is then done by this house.

One row each: the field's name for it, what the dealer reads, the lawful ways on, likeliest first,
with who may choose them, and where that comes from. Profiles (`procedures`) change rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from controller.table.irregularities.holds import Reason, Way
from controller.table.roles import Needs

DEALER, FLOOR, TWO = Needs


class Kind(NamedTuple):
    """A row of the table: its title, what to do, its ways on with who may choose them, its source.

    `called`: only people notice it, and call it; else the table notices it by itself.
    """

    title: str
    advice: str
    who: Mapping[Way, Needs]
    source: str = "House procedure"
    called: bool = False

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways on, likeliest first."""
        return tuple(self.who)


#: What the table notices by itself.
_NOTICED: Final[dict[Reason, Kind]] = {
    Reason.UNREADABLE: Kind(
        "Card not read",
        "Leave the card where it lies. Look at it and enter it, or say that none left the shoe.",
        {
            Way.ENTER_CARD: DEALER, Way.FACE_DOWN: DEALER, Way.NO_CARD: FLOOR, Way.VOID: FLOOR,
        },
    ),
    Reason.BURN_UNREAD: Kind(
        "Burn card not read",
        "Do not look at it. Put it aside face down; it counts as gone.",
        {Way.SET_ASIDE: DEALER, Way.NO_CARD: FLOOR},
    ),
    Reason.HIDDEN_UNREAD: Kind(
        "Hidden card not certain",
        "Do not look at it. Count whether one card went face down, or none.",
        {Way.FACE_DOWN: DEALER, Way.NO_CARD: FLOOR, Way.VOID: FLOOR},
    ),
    Reason.IMPOSSIBLE: Kind(
        "This card cannot be",
        "Look at the card. If it was misread, enter it. If it is right, the pack is wrong.",
        {Way.ENTER_CARD: FLOOR, Way.FACE_DOWN: DEALER, Way.NEW_SHOE: TWO},
    ),
    Reason.STRAY: Kind(
        "Foreign card",
        "Show its back to the floor. If it was put in for a damaged card, it belongs here.",
        {
            Way.NO_CARD: FLOOR, Way.SET_ASIDE: FLOOR, Way.ENTER_CARD: FLOOR, Way.FACE_DOWN: FLOOR,
            Way.REPLACED: TWO, Way.NEW_SHOE: TWO,
        },
        "House procedure, as NSW mini baccarat rule 12.3 has it for damaged cards",
    ),
    Reason.EARLY: Kind(
        "Game before time",
        "Leave the card face down. It is kept as the next card, put aside, or played out alone.",
        {Way.KEEP: FLOOR, Way.SET_ASIDE: FLOOR, Way.DUMMY: FLOOR, Way.NO_CARD: FLOOR},
    ),
    Reason.DRAWN: Kind(
        "Card drawn in error",
        "Leave the cards on the felt. Seen by somebody: put it aside. Not seen: it may be kept.",
        {Way.SET_ASIDE: FLOOR, Way.KEEP: FLOOR, Way.NO_CARD: FLOOR, Way.VOID: FLOOR},
    ),
    Reason.OVERDRAWN: Kind(
        "Drawn on a complete hand",
        "The dealer's hand counts as it was. Put the further card aside; it counts as gone.",
        {Way.SET_ASIDE: FLOOR, Way.KEEP: FLOOR, Way.NO_CARD: FLOOR, Way.VOID: FLOOR},
        "House procedure; S.D. Admin. R. 20:18:15:28 burns it too",
    ),
    Reason.UNEXPECTED: Kind(
        "A card nobody waited for",
        "Leave the cards on the felt. Put this card aside face down; it counts as gone.",
        {Way.SET_ASIDE: FLOOR, Way.KEEP: FLOOR, Way.NO_CARD: FLOOR, Way.VOID: FLOOR},
    ),
    Reason.TWIN: Kind(
        "One card or two?",
        "Count the cards that left the shoe just now.",
        {Way.ONE: DEALER, Way.TWO: DEALER},
    ),
    Reason.RECOUNT: Kind(
        "Recount",
        "Compare every card on the felt with this display. Enter what is missing, in order.",
        {
            Way.AGREES: FLOOR, Way.ENTER_CARD: DEALER, Way.FACE_DOWN: DEALER,
            Way.SET_ASIDE: FLOOR, Way.VOID: FLOOR,
        },
    ),
    Reason.OUT_OF_CARDS: Kind(
        "The shoe is empty",
        "Shuffle the discards and load them; the round goes on. Tell the players.",
        {Way.REFILLED: DEALER, Way.VOID: FLOOR},
        "Ruling F27-A16; S.D. Admin. R. 20:18:15:28 goes on in the same way",
    ),
    Reason.FLOOR: Kind(
        "Floor called",
        "Wait for the floor. Cards and chips stay where they lie.",
        {
            Way.RELEASE: FLOOR, Way.ENTER_CARD: FLOOR, Way.FACE_DOWN: FLOOR,
            Way.SET_ASIDE: FLOOR, Way.VOID: FLOOR,
        },
    ),
    Reason.DIFFERENCE: Kind(
        "Corrected: settle the difference",
        "Hands that were settled come to something else. Pay and collect, then confirm.",
        {Way.SQUARED: FLOOR},
    ),
    Reason.SHOE_OFF: Kind(
        "The shoe does not add up",
        "Keep all its cards together. The status page lists the rounds since it last did.",
        {Way.COUNT_AGAIN: FLOOR, Way.PACK_OUT: FLOOR},
    ),
    Reason.PACK_SIZE: Kind(
        "This pack is not whole",
        "Do not deal from it. Count it again, or take another one.",
        {Way.COUNT_AGAIN: FLOOR, Way.PACK_OUT: FLOOR},
    ),
}  # fmt: skip

#: What only people notice: they say which, and the table stops.
_CALLED: Final[dict[Reason, Kind]] = {
    Reason.TAKEN_BACK: Kind(
        "Decision taken back",
        "No card has left the shoe since: the player may choose anew.",
        {Way.TAKE_BACK: DEALER, Way.STANDS: DEALER},
        called=True,
    ),
    Reason.NOT_ASKED: Kind(
        "Card nobody asked for",
        "The last card was drawn for a player who had not asked. Ask whether the player takes it.",
        {
            Way.BURN_LAST: FLOOR, Way.KEEP_LAST: FLOOR, Way.STANDS: FLOOR, Way.VOID: FLOOR,
        },
        called=True,
    ),
    Reason.FACE_UP: Kind(
        "Card face up in the shoe",
        "The last card lay face up in the shoe. Put it aside; the next one takes its place.",
        {Way.BURN_LAST: FLOOR, Way.STANDS: FLOOR, Way.VOID: FLOOR},
        "House procedure; S.D. Admin. R. 20:18:15:28 discards it too",
        called=True,
    ),
    Reason.KEPT_REFUSED: Kind(
        "Kept card refused",
        "Nobody takes the card that lies ready. Put it aside face down; it counts as gone.",
        {Way.BURN_KEPT: FLOOR, Way.STANDS: FLOOR},
        called=True,
    ),
    Reason.WRONG_SPOT: Kind(
        "Card at a wrong spot",
        "No further card left: put it where the display says. Else: correct, or void the round.",
        {Way.PLACED: FLOOR, Way.CORRECT: FLOOR, Way.VOID: FLOOR},
        "House procedure, as Queensland Casino Gaming Rule 2010 (V4B, p. 340, s 32) has it",
        called=True,
    ),
    Reason.SKIPPED: Kind(
        "Spot left out",
        "A spot got no card, the next ones got theirs: its hand is dead and its bet goes back.",
        {Way.DEAD_HAND: FLOOR, Way.PLACED: FLOOR, Way.VOID: FLOOR},
        "House procedure; S.D. Admin. R. 20:18:15:28 calls the hand dead too",
        called=True,
    ),
    Reason.MISREAD: Kind(
        "Misread noticed late",
        "The record shows another card than the felt. Leave the cards; correct the record.",
        {Way.CORRECT: FLOOR, Way.STANDS: FLOOR, Way.VOID: FLOOR},
        called=True,
    ),
    Reason.EXPOSED: Kind(
        "Hidden card was seen",
        "Leave it where it lies, face down again. The floor says whether the round goes on.",
        {Way.STANDS: FLOOR, Way.VOID: FLOOR},
        called=True,
    ),
    Reason.PAYOUT: Kind(
        "Wrong payout noticed",
        "Compare the chips with the replay. Put the chips right, or the record, if that is wrong.",
        {Way.SQUARED: FLOOR, Way.CORRECT: FLOOR, Way.STANDS: FLOOR, Way.VOID: FLOOR},
        called=True,
    ),
    Reason.DEVICE: Kind(
        "A device fails",
        "Leave the cards. If it works again, the round goes on; else every bet goes back.",
        {Way.STANDS: FLOOR, Way.VOID: FLOOR},
        "House procedure, as NSW mini baccarat rules 12.2 and 12.4 have it for a shuffler",
        called=True,
    ),
    Reason.FOREIGN: Kind(
        "Foreign or damaged card",
        "Show it to the floor. Foreign: the pack is wrong. Damaged: the same card replaces it.",
        {Way.NEW_SHOE: TWO, Way.REPLACED: TWO, Way.STANDS: FLOOR},
        "House procedure, as NSW mini baccarat rule 12.3 has it for damaged cards",
        called=True,
    ),
    Reason.MISDEAL: Kind(
        "Misdeal",
        "The round cannot be put right. Every bet of it goes back.",
        {Way.VOID: FLOOR, Way.CORRECT: FLOOR, Way.STANDS: FLOOR},
        called=True,
    ),
}  # fmt: skip

#: The table by this house's procedures.
IRREGULARITIES: Final[dict[Reason, Kind]] = {**_NOTICED, **_CALLED}
