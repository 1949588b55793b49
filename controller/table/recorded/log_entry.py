"""An entry of the logbook: what one record says, for every viewer alike.

Made by `controller.table.logbook`. It names no card that lies face down.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from controller.rules.messages import Message
from controller.table.roles import Person


class Mark(Enum):
    """What sets an entry apart; a round wears the marks of its entries. The value is its name.

    PERSON: somebody gave their PIN for it. ENTRY: a card was entered by hand. DOUBT: a reader was
    not sure, or read what cannot be. ASIDE: a card was put aside, kept or taken back. RESTART: the
    service was started again.
    """

    HOLD = "hold"
    ALARM = "alarm"
    PERSON = "person"
    ENTRY = "entry"
    REFUSAL = "refusal"
    DOUBT = "doubt"
    PICTURE = "picture"
    DEVICE = "device"
    CORRECTION = "correction"
    VOID = "void"
    ASIDE = "aside"
    RESTART = "restart"


class LogEntry(NamedTuple):
    """What the record `seq` says: `said`, by whom and why, and how long it took.

    `round` is the round that it is about, `hold` the hold; 0: none. `by` are the people who gave
    their PINs, `reason` is what they typed. `took_ms` is the time since what it ends began, None
    where it ends nothing. `picture` names a picture that may be shown. `times`: the same was said
    so often in a row, first at `at_ms`.
    """

    seq: int
    at_ms: int
    said: Message
    marks: tuple[Mark, ...] = ()
    round: int = 0
    hold: int = 0
    by: tuple[Person, ...] = ()
    reason: str = ""
    took_ms: int | None = None
    picture: str = ""
    times: int = 1


#: How many entries a round keeps; the record has them all.
ROUND_ENTRIES_MAX = 200


def with_entry(entries: tuple[LogEntry, ...], entry: LogEntry) -> tuple[LogEntry, ...]:
    """The entries of a round with one more; the same refusal again only counts up.

    The newest of a full list is replaced, so that how the round ended stands in it.
    """
    last = entries[-1] if entries else None
    if last and last.marks == (Mark.REFUSAL,) == entry.marks and last.said == entry.said:
        return (*entries[:-1], last._replace(times=last.times + 1))
    return (*entries[: ROUND_ENTRIES_MAX - 1], entry)
