"""What each verb of the protocol does to the rig's lines."""

from __future__ import annotations

import platform
import subprocess
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final

from .hid_line import HidLine
from .listening import OnAway, OnHeard
from .node_line import NodeLine
from .panel import Panel
from .pins import OnEdge, Pins
from .protocol import (
    AFTER_MAX_MS,
    SAY_MAX,
    VERSION,
    Request,
    RigError,
    is_name,
    number,
    one_of,
)
from .sacn_line import SacnLine
from .serial_line import SerialLine
from .settings import SIDE_MAX, RigSettings

GRAB_TIMEOUT_S: Final = 60.0
#: Red, green and blue of the largest panel.
PICTURE_MAX: Final = 3 * SIDE_MAX**2
GRAB_MAX: Final = 16 * 1024 * 1024
#: What this board says of itself; absent on what is no Raspberry Pi.
ABOUT: Final = {
    "serial": Path("/sys/firmware/devicetree/base/serial-number"),
    "model": Path("/sys/firmware/devicetree/base/model"),
    "temperature": Path("/sys/class/thermal/thermal_zone0/temp"),
}

Read = Callable[[int], bytes]
"""Reads a number of raw bytes that follow the request."""


class Rig:
    """The lines of a rig and what can be asked of them, one request at a time."""

    def __init__(
        self, settings: RigSettings, on_edge: OnEdge, on_heard: OnHeard, on_away: OnAway
    ) -> None:
        self._settings = settings
        self._on_heard = on_heard
        self._on_away = on_away
        self._doing = threading.Lock()
        self._nodes: dict[str, NodeLine | SacnLine] = {
            **{name: SerialLine(name, each) for name, each in settings.serial.items()},
            **{name: HidLine(name, each) for name, each in settings.hid.items()},
            **{name: SacnLine(name, each) for name, each in settings.sacn.items()},
        }
        self._panel = None if settings.panel is None else Panel(settings.panel)
        self._pins = Pins(settings, on_edge)
        self._verbs: dict[str, tuple[int, int, Callable[..., tuple[object, ...]]]] = {
            "hello": (1, 1, self._hello),
            "lines": (0, 0, self._lines),
            "say": (2, 2, self._say),
            "heard": (1, 1, self._heard),
            "listen": (2, 2, self._listen),
            "edge": (2, 3, self._edge),
            "show": (1, 1, self._show),
            "plug": (2, 2, self._plug),
            "power": (1, 1, self._power),
        }

    def do(self, asked: Request, read: Read) -> tuple[tuple[object, ...], bytes]:
        """Do what was asked: the values of the answer, and the bytes that follow it.

        Raises `RigError` for what cannot be done.
        """
        with self._doing:
            if asked.verb == "picture":
                return self._picture(asked.words, read), b""
            if asked.verb == "grab":
                return self._grab(asked.words)
            if asked.verb not in self._verbs:
                known = ", ".join(sorted([*self._verbs, "picture", "grab"]))
                raise RigError(f"there is no verb {asked.verb!r} (there are: {known})")
            least, most, act = self._verbs[asked.verb]
            if not least <= len(asked.words) <= most:
                count = str(least) if least == most else f"{least} or {most}"
                raise RigError(f"{asked.verb} takes {count} words, not {len(asked.words)}")
            return act(*asked.words), b""

    def hands_off(self) -> None:
        """The bench has gone: release buttons and beam, and listen no more."""
        with self._doing:
            for each in self._nodes.values():
                each.deaf()
            self._pins.hands_off()

    def close(self) -> None:
        """Release everything."""
        for each in self._nodes.values():
            each.close()
        self._pins.close()

    def _hello(self, theirs: str) -> tuple[object, ...]:
        if theirs != str(VERSION):
            raise RigError(
                f"this rig speaks version {VERSION} of the protocol, not {theirs!r}: copy the"
                " program of the bench's own checkout to it"
            )
        about = {
            "name": self._settings.name,
            "python": platform.python_version(),
            "gpiozero": version("gpiozero"),
            "kernel": platform.release(),
            **{name: _about(path) for name, path in ABOUT.items()},
        }
        return (time.monotonic_ns(), *(f"{name}={said}" for name, said in about.items()))

    def _lines(self) -> tuple[object, ...]:
        said = [f"{name}={each}" for name, each in self._pins.levels().items()]
        said += [f"{name}={each.kind}" for name, each in self._nodes.items()]
        if self._panel is not None:
            said.append(f"panel=panel:{self._panel.size}")
        if self._settings.grab:
            said.append("display=grab:1")
        return (time.monotonic_ns(), *said)

    def _line(self, name: str) -> NodeLine | SacnLine:
        if name not in self._nodes:
            known = ", ".join(sorted(self._nodes)) or "none"
            raise RigError(f"no serial, HID or sACN line is called {name!r} (there are: {known})")
        return self._nodes[name]

    def _say(self, name: str, text: str) -> tuple[object, ...]:
        line = self._line(name)
        try:
            data = bytes.fromhex(text)
        except ValueError:
            raise RigError("what is said is written in hexadecimal, two digits a byte") from None
        if not 0 < len(data) <= SAY_MAX:
            raise RigError(f"1 to {SAY_MAX} bytes are said at a time, not {len(data)}")
        return (line.say(data),)

    def _heard(self, name: str) -> tuple[object, ...]:
        return (self._line(name).heard().hex() or "-",)

    def _listen(self, name: str, what: str) -> tuple[object, ...]:
        on, line = one_of(what, "listening", ("on", "off")), self._line(name)
        if on:
            line.listen(self._on_heard, self._on_away)
        else:
            line.deaf()
        return (time.monotonic_ns(),)

    def _edge(self, name: str, what: str, after: str = "") -> tuple[object, ...]:
        on = one_of(what, "an edge", ("on", "off"))
        most = (0, AFTER_MAX_MS)
        after_ms = number(after, "the ms since the last edge", *most) if after else 0
        return (self._pins.move(name, on, after_ms),)

    def _show(self, name: str) -> tuple[object, ...]:
        return (self._the_panel().show(name),)

    def _plug(self, name: str, what: str) -> tuple[object, ...]:
        return (self._pins.plug(name, one_of(what, "a plug", ("in", "out"))),)

    def _power(self, what: str) -> tuple[object, ...]:
        return (self._pins.power(one_of(what, "the power", ("on", "off"))),)

    def _the_panel(self) -> Panel:
        if self._panel is None:
            raise RigError("this rig has no panel: give it one in rig.toml")
        return self._panel

    def _picture(self, words: tuple[str, ...], read: Read) -> tuple[object, ...]:
        if len(words) != 2:
            raise RigError("write 'picture NAME BYTES', then so many bytes: red, green and blue")
        size = number(words[1], "the size of a picture", 1, PICTURE_MAX)
        # Also of one that is refused: what is left of it would be taken for requests.
        rgb = read(size)
        panel = self._the_panel()
        if not is_name(words[0]):
            raise RigError(f"a picture is not called {words[0]!r}: letters, digits and '_'")
        if size != panel.picture_bytes:
            raise RigError(
                f"a picture of this panel ({panel.size}) has {panel.picture_bytes} bytes"
            )
        panel.keep(words[0], rgb)
        return ()

    def _grab(self, words: tuple[str, ...]) -> tuple[tuple[object, ...], bytes]:
        if words:
            raise RigError("grab takes no words")
        if not self._settings.grab:
            raise RigError("this rig grabs no display: give 'grab' in rig.toml a command")
        try:
            taken = subprocess.run(
                self._settings.grab, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=GRAB_TIMEOUT_S, check=True,
            ).stdout  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            raise RigError(f"the display could not be grabbed: {error}") from error
        if not 0 < len(taken) <= GRAB_MAX:
            raise RigError(f"the grabbed picture has {len(taken)} bytes: 1 to {GRAB_MAX}")
        return (time.monotonic_ns(), len(taken)), taken


def _about(path: Path) -> str:
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return "-"
    return "_".join(text.strip("\0 \n").split()) or "-"
