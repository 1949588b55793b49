"""How many may be connected to the web, and who goes where somebody new comes. No I/O.

A connection costs a descriptor, and descriptors that the web takes are missing to the record and
the devices. So slots are counted. Where all are taken, somebody goes: first who has waited longest
without a request, of the address with most of those; then whoever asks without the token. Whoever
has just connected has a moment to send a request, as every browser does.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

#: Slots for those who look with the token: displays of the table, beside the viewers.
WRITER_SLOTS: Final = 16
#: Slots for requests, beside the streams.
REQUEST_SLOTS: Final = 64
#: A request follows its connection within this time.
GRACE_S: Final = 0.25


class Droppable(Protocol):
    """A connection that can be ended at once, whatever the other end does."""

    def abort(self) -> None:
        """End it: nothing more is sent."""
        ...


class Activity(Enum):
    """What a connection is there for at the moment."""

    WAITING = "no whole request"
    ASKING = "a request is being answered"
    LOOKING = "a stream"


@dataclass(eq=False, slots=True)
class Slot:
    """One connection's slot: from where, doing what since when.

    `trusted` once a request had the table's token.
    """

    address: str
    since_s: float
    activity: Activity = Activity.WAITING
    trusted: bool = False
    connection: Droppable | None = None


class Connections:
    """The connections of one web, at most `most`.

    `refused` and `dropped` count those that got no slot, and those that lost theirs to another.
    """

    def __init__(self, most: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.refused = 0
        self.dropped = 0
        self._now_s = now_s
        self._slots: dict[Slot, None] = {}

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._slots

    def enter(self, address: str) -> Slot | None:
        """A slot for a new connection; None where nobody can go for it."""
        if len(self._slots) >= self.most and not self._make_room():
            self.refused += 1
            return None
        slot = Slot(address, self._now_s())
        self._slots[slot] = None
        return slot

    def leave(self, slot: Slot) -> None:
        """The connection has ended; safe to call twice."""
        self._slots.pop(slot, None)

    def does(self, slot: Slot, activity: Activity) -> None:
        """The connection does something else from now on."""
        slot.activity, slot.since_s = activity, self._now_s()

    def _make_room(self) -> bool:
        """End a connection for another one; False where none may be ended."""
        goes = self._who_goes()
        if goes is None:
            return False
        self.leave(goes)
        self.dropped += 1
        if goes.connection is not None:
            goes.connection.abort()
        return True

    def _who_goes(self) -> Slot | None:
        strangers = [each for each in self._slots if not each.trusted]
        waiting = [each for each in strangers if each.activity is Activity.WAITING]
        latest_s = self._now_s() - GRACE_S
        groups = (
            [each for each in waiting if each.since_s < latest_s],
            [each for each in strangers if each.activity is Activity.ASKING],
            waiting,
            [each for each in self._slots if each.activity is Activity.WAITING],
        )
        found = next((group for group in groups if group), None)
        if found is None:
            return None
        address, _ = Counter(each.address for each in found).most_common(1)[0]
        return min((each for each in found if each.address == address), key=lambda it: it.since_s)
