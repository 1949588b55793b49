"""The guard of the lights: a small process that holds the pins of lights and buzzer.

It shows what the service tells it, and "table held" whenever the service does not: before its
first word, after its last, and while it is silent. No hand-over is needed when the service hangs
or dies, for the pins were never the service's: `python -m drivers.panel.guard SOCKET`.

`drivers.panel.guarded` is the service's end, `drivers.panel.guard_protocol` what the two say to
each other.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from controller.devices.contracts import Input, OutputDevice
from controller.devices.inputs import Condition, Health
from controller.devices.scene import Light, Scene, Sound, safe_scene
from controller.sd_notify import sd_notify, watchdog_s
from drivers.io.pins import Factory, PinFactoryError, pin_factory
from drivers.panel.buzzer import Buzzer
from drivers.panel.guard_protocol import SILENT_S, VERSION, decode_line, encode_line
from drivers.panel.leds import SpotLights
from drivers.settings import BuzzerSettings, LedSettings
from drivers.supervise import Supervisor

log: Final = logging.getLogger("drivers.panel.guard")

#: sysexits.h EX_CONFIG: another start does not mend it.
EXIT_CONFIG: Final = 78


class GuardError(Exception):
    """The guard cannot start, or was greeted with nonsense; the text says what to change."""


def _leds(told: dict[str, Any], factory: Factory) -> tuple[OutputDevice, int]:
    spots = tuple((int(red), int(green), int(blue)) for red, green, blue in told["spots"])
    settings = LedSettings(spots, bool(told["active_low"]))
    return SpotLights(settings, factory), len(spots)


def _buzzer(told: dict[str, Any], factory: Factory) -> tuple[OutputDevice, int]:
    return Buzzer(BuzzerSettings(int(told["pin"])), factory), 0


KINDS: Final[dict[str, Callable[[dict[str, Any], Factory], tuple[OutputDevice, int]]]] = {
    "leds": _leds,
    "buzzer": _buzzer,
}


class _GuardedDevice:
    """One device that is guarded, and the line of the service that has it now."""

    def __init__(self, told: dict[str, Any], device: OutputDevice, spots: int) -> None:
        self.told = told
        self.line: asyncio.StreamWriter | None = None
        self.why: str | None = None
        """How the device is: None while that is being found out."""
        self._spots = spots
        self._known = asyncio.Event()
        self._keeping = Supervisor(self._heard, (), (device,))
        # A table that has not spoken yet, or was stopped in order, is held, and no alarm.
        self.hold(Sound.QUIET)
        self._task = asyncio.create_task(self._keeping.run(), name=f"guarded {device.name}")

    async def _heard(self, given: Input) -> None:
        assert isinstance(given, Health)
        self.why = "" if given.condition is Condition.UP else given.why
        self._known.set()
        self.answer()

    async def found_out(self) -> None:
        """Returns when it is known how the device is."""
        await self._known.wait()

    def answer(self) -> None:
        """Tell the service how the device is."""
        if self.line is not None and self.why is not None:
            self.line.write(encode_line({"why": self.why}))

    def show(self, lights: Sequence[Light], sound: Sound) -> None:
        """Bring the device to this picture."""
        safe = safe_scene(self._spots)
        self._keeping.show(Scene(tuple(lights), sound, lambda: (safe.dealer, safe.players)))

    def darken(self, dark: bool) -> None:
        """Keep the device dark while a card passes a camera, and no longer."""
        self._keeping.darken(dark)

    def hold(self, sound: Sound) -> None:
        """Show a held table, at once."""
        self._keeping.darken(False)
        self.show((Light.HELD,) * self._spots, sound)

    async def close(self) -> None:
        """Leave the device dark and its pins free."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


