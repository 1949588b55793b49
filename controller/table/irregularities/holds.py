"""Holds: why the table stops, and which resolutions there are at all.

A hold stays open until one of its resolutions is chosen, also across a restart. Cards stay where
they lie; nothing is moved back. Which are lawful for which reason is in `catalogue`.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from controller.rules.frozen import frozen
from controller.rules.messages import Message, Seat, message
from controller.rules.sealed import Sealed


class Reason(Enum):
    """Why the table is held. The value stands on record and in the API: it never changes."""

    UNREADABLE = "unreadable"
    BURN_UNREAD = "burn_unread"
    HIDDEN_UNREAD = "hidden_unread"
    IMPOSSIBLE = "impossible"
    FOREIGN = "foreign"
    UNEXPECTED = "unexpected"
    EARLY = "early"
    DRAWN = "drawn"
    OVERDRAWN = "overdrawn"
    TWIN = "twin"
    RECOUNT = "recount"
    OUT_OF_CARDS = "out_of_cards"
    FLOOR = "floor"
    DIFFERENCE = "difference"
    SHOE_OFF = "shoe_off"
    PACK_SIZE = "pack_size"
    BETS_DIFFER = "bets_differ"
    LATE_BET = "late_bet"
    TAKEN_BACK = "taken_back"
    MISREAD = "misread"
    NOT_ASKED = "not_asked"
    FACE_UP = "face_up"
    KEPT_REFUSED = "kept_refused"
    WRONG_SPOT = "wrong_spot"
    SKIPPED = "skipped"
    EXPOSED = "exposed"
    PAYOUT = "payout"
    PAST_POSTING = "past_posting"
    PLAYER_LEFT = "player_left"
    DEVICE = "device"
    DAMAGED = "damaged"
    MISDEAL = "misdeal"
    REVISION = "revision"


#: Where a card comes from that was kept.
KEPT: Final = "kept"
#: More open holds than this are more than people can work through: a card that leaves then is
#: counted alone, for the recount after them.
MAX_HOLDS: Final = 20
#: Holds that stay open while missing cards are put on record one by one.
STAYS_OPEN: Final = (Reason.RECOUNT, Reason.FLOOR)


class Resolution(Enum):
    """A lawful resolution; its value is as `Reason`'s."""

    ENTER_CARD = "enter_card"
    NO_CARD = "no_card"
    SET_ASIDE = "set_aside"
    FACE_DOWN = "face_down"
    ONE = "one"
    TWO = "two"
    COUNT = "count"
    REFILLED = "refilled"
    RELEASE = "release"
    SQUARED = "squared"
    VOID = "void"
    NEW_SHOE = "new_shoe"
    COUNT_AGAIN = "count_again"
    PACK_OUT = "pack_out"
    KEEP = "keep"
    DUMMY = "dummy"
    TAKE_BACK = "take_back"
    BURN_LAST = "burn_last"
    KEEP_LAST = "keep_last"
    BURN_KEPT = "burn_kept"
    PLACED = "placed"
    DEAD_HAND = "dead_hand"
    CORRECT = "correct"
    REPLACED = "replaced"
    STANDS = "stands"
    RESUMED = "resumed"
    CHIPS_BACK = "chips_back"
    BETS_RIGHT = "bets_right"


class Label(NamedTuple):
    """What a resolution's button says, and its key on a keyboard."""

    text: Message
    key: str


