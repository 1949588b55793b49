"""Each language of scanners by its name in `[scanner]`: its bytes, its framing, its set-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from drivers.io.byte_stream import ByteStream
from drivers.io.device_node import DeviceNode
from drivers.io.hid_raw import takes
from drivers.io.input_events import take
from drivers.io.serial_port import SerialPort
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.scanners.acknowledged import AcknowledgedFraming
from drivers.shoe.scanners.framing import Framer
from drivers.shoe.scanners.gm65 import AGAIN_NS, Gm65SetUp
from drivers.shoe.scanners.hid_pos import USAGE_PAGE, HidPosFraming
from drivers.shoe.scanners.keyboard import KeyboardFraming
from drivers.shoe.scanners.newland import NewlandSetUp
from drivers.shoe.scanners.raw_code import Framing
from drivers.shoe.scanners.set_up import SetUp
from drivers.shoe.scanners.ssi import SsiFraming
from drivers.shoe.scanners.ssi_commands import SsiSetUp, SsiTrigger


def _keyboard(settings: ScannerSettings) -> ByteStream:
    return DeviceNode(str(settings.port), "scanner", take)


def _hid(settings: ScannerSettings) -> ByteStream:
    return DeviceNode(str(settings.port), "scanner", takes(USAGE_PAGE))


class _Protocol(NamedTuple):
    """A language: the stream of its bytes, its framing, and what is settled at opening, if any.

    `again_ns`: one that was settled so, before a beam, reads a card again within that time.
    """

    framing: Callable[[ScannerSettings], Framing]
    stream: Callable[[ScannerSettings], ByteStream] = SerialPort
    set_up: Callable[[ScannerSettings, Framing, bool], SetUp] | None = None
    again_ns: int = 0


_PROTOCOLS: Final = {
    "plain": _Protocol(Framer),
    "ssi": _Protocol(SsiFraming, set_up=lambda settings, framing, _: SsiSetUp(settings, framing)),
    "gm65": _Protocol(
        Framer,
        set_up=lambda settings, _, has_beam: Gm65SetUp(settings, has_beam=has_beam),
        again_ns=AGAIN_NS,
    ),
    "newland": _Protocol(Framer, set_up=lambda settings, _, __: NewlandSetUp(settings.setup)),
    "datalogic": _Protocol(AcknowledgedFraming),
    "keyboard": _Protocol(KeyboardFraming, _keyboard),
    "hid-pos": _Protocol(HidPosFraming, _hid),
}


def framing_of(settings: ScannerSettings) -> Framing:
    """How this scanner's bytes are cut into codes."""
    return _PROTOCOLS[settings.protocol].framing(settings)


def stream_of(settings: ScannerSettings) -> ByteStream:
    """Where this scanner's bytes come from, not opened yet."""
    return _PROTOCOLS[settings.protocol].stream(settings)


def set_up_of(
    settings: ScannerSettings, framing: Framing, *, has_beam: bool = False
) -> SetUp | None:
    """What is to be settled with this scanner at opening; None: nothing.

    `framing` will cut what comes after it; `has_beam`: a beam tells its cards apart.
    """
    made = _PROTOCOLS[settings.protocol].set_up
    return None if made is None else made(settings, framing, has_beam)


def again_ns_of(settings: ScannerSettings) -> int:
    """Within what time this scanner, before a beam, reads a card again; 0: nobody knows."""
    return _PROTOCOLS[settings.protocol].again_ns


def trigger_of(
    settings: ScannerSettings, framing: Framing, beam: BeamSettings | None
) -> SsiTrigger | None:
    """What tells this scanner when to read; None: it is not told."""
    if settings.trigger != "beam" or beam is None:
        return None
    return SsiTrigger(framing, beam.late_code_ms * 1_000_000)
