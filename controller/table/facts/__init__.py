"""What happened, in the past tense: the only things that change the table.

A fact is written down (`controller.record.journal`) before anything acts on it. Facts are never
edited; a new meaning is a new fact. They carry all consequences, so that they are applied later
without the rules that were played.

The names of classes and fields are those on record. A field that is added has a default, which is
what the records before it mean; one that means something else raises its kind's version
(`controller.record.fact_kinds`).
"""

from __future__ import annotations

from typing import NamedTuple

from controller.table.facts.clapper import ClapperBegan, ClapperEnded
from controller.table.facts.correction import Edit, RoundCorrected, SettledRoundVoided, ShoeChange
from controller.table.facts.day import (
    ClockDoubted,
    DayClosed,
    DayOpened,
    DayOverdue,
    DayRemoved,
    DayRescheduled,
)
from controller.table.facts.holds import (
    AlarmAcknowledged,
    AlarmAnswered,
    AlarmEscalated,
    CardLeftUnread,
    CardNamed,
    FeltCounted,
    HoldRaised,
    HoldReleased,
    ResolutionChosen,
    ResolutionUndone,
)
from controller.table.facts.money import (
    ChipsBought,
    DropBoxChanged,
    RackClosed,
    RackOpened,
    SlipSigned,
    SlipVoided,
    SoftCounted,
)
from controller.table.facts.pit import (
    DirectoryInstalled,
    FillAnnounced,
    NoteRead,
    NoteSent,
    PitAsked,
    PlayClosed,
    PlayOpened,
)
from controller.table.facts.round import (
    BetsClosed,
    CardDealt,
    CardDealtDown,
    CardTurned,
    DealerPeeked,
    Decided,
    DummyBegan,
    HandSettled,
    RoundEnded,
    RoundFact,
    RoundVoided,
    WagerAdded,
    WagerDeclined,
    WagerPlaced,
    WagerRemoved,
)
from controller.table.facts.seats import (
    PlayerAway,
    PlayerBack,
    SeatLeft,
    SeatReserved,
    SeatTaken,
)
from controller.table.facts.shoe import (
    CardBurned,
    CardKept,
    CutCardSeen,
    DiscardsReturned,
    KeptCardUsed,
    PackCardCounted,
    PackDoubted,
    PackLoaded,
    PackOpened,
    RestCounted,
    RestOpened,
    ShoeCut,
    ShoeReconciled,
    ShoeRejected,
)
from controller.table.facts.table import (
    AlarmTimesSet,
    ChipsChanged,
    DealerChanged,
    DeviceDown,
    DeviceUp,
    Refused,
    ServiceStarted,
    TableOpened,
    WrongPins,
)
from controller.table.facts.windows import (
    LastCalled,
    WindowExpired,
    WindowOpened,
    WindowResumed,
    WindowStopped,
)

__all__ = [
    "AlarmAcknowledged",
    "AlarmAnswered",
    "AlarmEscalated",
    "AlarmTimesSet",
    "BetsClosed",
    "CardBurned",
    "CardDealt",
    "CardDealtDown",
    "CardKept",
    "CardLeftUnread",
    "CardNamed",
    "CardTurned",
    "ChipsBought",
    "ChipsChanged",
    "ClapperBegan",
    "ClapperEnded",
    "ClockDoubted",
    "CutCardSeen",
    "DayClosed",
    "DayOpened",
    "DayOverdue",
    "DayRemoved",
    "DayRescheduled",
    "DealerChanged",
    "DealerPeeked",
    "Decided",
    "DeviceDown",
    "DeviceUp",
    "DirectoryInstalled",
    "DiscardsReturned",
    "DropBoxChanged",
    "DummyBegan",
    "Edit",
    "Fact",
    "FeltCounted",
    "FillAnnounced",
    "HandSettled",
    "HoldRaised",
    "HoldReleased",
    "KeptCardUsed",
    "LastCalled",
    "NoteRead",
    "NoteSent",
    "PackCardCounted",
    "PackDoubted",
    "PackLoaded",
    "PackOpened",
    "PitAsked",
    "PlayClosed",
    "PlayOpened",
    "PlayerAway",
    "PlayerBack",
    "RackClosed",
    "RackOpened",
    "Record",
    "Refused",
    "ResolutionChosen",
    "ResolutionUndone",
    "RestCounted",
    "RestOpened",
    "RoundCorrected",
    "RoundEnded",
    "RoundFact",
    "RoundVoided",
    "SeatLeft",
    "SeatReserved",
    "SeatTaken",
    "ServiceStarted",
    "SettledRoundVoided",
    "ShoeChange",
    "ShoeCut",
    "ShoeReconciled",
    "ShoeRejected",
    "SlipSigned",
    "SlipVoided",
    "SoftCounted",
    "TableOpened",
    "WagerAdded",
    "WagerDeclined",
    "WagerPlaced",
    "WagerRemoved",
    "WindowExpired",
    "WindowOpened",
    "WindowResumed",
    "WindowStopped",
    "WrongPins",
]  # fmt: skip

Fact = (
    TableOpened | ServiceStarted | AlarmTimesSet | DayOpened | DayClosed | DayRescheduled
    | ClockDoubted | DayOverdue | DayRemoved | DeviceUp | DeviceDown | PackLoaded | PackOpened
    | PackCardCounted | ShoeCut | CutCardSeen | ShoeRejected
    | DiscardsReturned | RestOpened | RestCounted | ShoeReconciled | PackDoubted | CardBurned
    | DealerChanged | WagerPlaced | WagerRemoved | BetsClosed | CardDealt | CardDealtDown
    | CardTurned | DealerPeeked | Decided | WagerAdded | WagerDeclined | HandSettled | RoundEnded
    | RoundVoided | SettledRoundVoided | DummyBegan | CardKept | KeptCardUsed | RoundCorrected
    | HoldRaised | CardNamed | HoldReleased | CardLeftUnread | FeltCounted | ResolutionChosen
    | ResolutionUndone | AlarmEscalated | AlarmAcknowledged | AlarmAnswered | Refused
    | WrongPins | ChipsChanged | PitAsked | PlayClosed | PlayOpened | NoteSent | FillAnnounced
    | NoteRead | RackOpened | RackClosed | SlipSigned | ChipsBought | DropBoxChanged | SoftCounted
    | SlipVoided
    | WindowOpened | LastCalled | WindowStopped | WindowResumed | WindowExpired
    | SeatTaken | SeatReserved | SeatLeft | PlayerAway | PlayerBack | ClapperBegan | ClapperEnded
    | DirectoryInstalled
)  # fmt: skip


class Record(NamedTuple):
    """One line of the record: a fact with its place, its times and its cause.

    `seq` counts from 1 without gaps. `at_ms` is wall time, `mono_ns` the monotonic clock of the
    service run that wrote it, `cause` the id of the input that led to it.
    """

    seq: int
    at_ms: int
    mono_ns: int
    cause: str
    fact: Fact
