"""The light barrier at the exit of the shoe: its level, its flutter, how long cards cover it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from calibration.devices.contacts import ContactEdge, Contacts
from calibration.devices.scans import ScanListener
from calibration.guide import Guide, NotGoodEnough, need, ready
from calibration.measure import Measurement
from controller.devices.inputs import Doubt
from drivers.settings.shoe import BeamSettings

CARDS: Final = 10
#: No card passes faster than this, and no flutter may last as long, ms.
LEAST_COVERED_MS: Final = 15.0
LEAST_GAP_MS: Final = 15.0
#: A code may come late by this much, and the table waits at least this long for it, ms.
LATE_AT_MOST_MS: Final = 400.0
LEAST_LATE_MS: Final = 120
_QUIET_MS: Final = 400
_MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class BeamCrossings:
    """What a row of cards did to the beam, in ms; `gone_ns` is when each had left it.

    `flutter_ms` is the longest flutter, 0 if there was none.
    """

    gone_ns: tuple[int, ...]
    covered_ms: tuple[float, ...]
    gaps_ms: tuple[float, ...]
    flutter_ms: float


def crossings(edges: Sequence[ContactEdge], covered_level: bool) -> BeamCrossings:
    """Read the edges of cards that were drawn one after another, the exit free before and after.

    Cover and gap shorter than half the least count as flutter of the edge of a card.
    """
    spans: list[tuple[int, int]] = []
    began: int | None = None
    flutter_ns = 0
    for edge in edges:
        if edge.active is covered_level:
            if began is not None:
                continue
            began = edge.at_ns
            if spans and edge.at_ns - spans[-1][1] < LEAST_GAP_MS / 2 * _MS:
                flutter_ns = max(flutter_ns, edge.at_ns - spans[-1][1])
                began = spans.pop()[0]
        elif began is not None:
            spans.append((began, edge.at_ns))
            began = None
    short = [end - start for start, end in spans if end - start < LEAST_COVERED_MS / 2 * _MS]
    whole = [(s, e) for s, e in spans if e - s >= LEAST_COVERED_MS / 2 * _MS]
    return BeamCrossings(
        tuple(end for _, end in whole),
        tuple((end - start) / _MS for start, end in whole),
        tuple((after[0] - before[1]) / _MS for before, after in pairwise(whole)),
        max([flutter_ns, *short]) / _MS,
    )


@dataclass(frozen=True, slots=True)
class DrawnCards:
    """Cards that were drawn: the beam's edges, and when each code came, monotonic, in ns."""

    edges: tuple[ContactEdge, ...]
    codes_ns: tuple[int, ...]


async def calibrate_beam(
    guide: Guide,
    pins: Sequence[int],
    contacts: Contacts,
    scans: ScanListener | None = None,
    cards: int = CARDS,
) -> tuple[BeamSettings, list[Measurement]]:
    """Find the beam among `pins`, and measure it with `cards` cards.

    With a scanner (`scans`, whose port is held by the caller) it is measured, too, how long after
    a card its code may come. Raises `NotGoodEnough`, `Abandoned`, `DeviceError`.
    """
    with contacts.watched():
        await ready(guide, "Leave the exit of the shoe free")
        free = await guide.watch("The exit is free", _levels(contacts, pins))
        await ready(guide, "Push a card half out of the shoe, into the beam, and leave it there")
        covered = await guide.watch("A card is in the beam", _levels(contacts, pins))
        moved = [pin for pin in pins if covered[pin] is not free[pin]]
        if len(moved) != 1:
            raise NotGoodEnough(_none_or_many(moved))
        pin = moved[0]
        covered_level = covered[pin]
        await ready(guide, "Take the card away again")
        after = await guide.watch("The exit is free again", _levels(contacts, pins))
        if after[pin] is covered_level:
            raise NotGoodEnough(f"GPIO {pin} still says covered: clean the barrier, align it")
        text = f"Draw {cards} cards from the shoe, one after another, as fast as at the table"
        # Before the words: whoever reads them draws at once.
        contacts.forget()
        if scans is not None:
            scans.waiting()
        drawn = await guide.watch(text, _drawn(contacts, pin, covered_level, cards, scans))
    found = crossings(drawn.edges, covered_level)
    measured = _measurements(found, cards)
    late_ms = LEAST_LATE_MS
    if scans is not None:
        took = lateness(drawn.codes_ns, found.gone_ns)
        measured.append(_late(took))
        late_ms = max(late_ms, math.ceil(1.5 * max(took, default=0)))
    need(guide, *measured)
    glitch_ms = max(4, math.ceil(2 * found.flutter_ms))
    return BeamSettings(
        pin, active_low=covered_level, pull_up=True, glitch_ms=glitch_ms, late_code_ms=late_ms
    ), measured


