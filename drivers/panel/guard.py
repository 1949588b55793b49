"""The guard of the lights: a small process that holds the pins of lights and buzzer.

It shows the scenes that the service sends, and "table held" while none come: before the first,
after the last, and when the service is silent. No hand-over is needed when the service hangs or
dies, for the pins were never the service's: `python -m drivers.panel.guard SOCKET`.

`drivers.panel.guarded` is the service's end, `drivers.panel.guard_protocol` the protocol.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from controller.devices.contracts import Input, OutputDevice
from controller.devices.inputs import Health
from controller.devices.safe import safe_scene
from controller.devices.scene import Light, Scene, Sound
from controller.host.sd_notify import sd_notify, watchdog_s
from controller.rules.cards import Pack
from controller.rules.messages import Message, message, to_plain
from drivers.door import BUILT_IN, admitted, built_in, settings_of
from drivers.driver import DriverContext, DriverRole
from drivers.io.pins import Factory, NoPins, PinFactoryError, pins_or_none
from drivers.panel.guard_protocol import SILENT_S, VERSION, decode_line, encode_line
from drivers.supervision.apart import ApartOutput
from drivers.supervision.supervise import Supervisor

log: Final = logging.getLogger("drivers.panel.guard")

#: sysexits.h EX_CONFIG: another start does not mend it.
EXIT_CONFIG: Final = 78
#: The service waits `SILENT_S` for the answer to its greeting.
OPENS_S: Final = SILENT_S * 0.75
#: What hangs for longer is not waited for: the other devices are greeted meanwhile.
CLOSES_S: Final = 1.0


class GuardError(Exception):
    """The guard cannot start, or a greeting cannot be used; the text says what to change."""


def _made(greeting: dict[str, Any], factory: Factory | NoPins) -> tuple[OutputDevice, int]:
    """The device of a greeting, by its driver, and how many spots it lights. Raises `GuardError`.

    A driver that is no part of tablectl is held against version and digest here, too: what the
    service loaded is none of this process.
    """
    name, admission = greeting["device"], greeting["admitted"]
    if admission is None and name not in BUILT_IN:
        raise GuardError(f"{name} is no device that the table comes with")
    driver = (
        built_in(name) if admission is None
        else admitted(name, admission["version"], admission["digest"])
    )  # fmt: skip
    if driver.role is not DriverRole.OUTPUT:
        raise GuardError(f"{name} shows nothing: there is nothing to guard")
    try:
        settings = settings_of(driver, greeting["settings"])
        spots = driver.spots(settings)
        if isinstance(factory, NoPins):
            if any(not each.of_a_bus for each in driver.pins(settings)):
                raise GuardError(
                    f"{name} is on pins, and {factory.why}. Then: systemctl restart tablectl-guard"
                )
            factory = None
        # An output has no reader's files and deals no cards: the smallest pack stands for any.
        around = DriverContext(Path("/"), Pack(1, 0), spots, factory)
        device = cast(OutputDevice, driver.make(settings, around).device)
        # What we did not write, or a bus, may wait where it must not: on a thread of its own.
        apart = admission is not None or driver.apart
        return ApartOutput(device) if apart else device, spots
    except (OSError, RuntimeError, AttributeError, NameError, ImportError) as error:
        raise GuardError(f"{name} cannot be made ({type(error).__name__}: {error})") from error


def _made_of(greeting: dict[str, Any]) -> tuple[Any, Any]:
    """What a device is made of besides its name: its settings, and which driver is admitted."""
    return greeting["settings"], greeting["admitted"]


class _GuardedDevice:
    """One device that is guarded, and the connection of the service that has it now."""

    def __init__(self, greeting: dict[str, Any], device: OutputDevice, spots: int) -> None:
        self.name = device.name
        self.made_of = _made_of(greeting)
        self.connection: asyncio.StreamWriter | None = None
        self.failure: Message | None = None
        """What is wrong with the device, once `health_known`; None where it is well."""
        self._spots = spots
        self._health = asyncio.Event()
        self._supervisor = Supervisor(self._offer, (), (device,))
        # A table that has sent nothing yet, or was stopped in order, is held without an alarm.
        self.hold(Sound.QUIET)
        self._task = asyncio.create_task(self._supervisor.run(), name=f"guarded {device.name}")

    async def _offer(self, health: Input) -> None:
        assert isinstance(health, Health)
        self.failure = health.why
        self._health.set()
        self.answer()

    async def health_known(self) -> bool:
        """Wait until it was opened, or could not be; false where that is not so in time."""
        try:
            async with asyncio.timeout(OPENS_S):
                await self._health.wait()
        except TimeoutError:
            return False
        return True

    def answer(self) -> None:
        """Report to the service how the device is."""
        if self.connection is not None and self._health.is_set():
            plain = None if self.failure is None else to_plain(self.failure)
            self.connection.write(encode_line({"failure": plain}))

    @property
    def hangs(self) -> bool:
        """Whether its driver has not come back: a second one would find the device taken."""
        return self.failure == self.silent

    @property
    def silent(self) -> Message:
        """What is said of a device whose driver does not come to an end."""
        return message("driver-does-not-answer", device=self.name)

    def show(self, lights: Sequence[Light], sound: Sound) -> None:
        """Bring the device to this scene."""
        safe = safe_scene(self._spots)
        self._supervisor.show(Scene(tuple(lights), sound, lambda: (safe.dealer, safe.players)))

    def darken(self, dark: bool) -> None:
        """Keep the device dark while a card passes a camera, and no longer."""
        self._supervisor.darken(dark)

    def hold(self, sound: Sound) -> None:
        """Show a held table, at once."""
        self._supervisor.darken(False)
        self.show((Light.HELD,) * self._spots, sound)

    async def close(self) -> None:
        """Leave the device dark and its pins free."""
        self._task.cancel()
        _, stays = await asyncio.wait([self._task], timeout=CLOSES_S)
        if stays:
            log.warning("%s does not let go", self.name)
        elif not self._task.cancelled():
            self._task.result()  # a defect of ours


class LightGuard:
    """Takes the connections of services and shows their scenes, or held lights where none come."""

    def __init__(self, factory: Factory | NoPins) -> None:
        self._factory = factory
        self._devices: dict[str, _GuardedDevice] = {}
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._greeting = asyncio.Lock()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._talk(reader, writer)
        except (GuardError, ValueError, KeyError, TypeError) as error:
            # Only another program, or another version of ours, sends that.
            log.warning("a connection was cut: %s: %s", type(error).__name__, error)
            refused = message("guard-refused", detail=str(error))
            writer.write(encode_line({"failure": to_plain(refused)}))
        finally:
            del self._connections[task]
            writer.close()

    async def close(self) -> None:
        """Cut every connection and leave every device dark."""
        for device in self._devices.values():
            device.connection = None  # no service died: no alarm
        for connection in self._connections.values():
            connection.close()
        await asyncio.gather(*self._connections)
        for device in self._devices.values():
            await device.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(SILENT_S):
            greeting = decode_line(await reader.readline())
        # One at a time: a service that is started again and the one before it greet at once, and
        # two devices on the same pins would be made.
        async with self._greeting:
            device = await self._device(greeting)
        if not await device.health_known():
            # It goes on opening, and the service asks again; the other devices go on, too.
            writer.write(encode_line({"failure": to_plain(device.silent)}))
            return
        if device.connection is not None:
            device.connection.close()  # the newest service has the table
        device.connection = writer
        device.hold(Sound.QUIET)  # the last scene of another service is none of this one's
        sound = Sound.HELD
        try:
            device.answer()
            while line := await self._next_line(reader, device):
                fields = decode_line(line)
                if "bye" in fields:
                    sound = Sound.QUIET
                    break
                if device.connection is not writer:
                    continue
                if "dark" in fields:
                    device.darken(bool(fields["dark"]))
                else:
                    lights = [Light[name] for name in fields["lights"]]
                    device.show(lights, Sound[fields["sound"]])
                    device.answer()
        finally:
            if device.connection is writer:
                device.connection = None
                how = "left" if sound is Sound.QUIET else "is gone"
                log.info("%s: the service %s", device.name, how)
                device.hold(sound)

    async def _next_line(self, reader: asyncio.StreamReader, device: _GuardedDevice) -> bytes:
        """The next line, empty at the end; while none comes the table is held."""
        try:
            async with asyncio.timeout(SILENT_S):
                return await reader.readline()
        except TimeoutError:
            log.warning("%s: the service is silent: the table shows held", device.name)
            device.hold(Sound.HELD)
            return await reader.readline()

    async def _device(self, greeting: dict[str, Any]) -> _GuardedDevice:
        """The device of a greeting, made anew if it failed, or settings or driver changed."""
        if greeting.get("guard") != VERSION or "admitted" not in greeting:
            raise GuardError(
                "it was not greeted as expected. Install service and guard from one checkout and"
                " restart both"
            )
        name = greeting["device"]
        known = self._devices.get(name)
        goes_on = known is not None and (known.failure is None or known.hangs)
        if known is not None and goes_on and known.made_of == _made_of(greeting):
            return known
        output, spots = _made(greeting, self._factory)
        if known is not None:
            if known.connection is not None:
                known.connection.close()
            await known.close()
        self._devices[name] = _GuardedDevice(greeting, output, spots)
        return self._devices[name]


def _check_unused(path: Path) -> None:
    """Raises `GuardError` if another guard answers at `path`: two would fight for the pins."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return
        except OSError as error:
            raise GuardError(f"{path} cannot be used ({error.strerror})") from None
    raise GuardError(f"another guard answers at {path}: stop it first")


