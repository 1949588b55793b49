"""What devices tell the table: a card left the shoe, a press, a device that came or went."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import Enum

from controller.rules.sealed import Sealed


class Doubt(Enum):
    """Why a reader could not tell a card; the value is what the dealer reads."""

    NO_CODE = "a card left the shoe but no code was read"
    GARBLED = "the code was garbled"
    UNKNOWN_CODE = "the code is not in the code book"
    WRONG_SYMBOLOGY = "the code is of a kind that this deck does not use"
    TOO_LONG = "the scanner sent more than a code can hold"
    CONFLICT = "two different codes were read while one card passed"
    TOO_CLOSE = "two cards left too close together to tell which code is whose"
    BEAM_STUCK = "the exit of the shoe stayed covered too long"
    NOT_SEEN = "the camera saw too little of the card"
    NOT_TOLD = "the camera could not tell the card"
    POOR_PICTURE = "the picture of the card was too dark, too bright or blurred"
    SEVERAL = "the camera saw more than one card at a time, or fingers over it"
    BACK = "the camera saw a back, or a card without an index that it knows"
    FOREIGN = "the index is none of this deck's"
    FRAMES_DIFFER = "the camera read two different cards while one passed"
    IN_VIEW = "something stayed in the camera's picture too long"
    ONE_READER = "only one of scanner and camera could tell the card"
    READERS_DIFFER = "scanner and camera read different cards"
    CUT_CARD = "it is the cut card, which is no card of the pack"


@dataclass(frozen=True, slots=True)
class Reading:
    """One card that left the shoe, as one reader saw it.

    `card` is sealed, since the reader cannot know whether it will lie face up; it is None exactly
    when `doubt` says why. `apart` is true when something physical proves that this is another card
    than the one before: the exit beam cleared between them, or the card has a serial number of its
    own, or the protocol marks repeats. Without such proof the same card twice in a row is a
    question for the dealer, and a doubt may be about no card at all. Where the deck has serial
    numbers, the seal holds that too.

    A camera adds how sure it is (`confidence`, 0 to 1) and what it saw (`evidence`, a JPEG of a
    few kB, which may tell a hidden card). `parts` are the readings of several readers that were
    made one. `passed_ns` is when the card had passed the beam, by the monotonic clock.
    """

    source: str
    card: Sealed | None
    doubt: Doubt | None = None
    apart: bool = False
    confidence: float | None = field(default=None, repr=False)
    evidence: bytes = field(default=b"", repr=False)
    parts: tuple[Reading, ...] = field(default=(), repr=False)
    passed_ns: int | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.card is None) is (self.doubt is None):
            raise ValueError("a reading has either a card or a doubt")

    @property
    def picture(self) -> str:
        """The name under which the evidence is kept: its SHA-256; empty where there is none."""
        return hashlib.sha256(self.evidence).hexdigest() if self.evidence else ""


class Button(Enum):
    """What a dealer's button means; pins and keys are mapped to these by the configuration."""

    NEXT = "next"
    STAND = "stand"
    HIT = "hit"
    REPEAT = "repeat"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Press:
    """A debounced press of a dealer's button."""

    source: str
    button: Button


class Condition(Enum):
    """How a device is."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Health:
    """A device came up or went down. `why` says what happened and what to do, for the dealer."""

    device: str
    condition: Condition
    why: str = ""
