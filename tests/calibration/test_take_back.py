"""`tablectl calibrate KIND CONFIG --undo`: what the last calibration of a kind replaced is back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.certificate import CertificateRefused, read
from calibration.measure import Measurement
from controller.__main__ import main
from controller.assembly.certificates import check_certificates
from controller.assembly.wiring import load
from controller.commands.calibrate import write
from controller.commands.calibrate.found import Found
from controller.config.configuration import Config
from tests.calibration.bench import CONFIG
from tests.support.faults.power import not_safe
from tests.support.processes.below import Below, compiled

GOOD = (Measurement("read", 1, at_least=1),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(CONFIG)
    return file


def calibrate_codes(path: Path, card: str) -> None:
    config = load(path)
    assert config.devices.scanner is not None
    name = "certificates/codes.toml"
    settings = replace(config.devices.scanner, codes=name)
    found = Found(settings, GOOD, ((name, f'[codes]\n"X1" = "{card}"\n'),))
    write.keep("codes", path, config, found)


def calibrate_leds(path: Path) -> None:
    config = load(path)
    assert config.devices.leds is not None
    spots = tuple(reversed(config.devices.leds.spots))
    write.keep("leds", path, config, Found(replace(config.devices.leds, spots=spots), GOOD))


def undo(kind: str, path: Path) -> int:
    return main(["calibrate", kind, str(path), "--undo"])


def check(path: Path) -> None:
    """The table would start with its certificates."""
    config = load(path)
    check_certificates(config, max(read(each).made_ms for each in config.certified.values()))


def test_the_first_calibration_is_taken_back_to_none(path: Path) -> None:
    calibrate_leds(path)
    check(path)
    assert undo("leds", path) == 0
    assert load(path) == load_of(CONFIG, path)
    assert os.listdir(path.parent / "certificates") == []
    assert not write.before_path("leds", path).exists()


def load_of(text: str, path: Path) -> Config:
    other = path.with_name("other.toml")
    other.write_text(text)
    return load(other)


def test_the_second_one_is_taken_back_to_the_first(path: Path) -> None:
    calibrate_codes(path, "As")
    first = {each.name: each.read_bytes() for each in (path.parent / "certificates").glob("c*")}
    calibrate_leds(path)
    calibrate_codes(path, "Kh")
    check(path)
    assert undo("codes", path) == 0
    again = {each.name: each.read_bytes() for each in (path.parent / "certificates").glob("c*")}
    assert again == first
    assert '"As"' in again["codes.toml"].decode()
    check(path)
    assert load(path).certified.keys() == {"codes", "leds"}, "what came between stays"


def test_nothing_is_taken_back_twice(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calibrate_codes(path, "As")
    calibrate_codes(path, "Kh")
    assert undo("leds", path) == 78
    assert "no calibration of leds was written" in capsys.readouterr().err
    assert undo("codes", path) == 0
    before = path.read_text()
    assert undo("codes", path) == 78
    assert path.read_text() == before
    check(path)


@pytest.mark.parametrize("cut", range(3))
def test_broken_off_it_is_done_again(cut: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calibrate_codes(path, "As")
    calibrate_codes(path, "Kh")
    name = ("copytree", "_replace", "rmtree")[cut]
    where = write if name == "_replace" else shutil

    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(where, name, fail)
        assert undo("codes", path) == 1
    if name == "copytree":
        with pytest.raises(CertificateRefused, match="cannot be read"):
            check_certificates(load(path), 0)
    assert undo("codes", path) == (78 if name == "rmtree" else 0)
    check(path)
    assert '"As"' in (path.parent / "certificates/codes.toml").read_text()


@pytest.mark.parametrize("cut", ["copy2", "certificate", "read rights", "_replace"])
def test_a_calibration_that_cannot_be_written_leaves_the_one_before(
    cut: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk at any write: the table starts as before, and what is taken back is whole."""
    calibrate_codes(path, "As")
    calibrate_codes(path, "Kh")
    there = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    where, name = {
        "copy2": (shutil, "copy2"), "certificate": (write, "write"),
        "read rights": (write, "_let_read"), "_replace": (write, "_replace"),
    }[cut]  # fmt: skip
    with monkeypatch.context() as patched:
        patched.setattr(where, name, full)
        with pytest.raises(OSError, match="No space"):
            calibrate_codes(path, "2c")
    assert path.read_bytes() == there
    assert '"Kh"' in (path.parent / "certificates/codes.toml").read_text()
    check(path)
    assert undo("codes", path) == 0
    check(path)


