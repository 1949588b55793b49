"""What the world can do to a dealer in training, what the table then asks, and what is right."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from controller.table.irregularities.holds import Reason, Resolution

#: The table stops for a card that nobody asked for: the dealer drew it too early.
EARLY: Final = frozenset({Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.UNEXPECTED})

_UNREAD: Final = frozenset(
    {Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE, Reason.FOREIGN}
)
_ENTERED: Final = frozenset(
    {Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.SET_ASIDE, Resolution.KEEP}
)
_COUNTED: Final = frozenset(
    {
        Resolution.COUNT, Resolution.COUNT_AGAIN, Resolution.ENTER_CARD, Resolution.FACE_DOWN,
        Resolution.SET_ASIDE, Resolution.RELEASE, Resolution.CORRECT,
    }
)  # fmt: skip


class TroubleKind(NamedTuple):
    """A kind of trouble: what the world `did`, and what is `right`, in words.

    `holds` are the reasons for which the table may stop over it, `answers` the right resolutions;
    no holds: the table goes on by itself. `wish`: a player wishes something that the dealer must
    not do.
    """

    did: str
    right: str
    holds: Collection[Reason] = frozenset()
    answers: Collection[Resolution] = frozenset()
    wish: bool = False


_SEEN: Final = "Look at the card and enter it as it lies there."
_GOES_ON: Final = "Deal on: the table knows better."
_COUNT: Final = "Wait until it is back, count the felt, put on record what left meanwhile."


def _unread(did: str) -> TroubleKind:
    return TroubleKind(did, _SEEN, _UNREAD, _ENTERED)


def _silent(did: str) -> TroubleKind:
    return TroubleKind(did, _GOES_ON)


def _recounted(did: str) -> TroubleKind:
    # A busy service sees the card leave before it sees the plug gone: then it is one not read.
    return TroubleKind(did, _COUNT, _UNREAD | {Reason.RECOUNT}, _ENTERED | _COUNTED)


#: By the names that the world writes: those of `sim_hw.devices.faults`, and wishes of players.
KINDS: Final[dict[str, TroubleKind]] = {
    "garbage": _unread("The scanner said rubbish for a card."),
    "miss_code": _unread("The scanner missed a card."),
    "merged": _unread("The scanner said a code twice in one."),
    "noise": _unread("There was noise on the scanner's line."),
    "two_codes": _unread("Two cards came at once; the second was pushed back."),
    "wrong_rate": _unread("The scanner talked at a wrong rate for a while."),
    "beam_stuck": _unread("A card was stuck in the exit."),
    "hand": _unread("Fingers lay over a card before the camera."),
    "blur": _unread("The camera's picture was blurred."),
    "back": _unread("A card lay in the shoe the wrong way round."),
    "two_cards": _unread("A second card came along before the camera."),
    "foreign_index": _unread("A card of a pack from abroad was in the shoe."),
    "dark": _unread("The light of the shoe went out for a while."),
    "frozen": _unread("The camera sent the same picture for a while."),
    "double": TroubleKind(
        "The scanner read a card twice.", _GOES_ON, {Reason.TWIN}, {Resolution.ONE}
    ),
    "split": _silent("A code came in two pieces."),
    "push_back": _silent("A card was read, pushed back and drawn again."),
    "bounce": _silent("The contact of a button bounced."),
    "lean": _silent("A hand leant on all the buttons."),
    "unplug": _recounted("The scanner's plug was pulled as a card left."),
    "unplug_in_code": _recounted("The scanner's plug was pulled in mid-code."),
    "power_cut": _recounted("The table's power was cut as a card left."),
    "blink": _recounted("The camera was away as a card left."),
    "small_picture": _recounted("The camera came back with another size of picture."),
    "early_wish": TroubleKind(
        "A player wanted a card before the bets were closed.",
        "Draw nothing before the display asks for it.",
        wish=True,
    ),
    "card_wish": TroubleKind(
        "A player wanted a card while chips were to move.",
        "Draw nothing before the display asks for it.",
        wish=True,
    ),
    "pay_wish": TroubleKind(
        "A player who had lost wanted to be paid.",
        "Settle the hand as the display says, or call the floor.",
        wish=True,
    ),
}

#: Of a kind that a newer world knows.
UNKNOWN: Final = TroubleKind("Something that this build does not know.", "As the display says.")


def trouble_kind(name: str) -> TroubleKind:
    """The kind of that name."""
    return KINDS.get(name, UNKNOWN)
