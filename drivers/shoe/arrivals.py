"""Bytes of a scanner and edges of the beam that a loop finds together, in the order of one passage.

A loop that was busy finds them at once, and bytes carry no time. Taken in any order a code could go
to the next card, and from then on every code to the card after. Pure: time is a parameter, in ns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_MS: Final = 1_000_000
#: So soon after a card has left no code of the next one can be read: it has to come there first.
NO_NEXT_CODE_NS: Final = 50 * _MS


@dataclass(frozen=True, slots=True, repr=False)
class ScannerBytes:
    """Bytes of the scanner, which may name a hidden card: there is no repr.

    Not `certain`: they came while several cards passed, and may be any one's. Before `since_ns`
    there were none; None where nobody asks.
    """

    data: bytes
    at_ns: int
    certain: bool = True
    since_ns: int | None = None


@dataclass(frozen=True, slots=True)
class BeamEdge:
    """The beam was broken or cleared."""

    covered: bool
    at_ns: int


def in_order(
    data: bytes, since_ns: int, edges: Sequence[BeamEdge], now_ns: int, late_code_ns: int
) -> list[ScannerBytes | BeamEdge]:
    """What was found together at `now_ns`: the bytes first, then the edges as they were.

    With the edges of one card they are its code, wherever in its passage they came. `late_code_ns`
    is how long after its card a code may come.
    """
    if not data:
        return list(edges)
    at_ns = edges[0].at_ns if edges else now_ns
    certain = not _another_card(edges) and not _may_be_of_the_next(edges, now_ns, late_code_ns)
    return [ScannerBytes(data, at_ns, certain, since_ns), *edges]


def _another_card(edges: Sequence[BeamEdge]) -> bool:
    """Whether a card has left and something came into the beam after it."""
    cleared = False
    for edge in edges:
        if edge.covered and cleared:
            return True
        cleared = cleared or not edge.covered
    return False


def _may_be_of_the_next(edges: Sequence[BeamEdge], now_ns: int, late_code_ns: int) -> bool:
    """Whether bytes that were found with these edges may be the code of a card after them: the
    loop was busy for so long that one may lie in the exit by now.
    """
    if not edges or edges[-1].covered:
        return False
    return now_ns - edges[-1].at_ns > max(late_code_ns, NO_NEXT_CODE_NS)
