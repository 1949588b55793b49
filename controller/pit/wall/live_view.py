"""A table's felt as its status says it, for the table's live page in the pit.

It is read when somebody looks, out of the message that the wall has: the table's own view, in which
a card that lies face down has no code. What is shown has bounds, as a tile has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from controller.bus.messages import UNREADABLE, Said, Whole
from controller.pit.wall.status import Name, Seat, Seq
from controller.pit.wall.tile import Tile
from controller.pit.wall.wall import Wall
from controller.rules.cards import IndexStyle

#: More hands of a table, cards of a hand, or rounds and holds of a status than there are.
_MOST: Final = 100
#: The code of a card; empty: it lies face down.
Code = Annotated[str, msgspec.Meta(pattern="^([A2-9TJQK][cdhs]|Jo)?$", max_length=2)]
Words = Annotated[str, msgspec.Meta(max_length=200)]


class LiveCard(msgspec.Struct, frozen=True):
    """A card as it lies; `raised`: pushed slightly up."""

    code: Code
    label: Name = ""
    raised: bool = False


class LiveTotal(msgspec.Struct, frozen=True):
    """A part of what a hand counts."""

    word: Words
    number: Words
    over: bool


class LiveHand(msgspec.Struct, frozen=True):
    """A hand as the table's own pages show it; seat 0 is the dealer, hand 0 a side bet."""

    seat: Seat
    hand: Seat
    light: Name
    cards: Annotated[tuple[LiveCard, ...], msgspec.Meta(max_length=_MOST)]
    total: Words
    total_parts: Annotated[tuple[LiveTotal, ...], msgspec.Meta(max_length=_MOST)]
    wager: Words
    note: Words
    result: Words
    outcome: Name
    net: Words
    settled: bool
    active: bool


class LiveShoe(msgspec.Struct, frozen=True):
    """The shoe: counts of cards, never values."""

    number: Whole
    size: Whole
    gone: Whole
    cut: Whole
    state: Words
    due: bool
    counted: bool = False


class LiveWords(msgspec.Struct, frozen=True):
    """The game's words for its dealer and its seats, and how its cards print their ranks."""

    dealer: Name
    seat: Name
    joker: bool
    index: IndexStyle


class LiveRound(msgspec.Struct, frozen=True):
    """One of the last rounds; wall times of the table in ms, `ended_ms` null while in play."""

    number: Whole
    started_ms: Whole
    ended_ms: Whole | None
    void: bool
    dummy: bool = False


class LiveHold(msgspec.Struct, frozen=True):
    """Why play stands still."""

    number: Whole
    title: Said
    text: Said


class LiveAlarm(msgspec.Struct, frozen=True):
    """Something wrong at the table."""

    number: Whole
    title: Said
    text: Said


class LiveFelt(msgspec.Struct, frozen=True):
    """What lies on the felt, and what the table says of it."""

    seq: Seq
    round: Whole
    hands: Annotated[tuple[LiveHand, ...], msgspec.Meta(max_length=_MOST)]
    dealer: LiveHand | None
    shoe: LiveShoe
    seats: Seat
    pot: Words
    button: Seat
    words: LiveWords
    limits: Said
    rule: Said
    rounds: Annotated[tuple[LiveRound, ...], msgspec.Meta(max_length=_MOST)]
    holds: Annotated[tuple[LiveHold, ...], msgspec.Meta(max_length=_MOST)]
    alarms: Annotated[tuple[LiveAlarm, ...], msgspec.Meta(max_length=_MOST)]


class _News(msgspec.Struct, frozen=True):
    status: LiveFelt


@dataclass(frozen=True, slots=True)
class LivePicture:
    """A table as its live page shows it: its tile, and its felt; null where there is none to be
    drawn, and `no_felt` says why. `at_ms` is the pit's time, `heard_ms` when the table was heard.
    """

    at_ms: int
    heard_ms: int | None
    tile: Tile
    felt: LiveFelt | None
    no_felt: str


_DECODER: Final = msgspec.json.Decoder(_News)


def live_picture(wall: Wall, table: str, at_ms: int) -> LivePicture:
    """The table as it is known now."""
    heard, shown = wall.heard.get(table), wall.tile(table)
    if (unread := wall.unread.get(table)) is not None:
        return LivePicture(at_ms, None, shown, None, f"{unread.text}.")
    if heard is None:
        return LivePicture(at_ms, None, shown, None, "The pit has not heard this table yet.")
    try:
        felt = _DECODER.decode(heard.body).status
    except UNREADABLE:
        why = "What the table says of its felt cannot be drawn: it may run other software."
        return LivePicture(at_ms, heard.at_ms, shown, None, why)
    return LivePicture(at_ms, heard.at_ms, shown, felt, "")
