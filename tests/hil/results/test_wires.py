"""What a report says of the wires that a run used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sim_hw.devices.pins.kernel_chip import CONFIGFS
from tests.hil import kernel_fakes as fakes_here
from tests.hil.kernel_fakes import kernel_fakes
from tests.hil.results.wires import made_of, used_before, wires
from tests.hil.rig.rig_client import RigLineInfo
from tests.hil.stands.simulated import OUTPUTS, TABLE

LINES = {
    "beam": RigLineInfo("out", "0"), "buzzer": RigLineInfo("in", "0"),
    "power": RigLineInfo("relay", "1"), "display": RigLineInfo("grab", "1"),
}  # fmt: skip


def test_each_line_says_where_it_goes_and_whether_it_was_used() -> None:
    lines = wires(LINES, {"beam", "display"}, simulated=True)
    beam = f"rig's GPIO {OUTPUTS['beam']} to the table's {TABLE['beam']}"
    assert lines["beam"] == f"out, {beam}, used"
    assert lines["power"].endswith(", not used")
    assert lines["display"] == "grab, used"
    assert used_before(lines) == {"beam", "display"}
    assert wires(LINES, {"buzzer"}, simulated=False)["buzzer"] == "in, used"


def test_what_the_kernel_lacks_is_named_with_what_brings_it(tmp_path: Path) -> None:
    lines = made_of(kernel_fakes(tmp_path))
    assert lines["pins"].startswith("headers over a socket; no gpio-sim")
    assert "modprobe gpio-sim" in lines["pins"]
    assert lines["camera"].startswith("MJPEG of the panel over TCP; no v4l2loopback")
    assert "modprobe v4l2loopback exclusive_caps=1 card_label=tablectl" in lines["camera"]


def test_what_the_kernel_has_is_used_or_it_is_said_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / CONFIGFS).mkdir(parents=True)
    monkeypatch.setattr(fakes_here, "find_spec", lambda _: None)
    assert "lgpio module is missing" in made_of(kernel_fakes(tmp_path))["pins"]
    monkeypatch.setattr(fakes_here, "find_spec", lambda name: name)
    assert made_of(kernel_fakes(tmp_path))["pins"].startswith("chips of gpio-sim")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "may not write" in made_of(kernel_fakes(tmp_path))["pins"]


def test_only_the_loopback_with_our_label_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = tmp_path / "sys/class/video4linux/video9/name"
    name.parent.mkdir(parents=True)
    for others in ("UVC Camera", "Dummy video device (0x0000)"):
        name.write_text(f"{others}\n")
        assert not kernel_fakes(tmp_path).camera
    name.write_text("tablectl\n")
    assert "may not be written to" in made_of(kernel_fakes(tmp_path))["camera"]
    monkeypatch.setattr(os, "access", lambda *_: True)
    fakes = kernel_fakes(tmp_path)
    assert fakes.camera == str(tmp_path / "dev/video9")
    assert made_of(fakes)["camera"] == f"v4l2loopback at {fakes.camera}"
