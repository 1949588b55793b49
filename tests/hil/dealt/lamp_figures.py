"""How long the lamps took to answer: figures that are declared before a day is dealt."""

from __future__ import annotations

from collections.abc import Sequence

from tests.hil.bench_file import BenchLimits
from tests.hil.dealt.passages import LampAnswer
from tests.hil.results.measure import Measurements, quantile


class LampFigures:
    """Median, 99th percentile and the worst from an event to the lamp; how many had none.

    `count` of `events` at least are timed. `later_ms` is what the device takes by its settings,
    beside the limits: a debounced contact, the frames of a camera. `what` says of which game and
    scanner.
    """

    def __init__(
        self, measure: Measurements, limits: BenchLimits, event: str, events: str, what: str, *,
        count: int, later_ms: float = 0.0,
    ) -> None:  # fmt: skip
        self._timed = measure(f"{events} timed", of=what, unit=events, at_least=count)
        self._dark = measure(f"{events} that no lamp answered", of=what, unit=events, at_most=0)
        self._p50, self._p99, self._worst = (
            measure(f"{event} to lamp, {name}", of=what, unit="ms", at_most=later_ms + at_most)
            for name, at_most in (
                ("p50", limits.scan_to_lamp_p50_ms), ("p99", limits.scan_to_lamp_p99_ms),
                ("worst", limits.scan_to_lamp_max_ms),
            )
        )  # fmt: skip

    def take(self, answers: Sequence[LampAnswer], missing: int) -> None:
        """What was measured; where nothing was, the times stay "not measured"."""
        self._timed.take(len(answers))
        self._dark.take(missing)
        if answers:
            times_ms = [each.ms for each in answers]
            self._p50.take(quantile(times_ms, 0.50))
            self._p99.take(quantile(times_ms, 0.99))
            self._worst.take(max(times_ms))
