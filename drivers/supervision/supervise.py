"""Keeps devices going: opens them, reports one that is lost, reopens it, shows the scene again.

This is the only place where device failures are handled. A broad `except` stands here, as in few
other places (`controller.service.stops_on_error` names them): a device library may raise anything,
and the table must go on without that device.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Final

from controller.devices.contracts import (
    AnnouncesCards,
    Darkens,
    DeviceError,
    InputDevice,
    OutputDevice,
    ShowsKeys,
    Watches,
)
from controller.devices.english import ENGLISH
from controller.devices.inputs import Condition, Health, Press, Reading, Repeats, SpotSensed
from controller.devices.scene import Scene
from controller.rules.messages import Message, message
from drivers.own_thread import log_unforeseen
from drivers.supervision.apart import Apart
from drivers.supervision.babble_reports import BabbleReports, OfferInput
from drivers.supervision.coming_up import QUICK_LOSSES, STEADY_S, ComingUp

log: Final = logging.getLogger(__name__)

BACKOFF_FIRST_S: Final = 0.2
BACKOFF_MOST_S: Final = 5.0
#: No device takes longer to be opened: a camera may be given a minute for it.
OPENS_MAX_S: Final = 90.0
UseDevice = Callable[[ComingUp], Awaitable[None]]
"""Uses an opened device until it is lost."""


@contextmanager
def _only_device_errors(name: str) -> Iterator[None]:
    """Whatever a device raises leaves as `DeviceError`."""
    try:
        yield
    except DeviceError:
        raise
    except Exception as error:  # noqa: BLE001  (see the head of this file)
        log_unforeseen(name, error)
        failed = message("device-failed", device=name, detail=type(error).__name__)
        raise DeviceError(failed) from None


class Supervisor:
    """Keeps every device of a table going until cancelled.

    `offer` takes what the input devices read, and the health of every device. `pace` is how many
    times faster than people the world is: 1, but for a simulated one. `card_coming` is called when
    a reader notices a card that it has not read yet.
    """

    def __init__(
        self,
        offer: OfferInput,
        inputs: Iterable[InputDevice] = (),
        outputs: Iterable[OutputDevice] = (),
        pace: float = 1.0,
        card_coming: Callable[[], None] | None = None,
    ) -> None:
        self._offer = offer
        self._inputs = tuple(inputs)
        self._outputs = tuple(map(_OutputKeeper, outputs))
        self._keys = tuple(each for each in self._inputs if isinstance(each, ShowsKeys))
        for each in self._inputs:
            if isinstance(each, AnnouncesCards):
                each.on_card_coming = card_coming
        names = [each.name for each in self._inputs] + [each.name for each in self._outputs]
        assert len(set(names)) == len(names), "every device has a name of its own"
        self._failures = dict.fromkeys(names, 0)
        self._why: dict[str, Message | None] = dict.fromkeys(names)
        # One for all times that a device is opened: whoever pulls its plug earns nothing new.
        self._babble = {
            each.name: BabbleReports(each.name, pace, offer, self._health, self._failed)
            for each in self._inputs
        }

    def failures(self) -> dict[str, int]:
        """How often each device went down since the start, by name."""
        return dict(self._failures)

    def show(self, scene: Scene) -> None:
        """Bring every output to `scene`: now, or as soon as it is open again."""
        for output in self._outputs:
            output.show(scene)
        for keys in self._keys:
            # What fails there is logged: the table goes on, and so do the lamps.
            with suppress(DeviceError), _only_device_errors(keys.name):
                keys.show(scene)

    def darken(self, dark: bool) -> None:
        """Keep every output that shines dark while a card passes a camera, and no longer."""
        for output in self._outputs:
            output.darken(dark)

    async def run(self) -> None:
        """Keep the devices going; on cancellation all are closed."""
        try:
            async with asyncio.TaskGroup() as group:
                for device in self._inputs:
                    keep = self._keep(device, self._pump(device), group)
                    group.create_task(keep, name=device.name)
                for output in self._outputs:
                    keep = self._keep(output.device, output.use, group)
                    group.create_task(keep, name=output.name)
        finally:
            devices = [*self._inputs, *(each.device for each in self._outputs)]
            await asyncio.gather(*(each.end() for each in devices if isinstance(each, Apart)))

    def _pump(self, device: InputDevice) -> UseDevice:
        babble = self._babble[device.name]

        async def use(coming_up: ComingUp) -> None:
            await coming_up.begin()
            try:
                async with aclosing(device.inputs()) as inputs:
                    while True:
                        with _only_device_errors(device.name):
                            read = await anext(inputs)
                            # A driver of others may give anything: it is the end of that one alone.
                            if not isinstance(read, Reading | Press | SpotSensed | Repeats):
                                raise TypeError
                        await coming_up.proved()
                        if await babble.admits(read):
                            assert not isinstance(read, Repeats), "they are counted"
                            await self._offer(read)
            except DeviceError:
                # Lost while it babbles: how much was left out is said before why it is lost.
                await babble.report_left_out()
                raise
            finally:
                await babble.rest()

        return use

    def _health(self, name: str) -> Health:
        """How a device is, as reported last."""
        why = self._why[name]
        return Health(name, Condition.UP if why is None else Condition.DOWN, why)

    def _failed(self, name: str) -> None:
        """A device that worked is in trouble."""
        self._failures[name] += 1

    async def _watch(self, name: str, device: Watches) -> None:
        """Pass on what a device notices while it is down, until it is open again."""
        babble = self._babble[name]
        try:
            async with aclosing(device.watch()) as noticed:
                while True:
                    with _only_device_errors(name):
                        reading = await anext(noticed, None)
                    if reading is None:
                        await babble.report_left_out()
                        return
                    if await babble.admits(reading):
                        await self._offer(reading)
        except DeviceError as error:
            log.warning(
                "%s is not watched while it is down: %s", name, error, extra={"device": name}
            )
            if await babble.report_left_out():
                await self._offer(self._health(name))
        finally:
            await babble.rest()

    async def _keep(
        self,
        device: InputDevice | OutputDevice,
        use: UseDevice,
        group: asyncio.TaskGroup,
    ) -> None:
        """Open the device and use it, over and over; `use` ends by `DeviceError` alone.

        One that was lost soon after its opening `QUICK_LOSSES` times in a row stays down until it
        has worked for a while: else it would be up and down for ever, and call nobody.
        """
        name, clock = device.name, asyncio.get_running_loop().time
        pause_s = BACKOFF_FIRST_S
        watching: asyncio.Task[None] | None = None
        quick_losses = 0

        async def is_up() -> None:
            self._why[name] = None
            log.info("%s is up", name, extra={"device": name})
            await self._offer(Health(name, Condition.UP))

        while True:
            opened_s: float | None = None
            coming_up = ComingUp(is_up, STEADY_S if quick_losses >= QUICK_LOSSES else 0)
            why = message("device-stopped", device=name)
            try:
                await _open(device)
                if watching is not None:
                    # What left while the device was away is reported before what comes now.
                    await watching
                    watching = None
                opened_s = clock()
                await use(coming_up)
            except DeviceError as error:
                why = error.message
                if isinstance(device, Watches) and (watching is None or watching.done()):
                    watching = group.create_task(self._watch(name, device), name=f"{name}: watch")
                    await asyncio.sleep(0)  # it has begun before the device is closed
            finally:
                try:
                    await coming_up.end()
                finally:  # a stop may come while it is waited for
                    await _close(device)
            if opened_s is not None:
                quick_losses += 1
            if opened_s is not None and clock() - opened_s >= STEADY_S:
                pause_s, quick_losses = BACKOFF_FIRST_S, 0
            if why != self._why[name]:
                if self._why[name] is None:
                    self._failed(name)
                self._why[name] = why
                log.warning("%s is down: %s", name, ENGLISH.say(why), extra={"device": name})
                await self._offer(Health(name, Condition.DOWN, why))
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, BACKOFF_MOST_S)


class _OutputKeeper:
    """An output device with a mailbox of one: the newest scene."""

    def __init__(self, device: OutputDevice) -> None:
        self.device = device
        self.name = device.name
        self._newest: Scene | None = None
        self._lost: asyncio.Future[None] | None = None

    def show(self, scene: Scene) -> None:
        """Show it now if the device is open, else once it is."""
        self._newest = scene
        self._attempt(lambda: self.device.show(scene))

    def darken(self, dark: bool) -> None:
        """Be dark while a card passes a camera, if the device is open and shines."""
        device = self.device
        if isinstance(device, Darkens):
            self._attempt(lambda: device.darken(dark))

    def _attempt(self, action: Callable[[], None]) -> None:
        if self._lost is not None and not self._lost.done():
            try:
                with _only_device_errors(self.name):
                    action()
            except DeviceError as error:
                self._lost.set_exception(error)

    async def use(self, coming_up: ComingUp) -> None:
        """Show the newest scene and keep it alive until the device is lost."""
        lost = self._lost = asyncio.get_running_loop().create_future()
        if self._newest is not None:
            self.show(self._newest)
        alive = asyncio.create_task(self._run(), name=f"{self.name} patterns")
        try:
            await coming_up.begin()
            await asyncio.gather(alive, lost)
        finally:
            self._lost = None
            lost.cancel()
            alive.cancel()
            await asyncio.wait([alive])

    async def _run(self) -> None:
        with _only_device_errors(self.name):
            await self.device.run()


async def _open(device: InputDevice | OutputDevice) -> None:
    """Raises `DeviceError`, also where the opening does not end."""
    try:
        async with asyncio.timeout(OPENS_MAX_S):
            with _only_device_errors(device.name):
                await device.open()
    except TimeoutError:
        raise DeviceError(message("driver-does-not-answer", device=device.name)) from None


async def _close(device: InputDevice | OutputDevice) -> None:
    try:
        with _only_device_errors(device.name):
            await device.close()
    except DeviceError as error:
        log.warning(
            "%s did not close cleanly: %s", device.name, error, extra={"device": device.name}
        )
