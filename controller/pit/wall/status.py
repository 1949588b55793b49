"""A table's status as the wall reads it: the fields of the table's own status view that it shows.

The pit works nothing out from facts: a tile is what the table says of itself. Fields that the wall
does not show are passed over, so that a newer table's status is read too.
"""

from __future__ import annotations

from typing import Final

import msgspec

from controller.bus.messages import UNREADABLE


class UnreadableStatus(ValueError):
    """A status that is none; the text says where it differs from what a table sends."""


class HandSeat(msgspec.Struct, frozen=True):
    """The seat of a hand (0: the dealer), and whether it has cards."""

    seat: int
    wager: str = ""


class ShoeGauge(msgspec.Struct, frozen=True):
    """How much of the shoe is gone: counts, never values."""

    gone: int = 0
    size: int = 0
    cut: int = 0


class OpenAlarm(msgspec.Struct, frozen=True):
    """Something wrong at the table, and whom it calls (`level` 0: nobody yet, 3: the pit boss)."""

    number: int
    title: str
    text: str
    who: str
    level: int
    since_ms: int
    heard: bool
    acknowledged: bool


class HoldOnTile(msgspec.Struct, frozen=True):
    """Why play stands still."""

    number: int
    title: str
    since_ms: int


class TableStatus(msgspec.Struct, frozen=True):
    """What a table waits for, since when, and who must act. Times are wall times in ms."""

    seq: int
    game: str
    phase: str
    waiting_for: str
    why: str
    who: str
    since_ms: int
    tone: str
    round: int
    rounds_played: int
    rounds_per_hour: float | None
    limits: str
    seats: int
    hands: tuple[HandSeat, ...]
    shoe: ShoeGauge
    holds: tuple[HoldOnTile, ...]
    alarms: tuple[OpenAlarm, ...]
    software: str = ""
    simulated: bool = False
    house_loses: str = ""
    edge_note: str = ""


class TableNews(msgspec.Struct, frozen=True):
    """A message of a table: its status as of its record `seq`, at its own wall time."""

    table: str
    seq: int
    at_ms: int
    status: TableStatus


_DECODER: Final = msgspec.json.Decoder(TableNews)


def read_news(body: bytes) -> TableNews:
    """The message. Raises `UnreadableStatus`."""
    try:
        return _DECODER.decode(body)
    except UNREADABLE as error:
        raise UnreadableStatus(f"this is no status of a table: {error}") from error
