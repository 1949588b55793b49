"""What the doctor says of a node of another kind, and of cameras that are no node."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from controller.commands.doctor import camera
from controller.commands.doctor.finding import CheckFinding, CheckVerdict
from controller.commands.doctor.machine import Machine
from drivers.settings.camera import CameraSettings
from tests.commands.doctor.conftest import put
from tests.commands.doctor.test_devices_off_the_header import with_devices
from tests.commands.doctor.test_doctor import found


@pytest.fixture
def terminal() -> Iterator[str]:
    """A node that is there and may be opened, and is a line: nothing that types."""
    ours, theirs = os.openpty()
    yield os.ttyname(theirs)
    for end in (ours, theirs):
        os.close(end)


@pytest.mark.parametrize(
    ("kind", "verdict"), [("pts", "bad"), ("input", "good"), ("unheard-of", "bad")]
)
def test_a_node_of_another_kind_is_told_before_it_is_opened_in_vain(
    kind: str, verdict: str, terminal: str, table: Path, root: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    major = os.major(Path(terminal).stat().st_rdev)
    put(root, "proc/devices", f"Character devices:\n  1 mem\n{major:3} {kind}\n\nBlock devices:\n")
    _, findings = found(capsys, "--root", root, with_devices(table, keypad=terminal))
    assert findings["keypad.device"]["verdict"] == verdict
    if verdict == "bad":
        assert findings["keypad.device"]["why"] == f"It is a device of the kind {kind}, not input"
        assert findings["keypad.device"]["mend"] == "correct [keypad]"


def test_a_simulated_table_may_have_lines_in_place_of_its_devices(
    terminal: str, table: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    major = os.major(Path(terminal).stat().st_rdev)
    put(root, "proc/devices", f"Character devices:\n{major:3} pts\n")
    asked = ("--allow-simulated", "--root", root, with_devices(table, keypad=terminal))
    _, findings = found(capsys, *asked)
    assert findings["keypad.device"]["verdict"] == "good"


def of(source: str, root: Path) -> CheckFinding:
    (finding,) = camera.findings(CameraSettings(source), root, Machine(root))
    return finding


def test_a_stream_is_asked_whether_it_answers_and_never_printed_whole(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        there = of(f"http://floor:secret@127.0.0.1:{port}/shoe", tmp_path)
    away = of(f"http://floor:secret@127.0.0.1:{port}/shoe", tmp_path)
    assert (there.verdict, away.verdict) == (CheckVerdict.GOOD, CheckVerdict.BAD)
    assert there.id == away.id == "camera.stream"
    assert "Connection refused" in away.why
    assert "secret" not in f"{there} {away}"


def test_a_ribbon_takes_a_library_and_a_sensor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "find_spec", lambda _: None)
    assert "picamera2" in of("csi", tmp_path).mend
    monkeypatch.setattr(camera, "find_spec", lambda _: find_spec("pathlib"))
    assert "ribbon" in of("csi", tmp_path).mend
    put(tmp_path, "dev/media0", "")
    assert of("csi", tmp_path).verdict is CheckVerdict.GOOD


def test_a_film_is_there_or_is_not(tmp_path: Path) -> None:
    assert of("shoe.mp4", tmp_path).why == "It is not there"
    put(tmp_path, "shoe.mp4", "")
    assert of("shoe.mp4", tmp_path).verdict is CheckVerdict.GOOD


def test_a_camera_that_is_a_node_is_looked_at_as_one(tmp_path: Path) -> None:
    assert not [*camera.findings(CameraSettings("/dev/video0"), tmp_path, Machine(tmp_path))]