def calibrate_camera(path: Path, card: bytes) -> None:
    config = load(path)
    assert config.devices.camera is not None
    part = path.parent / "certificates/.deck.part"
    part.mkdir(parents=True)
    (part / "As-1.png").write_bytes(card)
    settings = replace(config.devices.camera, deck=Path("certificates/deck"))
    write.keep("camera", path, config, Found(settings, GOOD, deck=part))


def test_a_captured_deck_is_taken_back_with_its_certificate(path: Path) -> None:
    path.write_text(CONFIG + '[camera]\nsource = "/dev/video0"\n')
    captured = path.parent / "certificates/deck/As-1.png"
    calibrate_camera(path, b"first")
    calibrate_camera(path, b"second")
    check(path)
    assert captured.read_bytes() == b"second"
    assert undo("camera", path) == 0
    assert captured.read_bytes() == b"first"
    check(path)


class PowerCutError(BaseException):
    """The machine is off."""


@pytest.mark.parametrize("cut", ["write_durable", "write", "_let_all_read", "_replace"])
def test_a_power_cut_as_it_is_written_costs_that_calibration_and_nothing_before_it(
    cut: str, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calibrate_codes(path, "As")
    calibrate_codes(path, "Kh")

    def off(*_: object, **__: object) -> None:
        raise PowerCutError

    with monkeypatch.context() as patched:
        patched.setattr(write, cut, off)
        patched.setattr(write, "_undo_writing", off)
        with pytest.raises(PowerCutError):
            calibrate_codes(path, "2c")
    assert undo("codes", path) == 0
    assert "was cut off as it was written" in capsys.readouterr().out
    assert '"Kh"' in (path.parent / "certificates/codes.toml").read_text()
    check(path)
    assert undo("codes", path) == 0
    assert '"As"' in (path.parent / "certificates/codes.toml").read_text()
    check(path)


def test_a_power_cut_after_it_was_written_leaves_what_was_found(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrate_leds(path)
    first = path.read_bytes()

    def off(*_: object) -> None:
        raise PowerCutError

    with monkeypatch.context() as patched:
        patched.setattr(write, "_keep_aside", off)
        with pytest.raises(PowerCutError):
            calibrate_leds(path)
    assert path.read_bytes() != first
    calibrate_codes(path, "As")
    check(path)
    assert undo("leds", path) == 0
    assert load(path).devices.leds == load_of(first.decode(), path).devices.leds
    check(path)


def test_a_calibration_whose_terminal_is_closed_as_it_is_written_leaves_the_one_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrate_codes(path, "As")

    def hang_up(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(write, "_replace", hang_up)
        with pytest.raises(KeyboardInterrupt):
            calibrate_codes(path, "Kh")
    assert '"As"' in (path.parent / "certificates/codes.toml").read_text()
    check(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone gives files away")
def test_what_root_puts_back_the_service_can_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chown(path, 0, 4_711)
    path.chmod(0o640)
    calibrate_codes(path, "As")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(write, "_replace", full)
        with pytest.raises(OSError, match="No space"):
            calibrate_codes(path, "Kh")
    for each in (path.parent / "certificates").glob("codes*"):
        assert (each.stat().st_gid, each.stat().st_mode & 0o777) == (4_711, 0o640), each


def test_a_configuration_that_is_a_link_stays_one(path: Path) -> None:
    kept = path.parent / "kept" / "table.toml"
    kept.parent.mkdir()
    path.rename(kept)
    path.symlink_to(kept)
    calibrate_leds(path)
    assert path.is_symlink()
    assert "certificates/leds.json" in kept.read_text()
    check(path)


CALIBRATES = """
import sys
from pathlib import Path
from tests.calibration.test_take_back import calibrate_camera, calibrate_codes
path = Path(sys.argv[1])
for nth in (1, 2):
    calibrate_codes(path, "As")
    calibrate_camera(path, b"card")
"""


def test_what_a_calibration_wrote_is_there_after_a_power_cut(path: Path, tmp_path: Path) -> None:
    path.write_text(CONFIG + '[camera]\nsource = "/dev/video0"\n')
    command = [sys.executable, "-c", CALIBRATES, str(path)]
    with closing(Below(compiled(tmp_path), path.parent, log=True)) as below:
        subprocess.run(command, check=True, env={**os.environ, **below.environment})
        assert not_safe(below.log(), path.parent) == []
