"""The serial port: what is wrong with it is said in words that help. It never sends."""

import errno
import os
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from drivers.io.serial_port import SerialPort, port_error
from drivers.settings.scanner import ScannerSettings
from tests.drivers.outside import ScannerLine

NOBODY = 65_534


def port(path: Path) -> SerialPort:
    return SerialPort(ScannerSettings(path, baud=115_200))


def test_bytes_come_as_they_are_and_none_go_out(line: ScannerLine) -> None:
    opened = port(line.link)
    opened.open()
    line.say(b"TH\x00\xffX\r\n")
    assert opened.read() == b"TH\x00\xffX\r\n"
    assert opened.read() == b""
    assert line.heard() == b""
    opened.close()
    opened.close()


def test_a_byte_with_a_wrong_parity_or_stop_bit_will_come_as_nul(line: ScannerLine) -> None:
    """A pty has no such bits: what is seen is what termios(3) asks for. NUL garbles a code."""
    opened = port(line.link)
    opened.open()
    mode = termios.tcgetattr(opened.fileno())[0]
    assert mode & termios.INPCK
    assert not mode & (termios.IGNPAR | termios.PARMRK)
    opened.close()


def test_what_came_before_it_was_opened_is_dropped(line: ScannerLine) -> None:
    line.say(b"THX\r")
    opened = port(line.link)
    opened.open()
    line.say(b"9CE\r")
    assert opened.read() == b"9CE\r"
    opened.close()


def test_a_pulled_plug_is_a_lost_device(line: ScannerLine) -> None:
    opened = port(line.link)
    opened.open()
    line.unplug()
    with pytest.raises(DeviceLost, match="check the scanner's plug"):
        opened.read()
    opened.close()


def test_a_scanner_that_is_not_there_is_absent(tmp_path: Path) -> None:
    with pytest.raises(DeviceAbsent, match="plug the scanner in"):
        port(tmp_path / "nothing").open()


def test_two_programs_cannot_have_it(line: ScannerLine) -> None:
    first = port(line.link)
    first.open()
    with pytest.raises(DeviceBusy, match="stop that program"):
        port(line.link).open()
    first.close()
    second = port(line.link)
    second.open()
    second.close()


def test_a_port_that_may_not_be_opened_is_denied(line: ScannerLine) -> None:
    # The super-user may open everything: another user has to try.
    line.link.parent.chmod(0o755)
    line.link.resolve().chmod(0o600)
    tries = (
        "import os, sys; from pathlib import Path\n"
        "from drivers.io.serial_port import SerialPort\n"
        "from drivers.settings.scanner import ScannerSettings\n"
        f"os.getuid() == 0 and os.setuid({NOBODY})\n"
        "try: SerialPort(ScannerSettings(Path(sys.argv[1]))).open()\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    if os.getuid() != 0:
        line.link.resolve().chmod(0)
    device = str(line.link.resolve())
    done = subprocess.run(
        [sys.executable, "-c", tries, device],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith("DeviceDenied")
    assert "group dialout" in done.stdout


def test_a_file_is_no_serial_port(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(DeviceError, match="is not a serial port"):
        port(file).open()


def test_settings_that_the_port_does_not_take_are_named(
    line: ScannerLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whether a pty takes seven bits depends on the kernel; this is what it says where it does not.
    def refuse(*_: object) -> None:
        raise termios.error(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(termios, "tcsetattr", refuse)
    odd = SerialPort(ScannerSettings(line.link, bytesize=7, parity="even", stopbits=1))
    with pytest.raises(DeviceError, match="7 data bits, parity even, 1 stop bits"):
        odd.open()
    assert not odd.is_open


@pytest.mark.parametrize(
    "target", ["/dev/input/event0", "/dev/hidraw0", "/dev/input/by-id/scanner"]
)
def test_a_scanner_that_types_is_refused(tmp_path: Path, target: str) -> None:
    link = tmp_path / "scanner"
    link.symlink_to(target)
    with pytest.raises(DeviceError, match=r"types like a keyboard: .* the manual's set-up code"):
        port(link).open()


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOENT, DeviceAbsent),
        (errno.ENXIO, DeviceAbsent),
        (errno.EBUSY, DeviceBusy),
        (errno.EAGAIN, DeviceBusy),
        (errno.EACCES, DeviceDenied),
        (errno.EPERM, DeviceDenied),
        (errno.EMFILE, DeviceError),
        (None, DeviceError),
    ],
)
def test_every_way_of_failing_has_its_type(number: int | None, kind: type[DeviceError]) -> None:
    assert type(port_error("/dev/x", number)) is kind
