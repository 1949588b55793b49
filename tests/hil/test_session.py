"""A run on a bench: a figure that is missing or outside its limits fails it, in all its files."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from xml.etree import ElementTree as Xml

import pytest

from tests.hil.bench_file import BenchError, load_bench
from tests.hil.inner_run import inner_run
from tests.hil.results.run_record import RunRecord
from tests.hil.session import HilSession

BENCH = """\
[bench]
name = "trial"
report = "{report}"
suites = ["guard", "table"]
games = ["blackjack", "21-24-27"]
scanners = ["ssi", "gm65"]
lights = ["pins", "strip"]
rounds = 25
cards = 5
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

@pytest.mark.bench("table")
def test_dealt(dealt, bench):
    assert dealt in [
        ("blackjack", ("ssi", "pins")), ("21-24-27", ("ssi", "pins")),
        ("21-24-27", ("gm65", "pins")), ("21-24-27", ("ssi", "strip")),
    ]
    assert bench.share(25, dealt[1]) == (25 if dealt[1] == ("ssi", "pins") else 2)

@pytest.mark.bench("table")
def test_of_each(way, bench):
    first = way == ("ssi", "pins")
    assert bench.game("blackjack", way) == ("blackjack" if first else "21-24-27")
    assert bench.share(5, way) == (5 if first else 1)

@pytest.mark.bench("table")
def test_by_each(scanner):
    assert scanner in ("ssi", "gm65")

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
    ran = inner_run("-c", "pyproject.toml", f"--hil={tmp_path / 'bench.toml'}", str(tests))
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout + ran.stderr
    assert "2 failed, 10 passed, 1 skipped, 2 deselected" in ran.stdout
    record = json.loads((report / "record.json").read_text())
    assert not record["good"]
    assert {"load at the beginning", "load at the end"} <= record["about"]["this machine"].keys()
    found = {
        each["name"]: [each["outcome"], *(one["verdict"] for one in each["measurements"])]
        for each in record["tests"]
    }
    assert list(found) == [
        "not measured", "within", "outside", "skipped", "dealt, blackjack", "dealt, 21-24-27",
        "dealt, 21-24-27 by gm65", "dealt, 21-24-27 lit by strip", "of each, scanner ssi",
        "of each, scanner gm65", "of each, scanner ssi, lit by strip", "by each, ssi",
        "by each, gm65",
    ], "the bench's order"  # fmt: skip
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


def test_a_run_whose_table_did_not_tell_of_itself_fails(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(BENCH.format(report=tmp_path))
    run = RunRecord("trial", True, datetime.now(UTC))
    run.about["this machine"] = {}
    for told, status in ((0, pytest.ExitCode.OK), (1, pytest.ExitCode.TESTS_FAILED)):
        run.tell_of_table({"temperature": (told, "51.1'C")})
        ended = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
        HilSession(load_bench(path), run).pytest_sessionfinish(cast(pytest.Session, ended))
        assert ended.exitstatus == status


def test_scanners_that_a_rig_does_not_play_or_a_table_has_no_file_for_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bench.toml"
    for scanners, at, why in (
        ('["plain", "qr"]', "simulated = true", "qr is none: choose of plain, ssi"),
        ("[]", "simulated = true", "bench.scanners is empty"),
        ('["ssi", "gm65"]', 'host = "rig"', "no configuration for 21-24-27 by gm65"),
        ('["ssi"]', 'host = "rig"', "table.about has no command for build: give it one"),
    ):
        real = '[table.configs]\n21-24-27 = "t.toml"' if "host" in at else ""
        table = 'url = "http://t"' if real else at
        bench = f'[bench]\nname = "a"\ngames = ["21-24-27"]\nscanners = {scanners}\n'
        path.write_text(f"{bench}[rig]\n{at}\n[table]\n{table}\n{real}")
        with pytest.raises(BenchError, match=why):
            load_bench(path)


def test_lights_that_a_rig_does_not_look_at_or_a_table_has_no_file_for_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bench.toml"
    for lights, at, why in (
        ('["pins", "lasers"]', "simulated = true", "lasers is none: choose of pins, pca9685"),
        ("[]", "simulated = true", "bench.lights is empty"),
        ('["pins", "dmx"]', 'host = "rig"', "no configuration for 21-24-27 lit by dmx"),
        ('["pins", "strip"]', 'host = "rig"', "for seven-twenty-seven lit by strip"),
    ):
        configs = '21-24-27 = "t.toml"\nseven-twenty-seven = "s.toml"'
        real = f"[table.configs]\n{configs}" if "host" in at else ""
        table = 'url = "http://t"' if real else at
        bench = (
            f'[bench]\nname = "a"\ngames = ["21-24-27", "seven-twenty-seven"]\nlights = {lights}\n'
        )
        path.write_text(f"{bench}[rig]\n{at}\n[table]\n{table}\n{real}")
        with pytest.raises(BenchError, match=why):
            load_bench(path)


def test_a_bench_that_makes_no_sense_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text("[rig]\nsimulated = true\n[bench]\nname = 'a'")
    ran = inner_run(f"--hil={path}", "tests/hil/suites")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "table and rig are both simulated, or both real" in ran.stderr
