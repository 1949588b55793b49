"""`tablectl calibrate KIND CONFIG --undo`: what the last calibration of a kind replaced is back."""

from __future__ import annotations

import os
import shutil
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
from tests.calibration.bench import CONFIG

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


def load_of(text: str, path: Path) -> object:
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
def test_broken_off_it_lets_no_table_start_and_is_done_again(
    cut: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrate_codes(path, "As")
    calibrate_codes(path, "Kh")
    name = ("copytree", "_replace", "rmtree")[cut]
    where = write if name == "_replace" else shutil

    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(where, name, fail)
        assert undo("codes", path) == 1
    if name != "rmtree":
        with pytest.raises(CertificateRefused):
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
