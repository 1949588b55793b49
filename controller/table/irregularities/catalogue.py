"""The table of irregularities: what goes wrong at tables, and what this house then does.

Profiles (`procedures`) change rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from controller.rules.messages import Message, message
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Needs

DEALER, FLOOR, TWO = Needs.DEALER, Needs.FLOOR, Needs.TWO
#: Rules of gaming authorities, by their own names.
DEADWOOD: Final = "S.D. Admin. R. 20:18:15:28"
_QUEENSLAND: Final = "Queensland Casino Gaming Rule 2010 (V4B, p. 340, s 32)"
_BACCARAT: Final = "NSW mini baccarat rule 12.3"


class Kind(NamedTuple):
    """A row of the table: title, what to do, resolutions with who may choose them, and source.

    Text is what a house wrote itself, and what a law is called. `called`: only people notice it,
    and call it; else the table notices it by itself. Resolutions come likeliest first.
    """

    title: Message
    advice: Message | str
    who: Mapping[Resolution, Needs]
    source: Message | str = message("source-house")
    called: bool = False

    @property
    def resolutions(self) -> tuple[Resolution, ...]:
        """The resolutions, likeliest first."""
        return tuple(self.who)


#: What the table notices by itself.
_NOTICED: Final[dict[Reason, Kind]] = {
    Reason.UNREADABLE: Kind(
        message("hold-unreadable"),
        message("advice-unreadable"),
        {
            Resolution.ENTER_CARD: DEALER,
            Resolution.FACE_DOWN: DEALER,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.BURN_UNREAD: Kind(
        message("hold-burn-unread"),
        message("advice-burn-unread"),
        {Resolution.SET_ASIDE: DEALER, Resolution.NO_CARD: FLOOR},
    ),
    Reason.HIDDEN_UNREAD: Kind(
        message("hold-hidden-unread"),
        message("advice-hidden-unread"),
        {Resolution.FACE_DOWN: DEALER, Resolution.NO_CARD: FLOOR, Resolution.VOID: FLOOR},
    ),
    Reason.IMPOSSIBLE: Kind(
        message("hold-impossible"),
        message("advice-impossible"),
        {Resolution.ENTER_CARD: FLOOR, Resolution.FACE_DOWN: DEALER, Resolution.NEW_SHOE: TWO},
    ),
    Reason.FOREIGN: Kind(
        message("hold-foreign"),
        message("advice-foreign"),
        {
            Resolution.NO_CARD: FLOOR,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.ENTER_CARD: FLOOR,
            Resolution.FACE_DOWN: FLOOR,
            Resolution.REPLACED: TWO,
            Resolution.NEW_SHOE: TWO,
        },
        message("source-damaged-cards", rule=_BACCARAT),
    ),
    Reason.EARLY: Kind(
        message("hold-early"),
        message("advice-early"),
        {
            Resolution.KEEP: FLOOR,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.DUMMY: FLOOR,
            Resolution.NO_CARD: FLOOR,
        },
    ),
    Reason.DRAWN: Kind(
        message("hold-drawn"),
        message("advice-drawn"),
        {
            Resolution.SET_ASIDE: FLOOR,
            Resolution.KEEP: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.OVERDRAWN: Kind(
        message("hold-overdrawn"),
        message("advice-overdrawn"),
        {
            Resolution.SET_ASIDE: FLOOR,
            Resolution.KEEP: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
        message("source-burns-it-too", rule=DEADWOOD),
    ),
    Reason.UNEXPECTED: Kind(
        message("hold-unexpected"),
        message("advice-unexpected"),
        {
            Resolution.SET_ASIDE: FLOOR,
            Resolution.KEEP: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.TWIN: Kind(
        message("hold-twin"),
        message("advice-twin"),
        {Resolution.ONE: DEALER, Resolution.TWO: DEALER},
    ),
    Reason.RECOUNT: Kind(
        message("hold-recount"),
        message("advice-recount"),
        {
            Resolution.COUNT: FLOOR,
            Resolution.ENTER_CARD: DEALER,
            Resolution.FACE_DOWN: DEALER,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.COUNT_AGAIN: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.REVISION: Kind(
        message("hold-revision"),
        message("advice-revision"),
        {Resolution.VOID: FLOOR},
    ),
    Reason.OUT_OF_CARDS: Kind(
        message("hold-out-of-cards"),
        message("advice-out-of-cards"),
        {Resolution.REFILLED: DEALER, Resolution.VOID: FLOOR},
        message("source-shoe-ends", ruling="F27-A16", rule=DEADWOOD),
    ),
    Reason.FLOOR: Kind(
        message("hold-floor"),
        message("advice-floor"),
        {
            Resolution.RELEASE: FLOOR,
            Resolution.COUNT: FLOOR,
            Resolution.ENTER_CARD: FLOOR,
            Resolution.FACE_DOWN: FLOOR,
            Resolution.SET_ASIDE: FLOOR,
            Resolution.NO_CARD: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
    Reason.DIFFERENCE: Kind(
        message("hold-difference"),
        message("advice-difference"),
        {Resolution.SQUARED: FLOOR},
    ),
    Reason.SHOE_OFF: Kind(
        message("hold-shoe-off"),
        message("advice-shoe-off"),
        {Resolution.COUNT_AGAIN: FLOOR, Resolution.PACK_OUT: FLOOR},
    ),
    Reason.PACK_SIZE: Kind(
        message("hold-pack-size"),
        message("advice-pack-size"),
        {Resolution.COUNT_AGAIN: FLOOR, Resolution.PACK_OUT: FLOOR},
    ),
    Reason.BETS_DIFFER: Kind(
        message("hold-bets-differ"),
        message("advice-bets-differ"),
        {Resolution.RELEASE: DEALER, Resolution.BETS_RIGHT: FLOOR},
    ),
    Reason.LATE_BET: Kind(
        message("hold-late-bet"),
        message("advice-late-bet"),
        {
            Resolution.CHIPS_BACK: DEALER,
            Resolution.STANDS: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.VOID: FLOOR,
        },
    ),
}

#: What only people notice: they say which, and the table stops.
_CALLED: Final[dict[Reason, Kind]] = {
    Reason.TAKEN_BACK: Kind(
        message("hold-taken-back"),
        message("advice-taken-back"),
        {Resolution.TAKE_BACK: DEALER, Resolution.STANDS: DEALER},
        called=True,
    ),
    Reason.NOT_ASKED: Kind(
        message("hold-not-asked"),
        message("advice-not-asked"),
        {
            Resolution.BURN_LAST: FLOOR,
            Resolution.KEEP_LAST: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        called=True,
    ),
    Reason.FACE_UP: Kind(
        message("hold-face-up"),
        message("advice-face-up"),
        {Resolution.BURN_LAST: FLOOR, Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        message("source-discards-it-too", rule=DEADWOOD),
        called=True,
    ),
    Reason.KEPT_REFUSED: Kind(
        message("hold-kept-refused"),
        message("advice-kept-refused"),
        {Resolution.BURN_KEPT: FLOOR, Resolution.STANDS: FLOOR},
        called=True,
    ),
    Reason.WRONG_SPOT: Kind(
        message("hold-wrong-spot"),
        message("advice-wrong-spot"),
        {
            Resolution.PLACED: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        message("source-as-elsewhere", rule=_QUEENSLAND),
        called=True,
    ),
    Reason.SKIPPED: Kind(
        message("hold-skipped"),
        message("advice-skipped"),
        {
            Resolution.DEAD_HAND: FLOOR,
            Resolution.PLACED: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        message("source-calls-it-dead-too", rule=DEADWOOD),
        called=True,
    ),
    Reason.MISREAD: Kind(
        message("hold-misread"),
        message("advice-misread"),
        {Resolution.CORRECT: FLOOR, Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        called=True,
    ),
    Reason.EXPOSED: Kind(
        message("hold-exposed"),
        message("advice-exposed"),
        {Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        called=True,
    ),
    Reason.PAYOUT: Kind(
        message("hold-payout"),
        message("advice-payout"),
        {
            Resolution.SQUARED: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        called=True,
    ),
    Reason.PAST_POSTING: Kind(
        message("hold-past-posting"),
        message("advice-past-posting"),
        {
            Resolution.CHIPS_BACK: FLOOR,
            Resolution.CORRECT: FLOOR,
            Resolution.STANDS: FLOOR,
            Resolution.VOID: FLOOR,
        },
        called=True,
    ),
    Reason.PLAYER_LEFT: Kind(
        message("hold-player-left"),
        message("advice-player-left"),
        {Resolution.RELEASE: FLOOR, Resolution.VOID: FLOOR},
        called=True,
    ),
    Reason.DEVICE: Kind(
        message("hold-device"),
        message("advice-device"),
        {Resolution.STANDS: FLOOR, Resolution.VOID: FLOOR},
        message("source-shuffler", rule="NSW mini baccarat rules 12.2 and 12.4"),
        called=True,
    ),
    Reason.DAMAGED: Kind(
        message("hold-damaged"),
        message("advice-damaged"),
        {Resolution.NEW_SHOE: TWO, Resolution.REPLACED: TWO, Resolution.STANDS: FLOOR},
        message("source-damaged-cards", rule=_BACCARAT),
        called=True,
    ),
    Reason.MISDEAL: Kind(
        message("hold-misdeal"),
        message("advice-misdeal"),
        {Resolution.VOID: FLOOR, Resolution.CORRECT: FLOOR, Resolution.STANDS: FLOOR},
        called=True,
    ),
}

#: The table by this house's procedures.
IRREGULARITIES: Final[dict[Reason, Kind]] = {**_NOTICED, **_CALLED}
