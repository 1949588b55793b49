"""The record of the conformance kit that a configuration names beside an admitted driver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.assembly.conformance import CONTRACTS, RecordRefused, check
from controller.config.sections import AdmittedDriver
from drivers.conformance.tablectl_conformance.record import seal_of
from drivers.driver import DriverRole

DIGEST = "sha256:" + "7" * 64
ADMITTED = AdmittedDriver(version="1.4.0", digest=DIGEST, conformance=Path("record.json"))
KEPT = [
    {"name": name, "outcome": "kept", "why": ""} for name in sorted(CONTRACTS[DriverRole.OUTPUT])
]
RECORD: dict[str, Any] = {
    "version": 1, "driver": "acme_lamps", "package_version": "1.4.0", "digest": DIGEST,
    "good": True, "role": "OUTPUT", "contracts": KEPT,
}  # fmt: skip


def written(folder: Path, **changed: Any) -> Path:
    record = {**RECORD, **changed}
    path = folder / "record.json"
    path.write_text(json.dumps({**record, "seal": seal_of(record)}))
    return path


def test_a_good_record_of_this_driver_speaks_for_it(tmp_path: Path) -> None:
    check(written(tmp_path), "acme_lamps", ADMITTED)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"driver": "acme_shoe"}, "is of another driver"),
        ({"package_version": "1.3.0"}, "package_version is '1.3.0', not '1.4.0'"),
        ({"digest": "sha256:" + "8" * 64}, "is of another driver"),
        ({"good": False}, "every contract must be kept"),
        ({"version": 2}, "is of another form"),
        ({"contracts": KEPT[1:]}, f"{KEPT[0]['name']} was not".replace("[", r"\[")),
        ({"contracts": [*KEPT[1:], {**KEPT[0], "outcome": "not shown"}]}, "does not show all"),
        ({"contracts": ["all"]}, "has no list of contracts"),
        ({"role": "READER"}, "does not show all that a table asks of its role"),
        ({"role": "LAMP"}, "names no role"),
    ],
)
def test_another_record_does_not(tmp_path: Path, changed: dict[str, Any], why: str) -> None:
    with pytest.raises(RecordRefused, match=why):
        check(written(tmp_path, **changed), "acme_lamps", ADMITTED)


def test_a_record_that_was_changed_or_is_none_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, good=False)
    path.write_text(path.read_text().replace("false", "true"))
    with pytest.raises(RecordRefused, match="was changed after it was written"):
        check(path, "acme_lamps", ADMITTED)
    path.write_text("[]")
    with pytest.raises(RecordRefused, match="is no record"):
        check(path, "acme_lamps", ADMITTED)
    with pytest.raises(RecordRefused, match="cannot be read"):
        check(tmp_path / "nothing", "acme_lamps", ADMITTED)
