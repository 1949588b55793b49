"""How many may be connected to the web, and who goes where somebody new comes. No I/O.

A connection costs a descriptor, and descriptors that the web takes are missing to the record and
the devices. So places are counted. Where all are taken, somebody goes: first who has waited longest
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

#: Places for those who look with the token: displays of the table, beside the viewers.
WRITER_PLACES: Final = 16
#: Places for requests, beside the streams.
REQUEST_PLACES: Final = 64
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
class Place:
    """One connection's place: from where, doing what since when.

    `trusted` once a request had the table's token.
    """

    address: str
    since_s: float
    activity: Activity = Activity.WAITING
    trusted: bool = False
    connection: Droppable | None = None


class Connections:
    """The connections of one web, at most `most`.

    `refused` and `dropped` count those that got no place, and those that lost theirs to another.
    """

    def __init__(self, most: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.refused = 0
        self.dropped = 0
        self._now_s = now_s
        self._places: dict[Place, None] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, place: Place) -> bool:
        return place in self._places

    def enter(self, address: str) -> Place | None:
        """A place for a new connection; None where nobody can go for it."""
        if len(self._places) >= self.most and not self._make_room():
            self.refused += 1
            return None
        place = Place(address, self._now_s())
        self._places[place] = None
        return place

    def leave(self, place: Place) -> None:
        """The connection has ended; safe to call twice."""
        self._places.pop(place, None)

    def does(self, place: Place, activity: Activity) -> None:
        """The connection does something else from now on."""
        place.activity, place.since_s = activity, self._now_s()

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

    def _who_goes(self) -> Place | None:
        strangers = [each for each in self._places if not each.trusted]
        waiting = [each for each in strangers if each.activity is Activity.WAITING]
        latest_s = self._now_s() - GRACE_S
        groups = (
            [each for each in waiting if each.since_s < latest_s],
            [each for each in strangers if each.activity is Activity.ASKING],
            waiting,
            [each for each in self._places if each.activity is Activity.WAITING],
        )
        found = next((group for group in groups if group), None)
        if found is None:
            return None
        address, _ = Counter(each.address for each in found).most_common(1)[0]
        return min((each for each in found if each.address == address), key=lambda it: it.since_s)