def lateness(codes_ns: Sequence[int], gone_ns: Sequence[int]) -> list[float]:
    """How long after its card had gone each code came, in ms; 0 for one that came before.

    The nth code is the nth card's; empty unless there are as many codes as cards.
    """
    if len(codes_ns) != len(gone_ns):
        return []
    return [max(0, code - gone) / _MS for code, gone in zip(codes_ns, gone_ns, strict=True)]


def _none_or_many(moved: list[int]) -> str:
    if not moved:
        return (
            "no pin changed with the card in the beam: check the barrier's supply and wire, and "
            "name its pin with --pins"
        )
    return f"GPIO {moved[0]} and GPIO {moved[1]} both changed: their wires touch"


async def _levels(contacts: Contacts, pins: Sequence[int]) -> dict[int, bool]:
    """Which pins are active now."""
    return {pin: contacts.level(pin) for pin in pins}


async def _drawn(
    contacts: Contacts, pin: int, covered_level: bool, cards: int, scans: ScanListener | None
) -> DrawnCards:
    """The edges until `cards` cards have passed and the beam has been still, and their codes."""
    edges: list[ContactEdge] = []
    while True:
        quiet_after = edges[-1].at_ns + _QUIET_MS * _MS if edges else None
        edge = await contacts.take(quiet_after)
        if edge is None:
            if len(crossings(edges, covered_level).covered_ms) >= cards:
                scanned = scans.waiting() if scans is not None else []
                # What was garbled is no code: its card was not read.
                codes = [each.at_ns for each in scanned if not isinstance(each.text, Doubt)]
                return DrawnCards(tuple(edges), tuple(codes))
            edge = await contacts.take()
        if edge is not None and edge.pin == pin:
            edges.append(edge)


def _measurements(found: BeamCrossings, cards: int) -> list[Measurement]:
    return [
        Measurement(
            "cards that passed", len(found.covered_ms), "cards", at_least=cards, at_most=cards,
            remedy=f"Draw exactly {cards}; if they were {cards}, align the barrier",
        ),
        Measurement(
            "shortest cover", _least(found.covered_ms), "ms", at_least=LEAST_COVERED_MS,
            remedy="Set the barrier where the whole card passes it",
        ),
        Measurement(
            "shortest gap between cards", _least(found.gaps_ms), "ms", at_least=LEAST_GAP_MS,
            remedy="Set the barrier where one card has left before the next can come",
        ),
        Measurement(
            "longest flutter", round(found.flutter_ms, 2), "ms", at_most=LEAST_COVERED_MS / 3,
            remedy="Shade the barrier from other light, align it",
        ),
    ]  # fmt: skip


def _late(took: Sequence[float]) -> Measurement:
    return Measurement(
        "code after its card has gone, at the latest", round(max(took), 2) if took else None, "ms",
        at_most=LATE_AT_MOST_MS,
        remedy="Every card must be read, once each: let the scanner read before the barrier",
    )  # fmt: skip


def _least(values: Sequence[float]) -> float | None:
    return round(min(values), 2) if values else None