RESOLUTION_LABELS: Final[dict[Resolution, Label]] = {
    Resolution.ENTER_CARD: Label(message("enter-the-card"), "e"),
    Resolution.NO_CARD: Label(message("no-card-left-the-shoe"), "n"),
    Resolution.SET_ASIDE: Label(message("put-the-card-aside-face-down"), "b"),
    Resolution.FACE_DOWN: Label(message("a-card-lies-face-down"), "d"),
    Resolution.ONE: Label(message("one-card"), "1"),
    Resolution.TWO: Label(message("two-cards"), "2"),
    Resolution.COUNT: Label(message("count-the-cards-on-the-felt"), "a"),
    Resolution.REFILLED: Label(message("discards-shuffled-and-loaded"), "l"),
    Resolution.RELEASE: Label(message("go-on"), "g"),
    Resolution.SQUARED: Label(message("paid-and-collected"), "p"),
    Resolution.VOID: Label(message("void-the-round"), "v"),
    Resolution.NEW_SHOE: Label(message("void-and-load-a-new-pack"), "x"),
    Resolution.COUNT_AGAIN: Label(message("count-again"), "t"),
    Resolution.PACK_OUT: Label(message("pack-out-of-play"), "o"),
    Resolution.KEEP: Label(message("keep-it-as-the-next-card"), "k"),
    Resolution.DUMMY: Label(message("play-it-out-without-bets"), "u"),
    Resolution.TAKE_BACK: Label(message("take-it-back"), "z"),
    Resolution.BURN_LAST: Label(message("put-the-last-card-aside"), "f"),
    Resolution.KEEP_LAST: Label(message("keep-the-last-card-as-the-next"), "h"),
    Resolution.BURN_KEPT: Label(message("put-the-kept-card-aside"), "j"),
    Resolution.PLACED: Label(message("put-where-the-display-says"), "w"),
    Resolution.DEAD_HAND: Label(message("the-hand-is-dead"), "m"),
    Resolution.CORRECT: Label(message("correct-the-record"), "r"),
    Resolution.REPLACED: Label(message("the-same-card-put-in-its-place"), "i"),
    Resolution.STANDS: Label(message("it-stays-as-it-is"), "s"),
    Resolution.RESUMED: Label(message("the-build-that-plays-it-runs"), "q"),
    Resolution.CHIPS_BACK: Label(message("the-chips-lie-as-before"), "3"),
    Resolution.BETS_RIGHT: Label(message("the-bets-are-right"), "4"),
}


#: At these holds felt and record may differ: what stays is that they do not. "It" would be either.
AS_SHOWN: Final = (Reason.WRONG_SPOT, Reason.SKIPPED, Reason.MISREAD)


def resolution_text(reason: Reason, resolution: Resolution) -> Message:
    """What a resolution's button says at a hold of that reason."""
    if resolution is Resolution.STANDS and reason in AS_SHOWN:
        return message("cards-lie-as-shown")
    return RESOLUTION_LABELS[resolution].text


def put_aside_instead(reason: Reason) -> Resolution:
    """What is replaced, where it cannot be, by putting the card aside; that takes the same word."""
    return Resolution.FACE_DOWN if reason is Reason.HIDDEN_UNREAD else Resolution.KEEP


class Named(NamedTuple):
    """A card that people named and did not confirm yet; `hold` 0: the card that is turned."""

    hold: int
    card: Sealed


@frozen
class Hold:
    """An open hold. `message` says what happened; `card` is what was read, sealed.

    `round` is the round that it is about, where people called it; 0: the table as it stands.
    `evidence` names the picture of the card, which is shown where the card lies face up (`open`).
    `order` is its place among the open holds: its number, or that of the hold it came from.
    """

    number: int
    reason: Reason
    message: Message
    since_ms: int
    card: Sealed | None = None
    source: str = ""
    round: int = 0
    evidence: str = ""
    open: bool = False
    order: int = 0

    @property
    def picture(self) -> str:
        """The name of the picture that may be shown with it, empty if there is none."""
        return self.evidence if self.open else ""


#: A foreign card that left while the table was held.
_FOREIGN_WHILE_HELD: Final = (
    message("held-card-is-not-of-this-pack"), message("held-card-has-left-already"),
)  # fmt: skip


def foreign_card(*, known: bool, held: bool) -> Message:
    """Why a card stops the table by its serial number: one that is `known` has left already.

    No card is named, since it may have to lie face down.
    """
    if held:
        return _FOREIGN_WHILE_HELD[known]
    return message("card-has-left-already") if known else message("card-is-not-of-this-pack")


def left_while_held(hold: Hold) -> bool:
    """Whether the foreign card of a hold left while the table was held: nobody waited for it."""
    return hold.message in _FOREIGN_WHILE_HELD


def late_seat(hold: Hold) -> int:
    """The seat that a hold for a late bet is about."""
    who = hold.message["who"]
    assert isinstance(who, Seat)
    return who.number
