"""A run on a bench: a figure that is missing or outside its limits fails it, in all its files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
BENCH = """\
[bench]
name = "trial"
report = "{report}"
suites = ["guard", "table"]
[table]
simulated = true
[rig]
simulated = true
"""
TESTS = """\
import pytest

@pytest.mark.bench("table")
def test_within(measure):
    measure("lamps", unit="lamps", at_least=1).take(2)

@pytest.mark.bench("table")
def test_outside(measure):
    measure("scan to lamp", unit="ms", at_most=20).take(21)

@pytest.mark.bench("guard")
def test_not_measured(measure, tested):
    measure("hang to held", unit="s", at_most=3)
    tested.picture("nothing", b"PNG")

@pytest.mark.bench("table")
def test_skipped():
    pytest.skip("no such game")

@pytest.mark.bench("power")
def test_of_a_suite_that_is_not_run():
    raise AssertionError

def test_of_no_suite():
    raise AssertionError
"""


def test_what_is_outside_or_not_measured_fails_and_stands_in_every_file(tmp_path: Path) -> None:
    report = tmp_path / "report"
    (tmp_path / "bench.toml").write_text(BENCH.format(report=report))
    tests = tmp_path / "test_trial.py"
    tests.write_text(TESTS)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "pyproject.toml",
         f"--hil={tmp_path / 'bench.toml'}", str(tests)],
        cwd=CHECKOUT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout + ran.stderr
    assert "2 failed, 1 passed, 1 skipped, 2 deselected" in ran.stdout
    record = json.loads((report / "record.json").read_text())
    assert not record["good"]
    assert {"load at the beginning", "load at the end"} <= record["about"]["this machine"].keys()
    found = {
        each["name"]: [each["outcome"], *(one["verdict"] for one in each["measurements"])]
        for each in record["tests"]
    }
    assert list(found) == ["not measured", "within", "outside", "skipped"], "the bench's order"
    assert found["within"] == ["passed", "within limits"]
    assert found["outside"] == ["failed", "outside limits"]
    assert found["not measured"] == ["failed", "not measured"]
    assert found["skipped"] == ["skipped"]
    assert record["tests"][0]["why"] == "hang to held: not measured (at most 3 s)"
    assert record["tests"][3]["why"] == "no such game"
    suite = Xml.parse(report / "junit.xml").getroot()[0]
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("2", "1")
    shown = (report / "report.html").read_text()
    assert "Not everything is as it should be." in shown
    assert "scan to lamp: 21 ms outside limits (at most 20 ms)" in shown


def test_a_bench_that_makes_no_sense_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text("[rig]\nsimulated = true\n[bench]\nname = 'a'")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", f"--hil={path}", "tests/hil/suites"],
        cwd=CHECKOUT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "table and rig are both simulated, or both real" in ran.stderr
