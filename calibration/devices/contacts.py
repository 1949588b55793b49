"""Contacts watched while people use them: edges as they come, and what a contact really did."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from drivers.event_queue import EventQueue
from drivers.io.pin_edges import InputPin, OnEdge
from drivers.io.pins import Factory

#: Edges of one contact that follow each other within this are one movement that bounces, ms.
BOUNCE_MS: Final = 30
_MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ContactEdge:
    """A pin became active (low, if it is pulled up) or not; monotonic, in ns."""

    pin: int
    active: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class Movement:
    """One movement of a contact: where it came to rest, and how long it bounced, in ms."""

    pin: int
    active: bool
    began_ns: int
    bounce_ms: float


def movements(edges: Iterable[ContactEdge], bounce_ms: int = BOUNCE_MS) -> list[Movement]:
    """What the contacts did, in order. A flutter that ends where it began is none."""
    by_pin: dict[int, list[list[ContactEdge]]] = {}
    for edge in edges:
        clusters = by_pin.setdefault(edge.pin, [])
        if clusters and edge.at_ns - clusters[-1][-1].at_ns <= bounce_ms * _MS:
            clusters[-1].append(edge)
        else:
            clusters.append([edge])
    found = [each for clusters in by_pin.values() for each in _moved(clusters)]
    return sorted(found, key=lambda each: each.began_ns)


def _moved(clusters: list[list[ContactEdge]]) -> Iterator[Movement]:
    """The movements of one contact from its edges, those that follow each other put together."""
    at_rest: bool | None = None
    for cluster in clusters:
        first, last = cluster[0], cluster[-1]
        if last.active is not at_rest:
            took_ms = (last.at_ns - first.at_ns) / _MS
            yield Movement(last.pin, last.active, first.at_ns, took_ms)
        at_rest = last.active


class Contacts:
    """Input pins, watched together. Must be used inside a running loop."""

    def __init__(self, pins: Sequence[int], factory: Factory, *, pull_up: bool = True) -> None:
        self._pins = {
            pin: InputPin(pin, factory, "contacts", pull_up=pull_up, active_low=True)
            for pin in pins
        }
        self._inbox: EventQueue[ContactEdge] = EventQueue(limit=4_096)

    @contextmanager
    def watched(self) -> Iterator[Contacts]:
        """Hold the pins. Raises `DeviceError`."""
        self._inbox = EventQueue(limit=4_096)
        try:
            for number, pin in self._pins.items():
                pin.open(self._tell(number))
            yield self
        finally:
            for pin in self._pins.values():
                pin.close()

    def level(self, pin: int) -> bool:
        """Whether the pin is active (low) now. Raises `DeviceError`."""
        return self._pins[pin].active

    async def take(self, until_ns: int | None = None) -> ContactEdge | None:
        """The next edge; None when the monotonic clock reached `until_ns` first."""
        return await self._inbox.take(until_ns)

    def forget(self) -> None:
        """Drop the edges that were not taken."""
        self._inbox = EventQueue(limit=4_096)

    def _tell(self, number: int) -> OnEdge:
        def tell(active: bool, at_ns: int) -> None:
            if self._inbox.has_room:
                self._inbox.put(ContactEdge(number, active, at_ns))

        return tell


async def until_quiet(contacts: Contacts, quiet_ms: int, edges: list[ContactEdge]) -> None:
    """Take edges until there was none for that long."""
    while True:
        edge = await contacts.take(time.monotonic_ns() + quiet_ms * _MS)
        if edge is None:
            return
        edges.append(edge)
