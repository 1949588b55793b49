"""A measurement is good only if it was taken and is within its limits."""

from __future__ import annotations

import pytest

from calibration.measure import Measurement, MeasurementStatus


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (5.0, MeasurementStatus.GOOD),
        (1.0, MeasurementStatus.GOOD),
        (0.9, MeasurementStatus.BAD),
        (10.1, MeasurementStatus.BAD),
        (None, MeasurementStatus.NOT_MEASURED),
        (float("nan"), MeasurementStatus.NOT_MEASURED),
    ],
)
def test_the_verdict(value: float | None, verdict: MeasurementStatus) -> None:
    taken = Measurement("length", value, "mm", at_least=1.0, at_most=10.0, remedy="Cut it")
    assert taken.status is verdict
    assert taken.good is (verdict is MeasurementStatus.GOOD)
    assert (taken.value is None) is (verdict is MeasurementStatus.NOT_MEASURED)
    assert ("Cut it" in str(taken)) is (verdict is not MeasurementStatus.GOOD)
