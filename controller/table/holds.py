"""Holds: why the table stops, what the dealer reads, and the lawful ways on. One table, as data.

A hold stays open until one of its ways is chosen, also across a restart. Cards stay where they
lie; nothing is moved back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from controller.rules.sealed import Sealed


class Reason(Enum):
    """Why the table is held."""

    UNREADABLE = "unreadable"
    BURN_UNREAD = "burn_unread"
    HIDDEN_UNREAD = "hidden_unread"
    IMPOSSIBLE = "impossible"
    UNEXPECTED = "unexpected"
    TWIN = "twin"
    RECOUNT = "recount"
    OUT_OF_CARDS = "out_of_cards"
    FLOOR = "floor"
    DIFFERENCE = "difference"
    SHOE_OFF = "shoe_off"
    PACK_SIZE = "pack_size"


class Way(Enum):
    """A lawful way on."""

    ENTER_CARD = "enter_card"
    NO_CARD = "no_card"
    SET_ASIDE = "set_aside"
    FACE_DOWN = "face_down"
    ONE = "one"
    TWO = "two"
    AGREES = "agrees"
    REFILLED = "refilled"
    RELEASE = "release"
    SQUARED = "squared"
    VOID = "void"
    NEW_SHOE = "new_shoe"
    COUNT_AGAIN = "count_again"
    PACK_OUT = "pack_out"


class Label(NamedTuple):
    """How a way on reads on its button, and its key on a keyboard."""

    text: str
    key: str


WAY_LABELS: Final[dict[Way, Label]] = {
    Way.ENTER_CARD: Label("Enter the card", "e"),
    Way.NO_CARD: Label("No card left the shoe", "n"),
    Way.SET_ASIDE: Label("Put the card aside, face down", "b"),
    Way.FACE_DOWN: Label("A card lies face down", "d"),
    Way.ONE: Label("One card", "1"),
    Way.TWO: Label("Two cards", "2"),
    Way.AGREES: Label("Cards agree", "a"),
    Way.REFILLED: Label("Discards shuffled and loaded", "l"),
    Way.RELEASE: Label("Go on", "g"),
    Way.SQUARED: Label("Paid and collected", "p"),
    Way.VOID: Label("Void the round", "v"),
    Way.NEW_SHOE: Label("Void, and load a new pack", "x"),
    Way.COUNT_AGAIN: Label("Count again", "t"),
    Way.PACK_OUT: Label("Pack out of play", "o"),
}


class Kind(NamedTuple):
    """A kind of hold: its title, what to do, and its ways on. Voiding needs a round in play."""

    title: str
    advice: str
    ways: tuple[Way, ...]


HOLDS: Final[dict[Reason, Kind]] = {
    Reason.UNREADABLE: Kind(
        "Card not read",
        "Leave the card where it lies. Look at it and enter it, or say that none left the shoe.",
        (Way.ENTER_CARD, Way.FACE_DOWN, Way.NO_CARD, Way.VOID),
    ),
    Reason.BURN_UNREAD: Kind(
        "Burn card not read",
        "Do not look at it. Put it aside face down; it counts as gone.",
        (Way.SET_ASIDE, Way.NO_CARD),
    ),
    Reason.HIDDEN_UNREAD: Kind(
        "Hidden card not certain",
        "Do not look at it. Count whether one card went face down, or none.",
        (Way.FACE_DOWN, Way.NO_CARD, Way.VOID),
    ),
    Reason.IMPOSSIBLE: Kind(
        "This card cannot be",
        "Look at the card. If it was misread, enter it. If it is right, the pack is wrong.",
        (Way.ENTER_CARD, Way.FACE_DOWN, Way.NEW_SHOE),
    ),
    Reason.UNEXPECTED: Kind(
        "A card nobody waited for",
        "Leave the cards on the felt. Put this card aside face down; it counts as gone.",
        (Way.SET_ASIDE, Way.NO_CARD, Way.VOID),
    ),
    Reason.TWIN: Kind(
        "One card or two?",
        "Count the cards that left the shoe just now.",
        (Way.ONE, Way.TWO),
    ),
    Reason.RECOUNT: Kind(
        "Recount",
        "Compare every card on the felt with this display. Enter what is missing, in order.",
        (Way.AGREES, Way.ENTER_CARD, Way.FACE_DOWN, Way.SET_ASIDE, Way.VOID),
    ),
    Reason.OUT_OF_CARDS: Kind(
        "The shoe is empty",
        "Shuffle the discards and load them; the round goes on. Tell the players.",
        (Way.REFILLED, Way.VOID),
    ),
    Reason.FLOOR: Kind(
        "Floor called",
        "Wait for the floor. Cards and chips stay where they lie.",
        (Way.RELEASE, Way.ENTER_CARD, Way.FACE_DOWN, Way.SET_ASIDE, Way.VOID),
    ),
    Reason.DIFFERENCE: Kind(
        "Corrected: settle the difference",
        "Hands that were settled come to something else. Pay and collect, then confirm.",
        (Way.SQUARED,),
    ),
    Reason.SHOE_OFF: Kind(
        "The shoe does not add up",
        "Keep all its cards together. The status page lists the rounds since it last did.",
        (Way.COUNT_AGAIN, Way.PACK_OUT),
    ),
    Reason.PACK_SIZE: Kind(
        "This pack is not whole",
        "Do not deal from it. Count it again, or take another one.",
        (Way.COUNT_AGAIN, Way.PACK_OUT),
    ),
}


@dataclass(frozen=True, slots=True)
class Hold:
    """An open hold. `text` says what happened; `card` is what was read, sealed."""

    number: int
    reason: Reason
    text: str
    since_ms: int
    card: Sealed | None = None
    source: str = ""

    def ways(self, closed: frozenset[Way]) -> tuple[Way, ...]:
        """The ways on without those that are `closed` at this moment."""
        return tuple(way for way in HOLDS[self.reason].ways if way not in closed)
