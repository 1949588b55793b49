"""A table's status as the wall reads it: the fields of the table's own status view that it shows.

The pit works nothing out from facts: a tile is what the table says of itself. Fields that the wall
does not show are passed over, so that a newer table's status is read too. What it shows has bounds:
whoever holds a table's password draws no tile that stops the wall, or the browsers before it.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from controller.bus.messages import UNREADABLE, Said, Whole, has_nul

#: More seats, hands, holds or alarms than a table has.
_MOST: Final = 200
Seat = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
#: The number of a record; -1: the table has none, and shows that it is stopped.
Seq = Annotated[int, msgspec.Meta(ge=-1, le=2**53)]
Pace = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


Name = Annotated[str, msgspec.Meta(max_length=60)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MOST)]


class UnreadableStatus(ValueError):
    """A status that is none; the text says where it differs from what a table sends."""


class HandSeat(msgspec.Struct, frozen=True):
    """The seat of a hand (0: the dealer), and whether it has cards."""

    seat: Seat
    wager: Said = ""


class ShoeGauge(msgspec.Struct, frozen=True):
    """How much of the shoe is gone: counts, never values."""

    gone: Whole = 0
    size: Whole = 0
    cut: Whole = 0


class OpenAlarm(msgspec.Struct, frozen=True):
    """Something wrong at the table, and whom it calls (`level` 0: nobody yet, 3: the pit boss).

    `trouble`: a hold, a device, a pack or the day; `about`: which of them.
    """

    number: Whole
    title: Said
    text: Said
    who: Said
    level: Whole
    since_ms: Whole
    heard: bool
    acknowledged: bool
    trouble: Said = ""
    about: Said = ""


class HoldOnTile(msgspec.Struct, frozen=True):
    """Why play stands still."""

    number: Whole
    title: Said
    since_ms: Whole


class DirectoryAtTable(msgspec.Struct, frozen=True):
    """The directory of people by which PINs are judged at a table, as it says itself. Wall times in
    ms; `by` is how the key begins that signed it.
    """

    serial: Whole
    issued_ms: Whole
    good_until_ms: Whole
    people: Whole
    by: Said
    by_file: bool = False


class TableStatus(msgspec.Struct, frozen=True):
    """What a table waits for, since when, and who must act. Times are wall times in ms.

    `stakes`: the least and the largest bet in minor units, both 0 where an older table names none.
    """

    seq: Seq
    game: Said
    phase: Said
    waiting_for: Said
    why: Said
    who: Said
    since_ms: Whole
    tone: Said
    round: Whole
    rounds_played: Whole
    rounds_per_hour: Pace | None
    limits: Said
    seats: Seat
    hands: Annotated[tuple[HandSeat, ...], msgspec.Meta(max_length=_MOST)]
    shoe: ShoeGauge
    holds: Annotated[tuple[HoldOnTile, ...], msgspec.Meta(max_length=_MOST)]
    alarms: Annotated[tuple[OpenAlarm, ...], msgspec.Meta(max_length=_MOST)]
    software: Said = ""
    simulated: bool = False
    house_loses: Said = ""
    edge_note: Said = ""
    closed: bool = False
    notes: Whole = 0
    pit_acts: Names = ()
    options: Annotated[tuple[tuple[Name, Name], ...], msgspec.Meta(max_length=_MOST)] = ()
    set_by_pit: Names = ()
    deals: Said = ""
    stakes: tuple[Whole, Whole] = (0, 0)
    directory: DirectoryAtTable | None = None


class TableNews(msgspec.Struct, frozen=True):
    """A message of a table: its status as of its record `seq`, at its own wall time.

    `body` is the message itself, of which a table's live page shows more than its tile.
    """

    table: Said
    seq: Seq
    at_ms: Whole
    status: TableStatus
    body: bytes = b""


_DECODER: Final = msgspec.json.Decoder(TableNews)


def read_news(body: bytes) -> TableNews:
    """The message. Raises `UnreadableStatus`."""
    if has_nul(body):
        raise UnreadableStatus("this is no status of a table: a text has a NUL")
    try:
        news = _DECODER.decode(body)
    except UNREADABLE as error:
        raise UnreadableStatus(f"this is no status of a table: {error}") from error
    return TableNews(news.table, news.seq, news.at_ms, news.status, body)