class LightGuard:
    """Takes the lines of services and shows what they say, or that they say nothing."""

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._posts: dict[str, _GuardedDevice] = {}
        self._lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._greeting = asyncio.Lock()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Look after one line until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._lines[task] = writer
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._talk(reader, writer)
        except (GuardError, ValueError, KeyError, TypeError) as error:
            # Only another program, or another version of ours, speaks like that.
            log.warning("a line was cut: %s: %s", type(error).__name__, error)
            writer.write(encode_line({"why": f"the guard of the lights refused this: {error}"}))
        finally:
            del self._lines[task]
            writer.close()

    async def close(self) -> None:
        """Cut every line and leave every device dark."""
        for post in self._posts.values():
            post.line = None  # nobody died: no alarm
        for line in self._lines.values():
            line.close()
        await asyncio.gather(*self._lines)
        for post in self._posts.values():
            await post.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(SILENT_S):
            greeting = decode_line(await reader.readline())
        async with self._greeting:
            post = await self._post(greeting)
        if post.line is not None:
            post.line.close()  # the newest service has the table
        post.line = writer
        post.hold(Sound.QUIET)  # what another one said last is no word of this one
        sound = Sound.HELD
        try:
            post.answer()
            while line := await self._line(reader, post):
                said = decode_line(line)
                if "bye" in said:
                    sound = Sound.QUIET
                    break
                if post.line is not writer:
                    continue
                if "dark" in said:
                    post.darken(bool(said["dark"]))
                else:
                    lights = [Light[name] for name in said["lights"]]
                    post.show(lights, Sound[said["sound"]])
                    post.answer()
        finally:
            if post.line is writer:
                post.line = None
                log.info("the service %s", "left" if sound is Sound.QUIET else "is gone")
                post.hold(sound)

    async def _line(self, reader: asyncio.StreamReader, post: _GuardedDevice) -> bytes:
        """The next line, empty at the end; while none comes the table is held."""
        try:
            async with asyncio.timeout(SILENT_S):
                return await reader.readline()
        except TimeoutError:
            log.warning("the service is silent: the table shows held")
            post.hold(Sound.HELD)
            return await reader.readline()

    async def _post(self, greeting: dict[str, Any]) -> _GuardedDevice:
        if greeting.get("guard") != VERSION or greeting.get("device") not in KINDS:
            raise GuardError(
                "it was not greeted as expected. Install service and guard from one checkout and"
                " restart both"
            )
        name, told = greeting["device"], greeting["settings"]
        post = self._posts.get(name)
        if post is None or post.why or post.told != told:
            device, spots = KINDS[name](told, self._factory)
            if post is not None:
                if post.line is not None:
                    post.line.close()
                await post.close()
            post = self._posts[name] = _GuardedDevice(told, device, spots)
        await post.found_out()
        return post


def _nobody_listens(path: Path) -> None:
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


async def _run(path: Path, factory: Factory) -> None:
    guard = LightGuard(factory)
    told_to_stop = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, told_to_stop.set)
    _nobody_listens(path)
    try:
        server = await asyncio.start_unix_server(guard.serve, path)
    except OSError as error:
        raise GuardError(f"{path} cannot be used ({error.strerror})") from None
    watchdog = asyncio.create_task(_watchdog(), name="watchdog")
    sd_notify("READY=1")
    sys.stdout.write(f"ready {path}\n")
    sys.stdout.flush()
    await told_to_stop.wait()
    watchdog.cancel()
    server.close()
    await guard.close()


def main(argv: Sequence[str] | None = None) -> int:
    """LightGuard until told to stop; the exit status is 78 where it cannot start."""
    parser = argparse.ArgumentParser(prog="python -m drivers.panel.guard", description=__doc__)
    parser.add_argument("socket", type=Path, help="where services find it")
    parser.add_argument("--allow-simulated", action="store_true", help="accept simulated pins")
    arguments = parser.parse_args(argv)
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    os.umask(0o077)  # who may reach the socket may move the lights
    try:
        factory = pin_factory(allow_simulated=arguments.allow_simulated)
        asyncio.run(_run(arguments.socket, factory))
    except (GuardError, PinFactoryError) as error:
        sys.stderr.write(f"guard: {error}\n")
        return EXIT_CONFIG
    arguments.socket.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
