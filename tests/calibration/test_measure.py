"""A measurement is good only if it was taken and is within its limits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from calibration.doctor import free_space, serial_port, sync_time
from calibration.measure import Measurement, MeasurementStatus


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (5.0, MeasurementStatus.GOOD),
        (1.0, MeasurementStatus.GOOD),
        (0.9, MeasurementStatus.BAD),
        (10.1, MeasurementStatus.BAD),
        (None, MeasurementStatus.NOT_MEASURED),
    ],
)
def test_the_verdict(value: float | None, verdict: MeasurementStatus) -> None:
    taken = Measurement("length", value, "mm", at_least=1.0, at_most=10.0, remedy="Cut it")
    assert taken.status is verdict
    assert taken.good is (verdict is MeasurementStatus.GOOD)
    assert ("Cut it" in str(taken)) is (verdict is not MeasurementStatus.GOOD)


def test_the_disk_is_measured_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    taken = sync_time(tmp_path)
    assert taken.value is not None
    assert taken.unit == "ms"
    assert list(tmp_path.iterdir()) == []
    assert sync_time(tmp_path / "nowhere").status is MeasurementStatus.NOT_MEASURED
    assert free_space(tmp_path).value is not None
    assert free_space(tmp_path / "nowhere").status is MeasurementStatus.NOT_MEASURED


def test_a_port_must_be_a_device_that_is_there(tmp_path: Path) -> None:
    master, slave = os.openpty()
    try:
        assert serial_port(Path(os.ttyname(slave))).good
    finally:
        os.close(master)
        os.close(slave)
    (tmp_path / "file").write_text("")
    assert serial_port(tmp_path / "file").status is MeasurementStatus.BAD
    assert serial_port(tmp_path / "nothing").status is MeasurementStatus.NOT_MEASURED