async def _watchdog() -> None:
    every_s = watchdog_s()
    while every_s:
        sd_notify("WATCHDOG=1")
        await asyncio.sleep(every_s / 3)


async def _run(path: Path, factory: Factory | NoPins) -> None:
    guard = LightGuard(factory)
    stop = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    _check_unused(path)
    for name in BUILT_IN:
        built_in(name)  # loading takes a moment in which no service could be answered
    try:
        server = await asyncio.start_unix_server(guard.serve, path)
    except OSError as error:
        raise GuardError(f"{path} cannot be used ({error.strerror})") from None
    watchdog = asyncio.create_task(_watchdog(), name="watchdog")
    sd_notify("READY=1")
    sys.stdout.write(f"ready {path}\n")
    sys.stdout.flush()
    await stop.wait()
    watchdog.cancel()
    server.close()
    await guard.close()


def main(argv: Sequence[str] | None = None) -> int:
    """Guard until SIGTERM; the exit status is 78 where it cannot start."""
    parser = argparse.ArgumentParser(prog="python -m drivers.panel.guard", description=__doc__)
    parser.add_argument("socket", type=Path, help="where services find it")
    parser.add_argument("--allow-simulated", action="store_true", help="accept simulated pins")
    arguments = parser.parse_args(argv)
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    os.umask(0o077)  # who may reach the socket may move the lights
    try:
        factory = pins_or_none(allow_simulated=arguments.allow_simulated)
        if isinstance(factory, NoPins):
            log.warning("lights on pins cannot be held: %s", factory.why)
        asyncio.run(_run(arguments.socket, factory))
    except (GuardError, PinFactoryError) as error:
        sys.stderr.write(f"guard: {error}\n")
        return EXIT_CONFIG
    arguments.socket.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
