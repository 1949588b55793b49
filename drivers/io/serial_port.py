"""A serial port as a stream of bytes: the one file that knows pyserial."""

from __future__ import annotations

import errno
import os
import select
import stat
import termios
from typing import Final

import serial

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from controller.rules.messages import message
from drivers.settings.scanner import ScannerSettings

READ_BYTES: Final = 4_096

_PARITIES: Final = {
    "none": serial.PARITY_NONE,
    "even": serial.PARITY_EVEN,
    "odd": serial.PARITY_ODD,
    "mark": serial.PARITY_MARK,
    "space": serial.PARITY_SPACE,
}
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO, errno.ENOTDIR})
_BUSY: Final = frozenset({errno.EBUSY, errno.EAGAIN})
_DENIED: Final = frozenset({errno.EACCES, errno.EPERM})
_INPUT_MAJOR: Final = 13  # Linux: Documentation/admin-guide/devices.txt


class SerialPort:
    """A serial port by its settings. Opening it drops what came before (the driver's recount)."""

    def __init__(self, settings: ScannerSettings) -> None:
        self._settings = settings
        self._serial: serial.Serial | None = None

    def open(self) -> None:
        """Open and lock the port. Raises `DeviceError`."""
        settings = self._settings
        path = str(settings.port)
        _refuse_keyboard(path)
        try:
            self._serial = serial.Serial(
                path,
                baudrate=settings.baud,
                bytesize=settings.bytesize,
                parity=_PARITIES[settings.parity],
                stopbits=settings.stopbits,
                timeout=0,
                exclusive=True,
            )
            _report_errors(self.fileno())
        except OSError as error:  # SerialException is one
            raise port_error(path, error.errno) from error
        except (termios.error, ValueError) as error:
            self.close()
            refused = message(
                "port-refuses-settings", port=path, baud=settings.baud, bytesize=settings.bytesize,
                parity=settings.parity, stopbits=settings.stopbits,
            )  # fmt: skip
            raise DeviceError(refused) from error

    @property
    def is_open(self) -> bool:
        """Whether there is a descriptor."""
        return self._serial is not None

    def fileno(self) -> int:
        """The descriptor to wait on. The port must be open."""
        assert self._serial is not None
        return int(self._serial.fileno())

    def read(self) -> bytes:
        """What has come; empty if nothing has. Raises `DeviceLost` when the port is gone."""
        # By the descriptor: pyserial's read would call select again, although the loop has.
        try:
            data = os.read(self.fileno(), READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._lost() from error
        if not data and self._has_hung_up():
            raise self._lost()
        return data

    def write(self, data: bytes) -> None:
        """Send `data`, which must be short: a few packets. Raises `DeviceLost`."""
        try:
            sent = os.write(self.fileno(), data)
        except OSError as error:  # one that takes nothing at all is lost, too
            raise self._lost() from error
        if sent != len(data):
            raise self._lost()

    def close(self) -> None:
        """Close the port; safe at any time, more than once."""
        opened, self._serial = self._serial, None
        if opened is not None:
            opened.close()

    def _has_hung_up(self) -> bool:
        """Whether reading nothing means the end: an idle serial line reads as nothing too."""
        poll = select.poll()
        poll.register(self.fileno(), 0)
        return bool(poll.poll(0))  # nothing was asked for, so this is an error or a hang-up

    def _lost(self) -> DeviceLost:
        return DeviceLost(message("port-lost", port=str(self._settings.port)))


def port_error(path: str, number: int | None) -> DeviceError:
    """The error for the system's error `number` at opening `path` (None: it is no serial port)."""
    if number in _ABSENT:
        return DeviceAbsent(message("port-absent", port=path))
    if number in _BUSY:
        return DeviceBusy(message("port-in-use", port=path))
    if number in _DENIED:
        return DeviceDenied(message("port-denied", port=path))
    if number is None or number == errno.ENOTTY:
        return DeviceError(message("port-not-serial", port=path))
    return DeviceError(message("port-cannot-open", port=path, detail=os.strerror(number)))


def _report_errors(descriptor: int) -> None:
    """Let a byte with a wrong parity or stop bit come as NUL, which is in no code.

    pyserial leaves the check off: the kernel then hands on the byte as it came, with a wrong bit.
    Source: termios(3), INPCK and PARMRK. Raises `termios.error`.
    """
    mode = termios.tcgetattr(descriptor)
    mode[0] = mode[0] & ~(termios.IGNPAR | termios.PARMRK) | termios.INPCK
    termios.tcsetattr(descriptor, termios.TCSANOW, mode)


def _refuse_keyboard(path: str) -> None:
    """A scanner that types like a keyboard would type cards into the console."""
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
    except OSError:
        typing = False  # opening it will fail with the reason
    else:
        typing = stat.S_ISCHR(status.st_mode) and os.major(status.st_rdev) == _INPUT_MAJOR
    if typing or real.startswith(("/dev/input/", "/dev/hidraw")):
        raise DeviceError(message("port-is-keyboard", port=path))
