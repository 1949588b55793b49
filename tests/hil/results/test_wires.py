"""What a report says of the wires that a run used."""

from __future__ import annotations

from pathlib import Path

from tests.hil.results.wires import made_of, used_before, wires
from tests.hil.rig.rig_client import RigLineInfo
from tests.hil.simulated import OUTPUTS, TABLE

LINES = {
    "beam": RigLineInfo("out", "0"), "buzzer": RigLineInfo("in", "0"),
    "power": RigLineInfo("relay", "1"), "display": RigLineInfo("grab", "1"),
}  # fmt: skip


def test_each_line_says_where_it_goes_and_whether_it_was_used() -> None:
    told = wires(LINES, {"beam", "display"}, simulated=True)
    beam = f"rig's GPIO {OUTPUTS['beam']} to the table's {TABLE['beam']}"
    assert told["beam"] == f"out, {beam}, used"
    assert told["power"].endswith(", not used")
    assert told["display"] == "grab, used"
    assert used_before(told) == {"beam", "display"}
    assert wires(LINES, {"buzzer"}, simulated=False)["buzzer"] == "in, used"


def test_what_the_kernel_lacks_is_named_with_what_brings_it(tmp_path: Path) -> None:
    told = made_of(tmp_path)
    assert "modprobe gpio-sim" in told["pins"]
    assert "modprobe v4l2loopback" in told["camera"]


def test_what_the_kernel_has_and_is_not_used_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "sys/kernel/config/gpio-sim").mkdir(parents=True)
    name = tmp_path / "sys/class/video4linux/video9/name"
    name.parent.mkdir(parents=True)
    name.write_text("UVC Camera\n")
    assert "no v4l2loopback" in made_of(tmp_path)["camera"]
    name.write_text("Loopback 9\n")
    told = made_of(tmp_path)
    assert "has gpio-sim, which is not used" in told["pins"]
    assert "has v4l2loopback, which is not used" in told["camera"]
