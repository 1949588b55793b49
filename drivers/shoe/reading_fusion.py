"""Two readers on one exit, scanner and camera: their readings of one card become one. Pure.

Both know the same beam, so the time at which the card had passed it says which readings belong
together. A reading whose partner does not come is reported alone, as a doubt. Time is in ns.
"""

from __future__ import annotations

from typing import Final, Literal

from controller.devices.inputs import Doubt, Reading
from controller.rules.sealed import Sealed

_MS: Final = 1_000_000

Needs = Literal["both", "one"]
"""Whether a card needs both readers, or one is enough where the other could not tell."""

#: Doubts of a reader that speak against no card: it saw too little, not another one.
ABSTAINED: Final = frozenset(
    {
        Doubt.NO_CODE, Doubt.GARBLED, Doubt.NOT_SEEN, Doubt.NOT_RECOGNISED, Doubt.POOR_IMAGE,
    }
)  # fmt: skip

#: Doubts of a camera that has seen a card, whatever the scanner read.
_CARDS_THERE: Final = (Doubt.SEVERAL, Doubt.FRAMES_DIFFER)


def fused(source: str, scanned: Reading, filmed: Reading, needs: Needs) -> Reading:
    """One reading of the scanner's and the camera's of one card."""
    parts = (scanned, filmed)
    with_card = [each for each in parts if each.card is not None]
    card: Sealed | None = None
    doubt: Doubt | None = None
    if len(with_card) == 2:
        if _kind(scanned) is _kind(filmed):
            card = scanned.card  # it may have a serial number
        else:
            doubt = Doubt.READERS_DIFFER
    elif len(with_card) == 1:
        other = filmed if with_card[0] is scanned else scanned
        if needs == "one" and other.doubt in ABSTAINED:
            card = with_card[0].card
        elif other.doubt is Doubt.CUT_CARD:
            doubt = Doubt.READERS_DIFFER  # else a card would leave unnoticed behind the cut card
        else:
            doubt = Doubt.ONE_READER if other.doubt in ABSTAINED else other.doubt
    else:
        # Of two doubts people need the graver: that there is a card which is not the one expected.
        behind_cut_card = scanned.doubt is Doubt.CUT_CARD and filmed.doubt in _CARDS_THERE
        from_camera = behind_cut_card or scanned.doubt in ABSTAINED
        doubt = filmed.doubt if from_camera else scanned.doubt
    return Reading(
        source, card, doubt, apart=scanned.apart and filmed.apart,
        confidence=filmed.confidence if card is not None else None,
        evidence=filmed.evidence, frames=filmed.frames, parts=parts, passed_ns=scanned.passed_ns,
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
        self._stuck_source = ""

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing waits."""
        return self._waiting[0][0] + self._patience_ns if self._waiting else None

    def add(self, reading: Reading, at_ns: int) -> list[Reading]:
        """A reading of either reader; returns what is certain by now, in order."""
        readings = self.tick(at_ns)
        if reading.passed_ns is None:
            return readings + self._no_card(reading)
        for place, (_, first) in enumerate(self._waiting):
            # To the nanosecond: both have the time of the one edge (`SerialShoe.on_edge`).
            if first.passed_ns == reading.passed_ns and first.source != reading.source:
                readings += [self._alone(each) for _, each in self._waiting[:place]]
                del self._waiting[: place + 1]
                scanned, filmed = (
                    (first, reading) if first.source == self._scanner else (reading, first)
                )
                return [*readings, fused(self._source, scanned, filmed, self._needs)]
        self._waiting.append((at_ns, reading))
        return readings

    def tick(self, at_ns: int) -> list[Reading]:
        """Time has passed."""
        readings = []
        while self._waiting and at_ns >= self._waiting[0][0] + self._patience_ns:
            readings.append(self._alone(self._waiting.pop(0)[1]))
        return readings

    def flush(self) -> list[Reading]:
        """No other reading will come: those that wait for one."""
        waiting, self._waiting = self._waiting, []
        return [self._alone(each) for _, each in waiting]

    def _no_card(self, reading: Reading) -> list[Reading]:
        """Something stays in the exit: both readers report it, and it is passed on once."""
        if self._stuck_source and self._stuck_source != reading.source:
            self._stuck_source = ""
            return []
        self._stuck_source = reading.source
        return [Reading(self._source, None, reading.doubt or Doubt.BEAM_STUCK)]

    def _alone(self, reading: Reading) -> Reading:
        """A card that only one of the two has noticed: neither is to be believed."""
        return Reading(
            self._source, None, Doubt.ONE_READER, apart=reading.apart, evidence=reading.evidence,
            frames=reading.frames, parts=(reading,), passed_ns=reading.passed_ns,
        )  # fmt: skip
