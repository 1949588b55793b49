"""The small form of the simulated bench, as a run of its own: a round, a hang, a power cut."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.hil.inner_run import inner_run
from tests.hil.ways import BENCH_LIGHTS

HERE = Path(__file__).parent
#: So long a card is before the camera that a busy machine has two frames of it, too.
BY_CAMERA = 'scanners = ["camera"]\npassing_ms = 2000'


def test_the_small_bench_is_within_its_limits_and_leaves_record_junit_and_report(
    tmp_path: Path, long_form: bool
) -> None:
    """The quick form deals. The long one also times cards, hangs the service, cuts its power and
    looks at the dealer's display.
    """
    config = tmp_path / "bench.toml"
    quick = (HERE / "sim_quick.toml").read_text()
    if not long_form:
        quick = quick.replace(', "latency", "guard", "power", "kiosk"]', "]")
        assert 'suites = ["table"]' in quick
    config.write_text(quick.replace(".hil-report-quick", str(tmp_path / "report")))
    ran = inner_run(f"--hil={config}", str(HERE / "suites"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    record = json.loads((tmp_path / "report" / "record.json").read_text())
    assert record["good"]
    assert record["simulated"]
    figures = {
        each["name"]: each["value"] for test in record["tests"] for each in test["measurements"]
    }
    assert figures["rounds that agree, 21-24-27, scanner ssi"] == 1
    assert figures["spots that show another thing, 21-24-27, scanner ssi"] == 0
    assert figures["cards timed, 21-24-27, scanner ssi"] >= 1
    if long_form:
        assert figures["cards timed, scanner ssi"] >= 10
        assert figures["worst field, after a round"] < 0.06
        assert figures["power cuts"] == 1
        assert figures["facts that were shown and not on record"] == 0
        assert figures["records that did not verify or lost their end"] == 0
        assert 0 < figures["hang to held, scanner ssi"] < 30
    assert {"build", "devices"} <= record["about"]["table"].keys()
    assert record["about"]["rig"]["gpiozero"]
    wires = record["about"]["wires"]
    for name in ("beam", "scanner", "lamp1_red", "next", "call"):
        assert "not used" not in wires[name], wires
    for name in ("power", "display") if long_form else ():
        assert "not used" not in wires[name], wires
    assert wires["plug camera"].endswith("not used")
    if long_form:
        assert record["about"]["wires are"]["lines"]
    suite = Xml.parse(tmp_path / "report" / "junit.xml").getroot()[0]
    assert suite.attrib["failures"] == "0"
    assert suite.findall(".//property")
    shown = (tmp_path / "report" / "report.html").read_text()
    assert "rounds that agree, 21-24-27, scanner ssi" in shown
    if long_form:
        assert "<svg" in shown


@pytest.mark.long
@pytest.mark.parametrize("lights", BENCH_LIGHTS[1:])
def test_a_round_is_dealt_under_lights_of_every_kind(tmp_path: Path, lights: str) -> None:
    """A hang holds every spot; a strip has ten of them."""
    config = tmp_path / "bench.toml"
    game = "seven-twenty-seven" if lights == "strip" else "21-24-27"
    quick = (HERE / "sim_quick.toml").read_text()
    for was, now in (
        ('scanners = ["ssi"]', f'lights = ["{lights}"]'),
        ('games = ["21-24-27"]', f'games = ["{game}"]'),
        ('"latency", "guard", "power", "kiosk"]', '"guard"]'),
    ):
        assert was in quick
        quick = quick.replace(was, now)
    config.write_text(quick.replace(".hil-report-quick", str(tmp_path / "report")))
    ran = inner_run(f"--hil={config}", str(HERE / "suites"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    record = json.loads((tmp_path / "report" / "record.json").read_text())
    figures = {
        each["name"]: each["value"] for test in record["tests"] for each in test["measurements"]
    }
    lit = f"scanner plain, lit by {lights}"
    assert figures[f"rounds that agree, {game}, {lit}"] == 1
    assert figures[f"spots that show another thing, {game}, {lit}"] == 0
    assert figures[f"cards timed, {game}, {lit}"] >= 1
    assert 0 < figures[f"hang to held, {lit}"] < 120
    wire = {"strip": "strip", "sacn": "fixtures", "dmx": "dmx"}.get(lights, "lamp1_red")
    wires = record["about"]["wires"]
    assert "not used" not in wires[wire], wires


@pytest.mark.long
def test_a_round_is_dealt_on_a_panel_before_a_camera(tmp_path: Path) -> None:
    """A machine that starves has the table hold where two frames of a card came too late."""
    config = tmp_path / "bench.toml"
    quick = (HERE / "sim_quick.toml").read_text().replace('scanners = ["ssi"]', BY_CAMERA)
    config.write_text(quick.replace(".hil-report-quick", str(tmp_path / "report")))
    ran = inner_run(f"--hil={config}", str(HERE / "suites" / "test_rounds.py"))
    assert (tmp_path / "report" / "record.json").exists(), ran.stdout + ran.stderr
    record = json.loads((tmp_path / "report" / "record.json").read_text())
    figures = {
        each["name"].removesuffix(", 21-24-27, scanner camera"): each["value"]
        for test in record["tests"]
        for each in test["measurements"]
    }
    assert figures["rounds that agree"] == 1, ran.stdout
    assert figures["problems of the record"] == 0
    assert figures["spots that show another thing"] == 0
    assert figures["cards timed"] >= 1
    assert figures["cards that no lamp answered"] == 0
    wires = record["about"]["wires"]
    for name in ("beam", "panel", "photodiode"):
        assert "not used" not in wires[name], wires
    assert wires["scanner"].endswith("not used")
