"""What the world can do to a dealer in training, what the table then asks, and what is right."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from controller.rules.messages import Message, message
from controller.table import facts as f
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
    """A kind of trouble: what the world `did`, and what is `right`.

    `holds` are the reasons for which the table may stop over it, `answers` the right resolutions;
    no holds: the table goes on by itself. `wish`: a player wishes something that the dealer must
    not do. `until`: no device notices it, and the dealer has to report it before one of these
    facts.
    """

    did: Message
    right: Message
    holds: Collection[Reason] = frozenset()
    answers: Collection[Resolution] = frozenset()
    wish: bool = False
    until: tuple[type[f.Fact], ...] = ()


_LOOK: Final = message("right-look")
_GOES_ON: Final = message("right-deal-on")
_COUNT: Final = message("right-count")


def _unread(did: Message) -> TroubleKind:
    return TroubleKind(did, _LOOK, _UNREAD, _ENTERED)


def _silent(did: Message) -> TroubleKind:
    return TroubleKind(did, _GOES_ON)


def _recounted(did: Message) -> TroubleKind:
    # A busy service sees the card leave before it sees the plug gone: then it is one not read.
    return TroubleKind(did, _COUNT, _UNREAD | {Reason.RECOUNT}, _ENTERED | _COUNTED)


#: By the names that the world writes: those of `sim_hw.devices.faults`, and trouble by people.
KINDS: Final[dict[str, TroubleKind]] = {
    "garbage": _unread(message("did-garbage")),
    "miss_code": _unread(message("did-miss-code")),
    "merged": _unread(message("did-merged")),
    "noise": _unread(message("did-noise")),
    "two_codes": _unread(message("did-two-codes")),
    "wrong_rate": _unread(message("did-wrong-rate")),
    "beam_stuck": _unread(message("did-beam-stuck")),
    "hand": _unread(message("did-hand")),
    "blur": _unread(message("did-blur")),
    "back": _unread(message("did-back")),
    "two_cards": _unread(message("did-two-cards")),
    "foreign_index": _unread(message("did-foreign-index")),
    "dark": _unread(message("did-dark")),
    "frozen": _unread(message("did-frozen")),
    "double": TroubleKind(message("did-double"), _GOES_ON, {Reason.TWIN}, {Resolution.ONE}),
    "split": _silent(message("did-split")),
    "push_back": _silent(message("did-push-back")),
    "bounce": _silent(message("did-bounce")),
    "lean": _silent(message("did-lean")),
    "unplug": _recounted(message("did-unplug")),
    "unplug_in_code": _recounted(message("did-unplug-in-code")),
    "power_cut": _recounted(message("did-power-cut")),
    "blink": _recounted(message("did-blink")),
    "small_picture": _recounted(message("did-small-picture")),
    "early_wish": TroubleKind(
        message("did-early-wish"),
        message("right-draw-nothing"),
        wish=True,
    ),
    "card_wish": TroubleKind(
        message("did-card-wish"),
        message("right-draw-nothing"),
        wish=True,
    ),
    "pay_wish": TroubleKind(
        message("did-pay-wish"),
        message("right-settle"),
        wish=True,
    ),
    "late_chips": TroubleKind(message("did-late-chips"), message("right-chips-back"), wish=True),
    "changed_mind": TroubleKind(
        message("did-changed-mind"),
        message("right-take-back"),
        {Reason.TAKEN_BACK},
        {Resolution.TAKE_BACK},
        until=(
            f.Decided,
            f.WagerAdded,
            f.WagerDeclined,
            f.CardDealt,
            f.CardDealtDown,
            f.CardTurned,
            f.HandSettled,
            f.RoundEnded,
            f.RoundVoided,
        ),
    ),
    "exposed": TroubleKind(
        message("did-exposed"),
        message("right-report-exposed"),
        {Reason.EXPOSED},
        {Resolution.STANDS, Resolution.VOID},
        until=(f.CardTurned, f.RoundEnded, f.RoundVoided),
    ),
}

#: Of a kind that a newer world knows.
UNKNOWN: Final = TroubleKind(message("did-unknown"), message("right-as-shown"))


def trouble_kind(name: str) -> TroubleKind:
    """The kind of that name."""
    return KINDS.get(name, UNKNOWN)
