"""`tablectl drivers --scanner`: the rules take another scanner, as `make install` writes them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands.drivers.scanner_rule import RULES, with_scanner

ROOT = Path(__file__).parents[2]


def test_it_writes_what_an_installation_writes(tmp_path: Path) -> None:
    pinned = "0c2e:0b61:S-1234.A"
    done = subprocess.run(
        ROOT / "systemd/install", check=False, capture_output=True, text=True,
        env={**os.environ, "DESTDIR": str(tmp_path), "SCANNER_USB": pinned},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    installed = (tmp_path / RULES).read_text()
    delivered = (ROOT / "systemd/udev/99-tablectl.rules").read_text()
    assert with_scanner(delivered, pinned) == installed
    assert main(["drivers", "--scanner", "05e0:1701", "--install", str(tmp_path)]) == 0
    assert (tmp_path / RULES).read_text() == delivered, "and back, without the serial number"


@pytest.mark.parametrize("numbers", ["", "ttyUSB0", "0C2E:0b61", '0c2e:0b61:a"b', "0c2e:0b61\n"])
def test_what_is_no_usb_device_changes_nothing(numbers: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="take it from lsusb"):
        with_scanner("", numbers)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        'SUBSYSTEM=="tty", KERNELS=="1-1.2", SYMLINK+="tablectl-scanner"\n',
        '# ATTRS{idVendor}=="05e0", ATTRS{idProduct}=="1701", SYMLINK+="tablectl-scanner"\n',
    ],
)
def test_rules_that_ask_for_no_numbers_are_left_and_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str
) -> None:
    path = tmp_path / RULES
    path.parent.mkdir(parents=True)
    path.write_text(rule)
    assert main(["drivers", "--scanner", "0c2e:0b61", "--install", str(tmp_path)]) != 0
    assert "write 0c2e:0b61 into it by hand" in capsys.readouterr().err
    assert path.read_text() == rule


def test_where_there_are_no_rules_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["drivers", "--scanner", "0c2e:0b61", "--install", str(tmp_path)]) == 1
    assert "sudo make install writes it" in capsys.readouterr().err
