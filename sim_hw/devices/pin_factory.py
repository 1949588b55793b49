"""A gpiozero pin factory whose pins end in the simulated world instead of in a header.

gpiozero loads it by name (`GPIOZERO_PIN_FACTORY=tablectl_sim`), so that nothing above the pins
knows of it. As on hardware, edges call back on a thread of the backend and an input that nothing
drives rests at its pull. When the world goes away every pin raises `WorldLost` until it is back.

Source: gpiozero 2.0.1, whose border of pins this is (`pins/mock.py`, `pins/local.py`). Unconfirmed
on a header: currents, bouncing contacts, and how late the kernel hands on an edge.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import deque
from typing import Final

from gpiozero.exc import BadPinFactory, PinError
from gpiozero.pins.mock import MockFactory, MockPin, PinState

from sim_hw.devices.pins.pin_wire import (
    FRAME_BYTES,
    SOCKET_VARIABLE,
    VERSION,
    Frame,
    FrameKind,
    WireError,
    frames,
)

CONNECT_TIMEOUT_S: Final = 5.0
RETRY_S: Final = 0.2
STATES_KEPT: Final = 64
#: Edges of one pin are handed on with the world's spacing, so that a busy machine cannot melt a
#: beam break into a glitch; a tenth less, so that what was late catches up. None waits longer.
KEPT_SPACING: Final = 0.9
SPREAD_LIMIT_S: Final = 0.25
_PULLS: Final = {"floating": 0, "up": 1, "down": 2}
_PI_5: Final = "c04170"


class WorldLost(PinError):  # type: ignore[misc]  # gpiozero has no types
    """The simulated world went away; pins work again when it is back."""


class SimPin(MockPin):  # type: ignore[misc]
    """A pin that tells the world what it puts out and takes from the world what it reads."""

    _since_s = 0.0
    """When the edge that is handed on was, by the monotonic clock."""

    def clear_states(self) -> None:
        """Forget the history. It is bounded: a table runs for days."""
        self._last_change = time.monotonic()
        self.states: deque[PinState] = deque((PinState(0.0, self._state),), STATES_KEPT)

    def _get_state(self) -> bool:
        self._factory.check()
        return bool(self._state)

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "output":
            self.report()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.follow()
        self.report()

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self._function == "output":
            self._factory.send(FrameKind.OUTPUT, self._number, int(value))
        return changed

    def follow(self, since_ns: int | None = None) -> None:
        """Take the level that the world holds this pin at, or else the pull's.

        `since_ns`: the world changed it then (monotonic clock); now, if that is not said.
        """
        if self._function != "input":
            return
        self._since_s = time.monotonic() if since_ns is None else since_ns / 1e9
        level = self._factory.held_at(self._number)
        if level is None:
            if self._pull == "floating":
                return
            level = self._pull == "up"
        if level:
            self.drive_high()
        else:
            self.drive_low()

    def _call_when_changed(self) -> None:
        # As with a kernel's time stamps: an edge that is handed on late was not late.
        self._last_change = self._since_s
        super()._call_when_changed()

    def report(self) -> None:
        """Tell the world what this pin is: for a world that has just come back."""
        if self._function == "output":
            self._factory.send(FrameKind.OUTPUT, self._number, int(self._state))
        else:
            self._factory.send(FrameKind.INPUT, self._number, _PULLS[self._pull])

    def close(self) -> None:
        """Release the pin; a world that is gone needs no telling."""
        try:
            super().close()
        except WorldLost:
            self._function = "input"


class SimFactory(MockFactory):  # type: ignore[misc]
    """The pins of a Raspberry Pi 5 header, wired to the world's socket.

    The socket's path is in the environment variable `TABLECTL_SIM_PINS`. Raises gpiozero's
    `BadPinFactory` if it is not set or no world listens there.
    """

    def __init__(self) -> None:
        super().__init__(revision=_PI_5, pin_class=SimPin)
        self._path = os.environ.get(SOCKET_VARIABLE, "")
        self._held: dict[int, int] = {}
        self._last_edge: dict[int, tuple[int, int]] = {}
        self._sending = threading.Lock()
        self._closing = threading.Event()
        self._socket: socket.socket | None = None
        if not self._path:
            raise BadPinFactory(
                f"{SOCKET_VARIABLE} is not set: the simulated pins need the path of the world's"
                " socket in it. Start the table with 'tablectl demo', which sets it, or use"
                " GPIOZERO_PIN_FACTORY=lgpio on real hardware"
            )
        try:
            self._connect()
        except (OSError, WireError) as error:
            raise BadPinFactory(
                f"no simulated world answers at {self._path} ({error}): start it first with"
                " 'tablectl demo'"
            ) from error
        self._thread = threading.Thread(target=self._listen, name="tablectl-sim-pins", daemon=True)
        self._thread.start()

    def held_at(self, pin: int) -> int | None:
        """The level that the world holds `pin` at; None while nothing holds it."""
        return self._held.get(pin)

    def check(self) -> None:
        """Raise `WorldLost` unless the world is there."""
        if self._socket is None:
            raise self._gone()

    def send(self, kind: FrameKind, pin: int, level: int) -> None:
        """Send a frame to the world. Raises `WorldLost`."""
        with self._sending:
            self.check()
            assert self._socket is not None
            frame = Frame(kind, pin, level, time.monotonic_ns())
            try:
                # Never waits: a world that does not read is as good as gone, and a real pin
                # does not block either.
                sent = self._socket.send(frame.packed(), socket.MSG_DONTWAIT)
            except OSError as error:
                self._lose()
                raise self._gone(f" ({error})") from error
            if sent != FRAME_BYTES:
                self._lose()
                raise self._gone(" (it took only part of a frame)")

    def close(self) -> None:
        """Close every pin and the connection, and end the thread."""
        super().close()
        self._closing.set()
        with self._sending:
            self._lose()
        thread = getattr(self, "_thread", None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(CONNECT_TIMEOUT_S)

    def _gone(self, how: str = "") -> WorldLost:
        return WorldLost(
            f"the simulated world at {self._path} is gone{how}: start it again; the pins reconnect"
            " by themselves"
        )

    def _lose(self) -> None:
        lost, self._socket = self._socket, None
        if lost is not None:
            # The reader sits in recv on this socket: shutting it down wakes it; it closes it.
            try:
                lost.shutdown(socket.SHUT_RDWR)
            except OSError:
                lost.close()

    def _connect(self) -> None:
        """Connect, greet, and learn what the world holds, before any pin is opened."""
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.settimeout(CONNECT_TIMEOUT_S)
            made.connect(self._path)
            made.sendall(Frame(FrameKind.HELLO, 0, VERSION, time.monotonic_ns()).packed())
            self._held.clear()
            while (frame := _next_frame(made)).kind is not FrameKind.READY:
                self._take(frame)
            made.settimeout(None)
        except (OSError, WireError):
            made.close()
            raise
        self._socket = made

    def _listen(self) -> None:
        while not self._closing.is_set():
            connected = self._socket
            if connected is not None:
                self._receive(connected)
                with self._sending:
                    self._socket = None
                connected.close()
            elif not self._closing.wait(RETRY_S):
                self._reconnect()
        with self._sending:
            left, self._socket = self._socket, None
        if left is not None:
            left.close()

    def _reconnect(self) -> None:
        try:
            self._connect()
        except (OSError, WireError):
            return  # Still gone: pins go on raising WorldLost, and the next turn tries again.
        for pin in list(self.pins.values()):
            try:
                pin.report()
            except WorldLost:
                return
            pin.follow()

    def _receive(self, connected: socket.socket) -> None:
        while True:
            try:
                frame = _next_frame(connected)
            except (OSError, WireError):
                return
            self._spread(frame)
            self._take(frame)
            for info, pin in list(self.pins.items()):
                if info.name == f"GPIO{frame.pin}":
                    pin.follow(frame.at_ns)
            self._last_edge[frame.pin] = (frame.at_ns, time.monotonic_ns())

    def _spread(self, frame: Frame) -> None:
        made_ns, handed_ns = self._last_edge.get(frame.pin, (frame.at_ns, 0))
        spacing_ns = int((frame.at_ns - made_ns) * KEPT_SPACING)
        early_ns = handed_ns + spacing_ns - time.monotonic_ns()
        if early_ns > 0:
            time.sleep(min(early_ns / 1e9, SPREAD_LIMIT_S))

    def _take(self, frame: Frame) -> None:
        if frame.kind is FrameKind.DRIVE:
            self._held[frame.pin] = frame.level
        elif frame.kind is FrameKind.RELEASE:
            self._held.pop(frame.pin, None)


def _next_frame(connected: socket.socket) -> Frame:
    data = b""
    while len(data) < FRAME_BYTES:
        more = connected.recv(FRAME_BYTES - len(data))
        if not more:
            raise ConnectionResetError("the world closed the connection")
        data += more
    (frame,) = frames(data)
    return frame
