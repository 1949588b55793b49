"""The loom as a process: `python -m sim_hw.loom LOOM.json`. Prints `ready`; a signal ends it.

Where the headers are chips of the kernel's, their numbers stand behind `ready`: table's, rig's.

What it does to the table's power is reported at the socket `power`: a line `on` or `off`, the
first at once, for whoever runs the table's programs.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from sim_hw.devices.pins.kernel_chip import ChipError
from sim_hw.devices.pins.kernel_header import KernelHeader
from sim_hw.devices.pins.pin_header import PinHeader
from sim_hw.devices.wire.usb_keyboard import KeyboardHost
from sim_hw.loom.line import Wire
from sim_hw.loom.loopback import LoopbackError
from sim_hw.loom.panel import PanelCamera
from sim_hw.loom.settings import LoomError, LoomSettings


class Loom:
    """Two headers and what is between them."""

    def __init__(self, settings: LoomSettings, root: Path = Path("/")) -> None:
        self._settings = settings
        folder = settings.folder
        self._table: PinHeader | KernelHeader = PinHeader(self._from_table, lambda: None)
        self._rig: PinHeader | KernelHeader = PinHeader(self._from_rig, lambda: None)
        if settings.kernel_pins:
            lamps = [table for _, table in settings.inputs]
            relays = (settings.plug, settings.camera_plug, settings.power)
            hands = [*(rig for rig, _ in settings.outputs), *relays]
            self._table = KernelHeader("table", lamps, self._from_table, root)
            # A rig that ends, or is killed, cuts nothing: its relays are where they are without it.
            self._rig = KernelHeader("rig", hands, self._from_rig, root, up=relays)
        # All functions of one USB cable: one plug.
        self._lines = (
            Wire(folder / "rig-serial", folder / "scanner"),
            Wire(folder / "rig-keys", folder / "keys", KeyboardHost),
            Wire(folder / "rig-reports", folder / "reports"),
            Wire(folder / "rig-deck", folder / "deck", waits=True),
        )
        # Boards of the rig's own that listen at the table's buses, and a cable without a relay.
        self._taps = (
            *(
                Wire(folder / f"rig-{name}", folder / f"{name}-tap", waits=True)
                for name in ("strip", "oled")
            ),
            Wire(folder / "rig-dmx", folder / "dmx", waits=True),
        )
        self._panel = PanelCamera(
            folder / "panel", settings.panel, settings.camera_port, self._corner,
            settings.kernel_camera,
        )  # fmt: skip
        self._to_table = dict(settings.outputs)
        self._to_rig = {table: rig for rig, table in settings.inputs}
        self._power = True
        self._power_listeners: set[asyncio.StreamWriter] = set()

    async def run(self) -> None:
        """Connect everything until cancelled. Raises `OSError` where that cannot be."""
        folder = self._settings.folder
        async with AsyncExitStack() as stack:
            for header, name in ((self._table, "table.sock"), (self._rig, "rig.sock")):
                (folder / name).unlink(missing_ok=True)
                await header.open(folder / name)
                stack.push_async_callback(header.close)
            (folder / "power").unlink(missing_ok=True)
            power = await asyncio.start_unix_server(self._tell, folder / "power")
            stack.callback(power.close)
            for line in (*self._lines, *self._taps):
                line.open()
                stack.callback(line.close)
            await self._panel.open()
            stack.push_async_callback(self._panel.close)
            headers = (self._table, self._rig)
            chips = [each.chip.number for each in headers if isinstance(each, KernelHeader)]
            print("ready", *chips, flush=True)
            await self._panel.look()

    def _from_rig(self, pin: int, level: int | None, at_ns: int) -> None:
        """An optocoupler pulls a pin of the table to ground; a relay switches."""
        for line in self._lines:
            line.carry()
        if pin in self._to_table:
            if level:
                self._table.hold(self._to_table[pin], 0, at_ns)
            else:
                self._table.release(self._to_table[pin], at_ns)
        elif pin == self._settings.plug:
            for line in self._lines:
                if level == 0:
                    line.unplug()
                else:
                    line.plug()
        elif pin == self._settings.camera_plug:
            self._panel.plug(plugged=level != 0)
        elif pin == self._settings.power:
            self._switch(level != 0)

    def _from_table(self, pin: int, level: int | None, at_ns: int) -> None:
        """A lamp or the buzzer is wired to an input of the rig."""
        wired = self._to_rig.get(pin)
        if wired is None:
            return
        if level is None:
            self._rig.release(wired, at_ns)
        else:
            self._rig.hold(wired, level, at_ns)

    def _corner(self, bright: bool) -> None:
        self._rig.hold(self._settings.photodiode, int(bright))

    def _switch(self, on: bool) -> None:
        if on != self._power:
            self._power = on
            for each in self._power_listeners:
                each.write(self._power_line())

    def _power_line(self) -> bytes:
        return b"on\n" if self._power else b"off\n"

    async def _tell(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self._power_line())
        self._power_listeners.add(writer)
        with suppress(OSError):
            await reader.read()  # until it has gone
        self._power_listeners.discard(writer)
        writer.close()


async def _until_stopped(loom: Loom) -> None:
    running = asyncio.ensure_future(loom.run())
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, running.cancel)
    with suppress(asyncio.CancelledError):
        await running


def main(arguments: list[str]) -> int:
    """Run a loom; the exit status."""
    if len(arguments) != 1:
        print("usage: python -m sim_hw.loom LOOM.json", file=sys.stderr)
        return 2
    try:
        asyncio.run(_until_stopped(Loom(LoomSettings.load(Path(arguments[0])))))
    except (LoomError, ChipError, LoopbackError, OSError) as error:
        print(f"loom: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
