"""Two readers on one exit, scanner and camera: their readings of one card become one. Pure.

Both saw the same beam, so the time at which the card had passed it says which readings belong
together. A reading whose partner does not come is told alone, as a doubt. Time is in ns.
"""

from __future__ import annotations

from typing import Final, Literal

from controller.devices.inputs import Doubt, Reading
from controller.rules.sealed import Sealed

_MS: Final = 1_000_000

Needs = Literal["both", "one"]
"""Whether a card needs both readers, or one is enough where the other could not tell."""

#: Doubts of a reader that saw nothing which speaks against what the other one read.
ABSTAINED: Final = frozenset(
    {
        Doubt.NO_CODE, Doubt.GARBLED, Doubt.NOT_SEEN, Doubt.NOT_RECOGNISED, Doubt.POOR_IMAGE,
    }
)  # fmt: skip

#: A camera that says so has seen a card, whatever the scanner read.
_CARDS_THERE: Final = (Doubt.SEVERAL, Doubt.FRAMES_DIFFER)


def fused(source: str, scanned: Reading, seen: Reading, needs: Needs) -> Reading:
    """One reading of what the scanner and the camera told of one card."""
    parts = (scanned, seen)
    told = [each for each in parts if each.card is not None]
    card: Sealed | None = None
    doubt: Doubt | None = None
    if len(told) == 2:
        if _kind(scanned) is _kind(seen):
            card = scanned.card  # it may have a serial number
        else:
            doubt = Doubt.READERS_DIFFER
    elif len(told) == 1:
        other = seen if told[0] is scanned else scanned
        if needs == "one" and other.doubt in ABSTAINED:
            card = told[0].card
        elif other.doubt is Doubt.CUT_CARD:
            doubt = Doubt.READERS_DIFFER  # else a card would leave unnoticed behind the cut card
        else:
            doubt = Doubt.ONE_READER if other.doubt in ABSTAINED else other.doubt
    else:
        # What speaks against one card, rather than for none, is what people should know.
        with_a_card = scanned.doubt is Doubt.CUT_CARD and seen.doubt in _CARDS_THERE
        doubt = seen.doubt if with_a_card or scanned.doubt in ABSTAINED else scanned.doubt
    return Reading(
        source, card, doubt, apart=scanned.apart and seen.apart,
        confidence=seen.confidence if card is not None else None,
        evidence=seen.evidence, parts=parts, passed_ns=scanned.passed_ns,
    )  # fmt: skip


def _kind(reading: Reading) -> object:
    return reading.card.open() if reading.card is not None else None


class ReadingFusion:
    """The readings that wait for their partner, in order."""

    def __init__(self, source: str, scanner: str, needs: Needs, patience_ms: int) -> None:
        self._source = source
        self._scanner = scanner
        self._needs = needs
        self._patience_ns = patience_ms * _MS
        self._waiting: list[tuple[int, Reading]] = []
        self._stuck_told = ""

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing waits."""
        return self._waiting[0][0] + self._patience_ns if self._waiting else None

    def tell(self, reading: Reading, at_ns: int) -> list[Reading]:
        """A reader has told something; what is certain by now, in order."""
        told = self.tick(at_ns)
        if reading.passed_ns is None:
            return told + self._no_card(reading)
        for place, (_, first) in enumerate(self._waiting):
            if first.passed_ns == reading.passed_ns and first.source != reading.source:
                told += [self._alone(each) for _, each in self._waiting[:place]]
                del self._waiting[: place + 1]
                scanned, seen = (
                    (first, reading) if first.source == self._scanner else (reading, first)
                )
                return [*told, fused(self._source, scanned, seen, self._needs)]
        self._waiting.append((at_ns, reading))
        return told

    def tick(self, at_ns: int) -> list[Reading]:
        """Time has passed."""
        told = []
        while self._waiting and at_ns >= self._waiting[0][0] + self._patience_ns:
            told.append(self._alone(self._waiting.pop(0)[1]))
        return told

    def _no_card(self, reading: Reading) -> list[Reading]:
        """Something stays in the exit: both readers tell it, and it is told once."""
        if self._stuck_told and self._stuck_told != reading.source:
            self._stuck_told = ""
            return []
        self._stuck_told = reading.source
        return [Reading(self._source, None, reading.doubt or Doubt.BEAM_STUCK)]

    def _alone(self, reading: Reading) -> Reading:
        """A card that only one of the two has noticed: neither is to be believed."""
        return Reading(
            self._source, None, Doubt.ONE_READER, apart=reading.apart, evidence=reading.evidence,
            parts=(reading,), passed_ns=reading.passed_ns,
        )  # fmt: skip
