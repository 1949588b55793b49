"""What devices report to the table: a card that left the shoe, a press, chips, up or down."""

from __future__ import annotations

import hashlib
from dataclasses import field
from enum import Enum

from controller.rules.frozen import frozen
from controller.rules.messages import Message, message
from controller.rules.sealed import Sealed


class Doubt(Enum):
    """Why a reader did not recognise a card. The value is the message to show; it names no card.

    The last group is of single camera frames; a passage sums its frames up by those before.
    """

    NO_CODE = message("reading-no-code")
    GARBLED = message("reading-code-garbled")
    UNKNOWN_CODE = message("reading-code-unknown")
    WRONG_SYMBOLOGY = message("reading-code-wrong-symbology")
    TOO_LONG = message("reading-code-too-long")
    CONFLICT = message("reading-codes-conflict")
    TOO_CLOSE = message("reading-cards-too-close")
    BEAM_STUCK = message("reading-beam-stuck")
    READER_AWAY = message("reading-reader-away")
    CUT_CARD = message("reading-cut-card")
    ONE_READER = message("reading-one-reader-only")
    READERS_DIFFER = message("reading-readers-differ")

    NOT_SEEN = message("reading-card-hardly-seen")
    NOT_RECOGNISED = message("reading-card-not-recognised")
    POOR_IMAGE = message("reading-image-poor")
    SEVERAL = message("reading-several-cards")
    BACK = message("reading-no-index")
    FOREIGN_INDEX = message("reading-index-foreign")
    OTHER_LIGHT = message("reading-light-not-of-cards")
    FRAMES_DIFFER = message("reading-frames-differ")
    IN_VIEW = message("reading-view-blocked")

    NO_IMAGE = message("frame-no-image")
    NO_CARD = message("frame-no-card")
    CUT_OFF = message("frame-card-cut-off")
    COVERED = message("frame-edge-covered")
    WRONG_SIZE = message("frame-not-of-card-size")
    NOT_PAPER = message("frame-not-paper")
    BLURRED = message("frame-blurred")
    OTHER_STYLE = message("frame-other-index-style")
    OTHER_DECK = message("frame-other-deck")
    UNSURE = message("frame-index-unsure")
    CORNERS_DIFFER = message("frame-corners-differ")
    VOTES_DIFFER = message("frame-votes-differ")
    INK_COLOUR = message("frame-ink-colour")
    CODE_DIFFERS = message("frame-code-differs")


@frozen
class Reading:
    """One card that left the shoe, as one reader saw it.

    `card` is sealed, since the reader cannot know whether it will lie face up; it is None exactly
    when `doubt` says why. `apart` is true when something physical proves that this is another card
    than the one before: the exit beam cleared between them, or the card has a serial number of its
    own, or the protocol marks repeats. Without such proof the same card twice in a row is a
    question for the dealer, and a doubt may be about no card at all. Where the deck has serial
    numbers, the seal holds that too.

    A camera adds how sure it is (`confidence`, 0 to 1) and what it saw (`evidence`, a JPEG of a
    few kB, which may tell a hidden card; `frames` the whole pictures of its passage, where they are
    kept). `parts` are the readings of several readers that were
    made one. `passed_ns` is when the card had passed the beam, by the monotonic clock.
    """

    source: str
    card: Sealed | None
    doubt: Doubt | None = None
    apart: bool = False
    confidence: float | None = field(default=None, repr=False)
    evidence: bytes = field(default=b"", repr=False)
    frames: tuple[bytes, ...] = field(default=(), repr=False, compare=False)
    parts: tuple[Reading, ...] = field(default=(), repr=False)
    passed_ns: int | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.card is None) is (self.doubt is None):
            raise ValueError("a reading has either a card or a doubt")

    @property
    def picture(self) -> str:
        """The name under which the evidence is kept: its SHA-256; empty where there is none."""
        return hashlib.sha256(self.evidence).hexdigest() if self.evidence else ""


@frozen
class Repeats:
    """A reader sent the same code `count` times more, faster than any card can leave the shoe."""

    source: str
    count: int


class Button(Enum):
    """What a dealer's button means; pins and keys are mapped to these by the configuration."""

    NEXT = "next"
    STAND = "stand"
    HIT = "hit"
    REPEAT = "repeat"
    CALL = "call"


@frozen
class Press:
    """A debounced press of a dealer's button."""

    source: str
    button: Button


@frozen
class SpotChips:
    """What lies on a bet spot, as far as its sensor can tell.

    `tags` are the RFID tags found there, by their numbers in hexadecimal, in order; a sensor of
    another kind knows only whether chips are `present`. `amount` is what the tags are worth
    together, in minor units; None where one of them does not say.
    """

    present: bool
    tags: tuple[str, ...] = ()
    amount: int | None = None

    def same_as(self, other: SpotChips) -> bool:
        """Whether the same chips lie here: an amount that was not read on one side is no change."""
        if (self.present, self.tags) != (other.present, other.tags):
            return False
        return self.amount == other.amount or self.amount is None or other.amount is None

    def holds(self, other: SpotChips) -> bool:
        """Whether all that `other` has lies here, with or without more."""
        return (self.present or not other.present) and set(other.tags) <= set(self.tags)


@frozen
class SpotSensed:
    """What lies on the bet spot of `seat` from now on, by its sensor."""

    source: str
    seat: int
    chips: SpotChips


class Condition(Enum):
    """Whether a device works."""

    UP = "up"
    DOWN = "down"


@frozen
class Health:
    """A device came up, or went down; `why` says what happened and what to do."""

    device: str
    condition: Condition
    why: Message | None = None
