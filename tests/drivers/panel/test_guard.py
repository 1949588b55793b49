"""The guard and the service's end of it, over a real socket, on pins in memory."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceError, DeviceLost
from controller.devices.scene import Light, Scene, Sound
from drivers.door import built_in
from drivers.driver import Driver, Made
from drivers.io.pins import NoPins
from drivers.panel import guard
from drivers.panel.guard import LightGuard
from drivers.panel.guard_protocol import SILENT_S, decode_line, encode_line
from drivers.panel.guarded import VARIABLE, GuardedOutput, guard_path
from drivers.settings.panel import BuzzerSettings, LedSettings
from tests.drivers.outside import picture, pin, showing, until
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

LEDS = LedSettings(((6, 7, 8), (9, 10, 11)))
HELD = (True, False, False)
BET = (False, False, True)


@asynccontextmanager
async def guarding(path: Path, pins: MockFactory | NoPins) -> AsyncIterator[LightGuard]:
    process = LightGuard(pins)
    server = await asyncio.start_unix_server(process.serve, path)
    try:
        yield process
    finally:
        server.close()
        await process.close()


def leds(folder: Path, settings: LedSettings = LEDS) -> GuardedOutput:
    return GuardedOutput("leds", settings, folder / "guard")


def spot(pins: MockFactory, at: int = 0, settings: LedSettings = LEDS) -> tuple[bool, ...]:
    """What lamps of a spot are lit."""
    return tuple(bool(pin(pins, number).state) for number in settings.spots[at])


async def test_a_table_is_held_until_the_service_sends_its_first_picture(
    tmp_path: Path, pins: MockFactory
) -> None:
    async with guarding(tmp_path / "guard", pins), showing(device := leds(tmp_path)):
        assert (spot(pins), spot(pins, 1)) == (HELD, HELD)
        device.show(picture((Light.BET, Light.EMPTY)))
        await until(lambda: spot(pins) == BET)
        assert spot(pins, 1) == (False, False, False)


async def test_a_service_that_leaves_in_order_leaves_a_held_table(
    tmp_path: Path, pins: MockFactory
) -> None:
    async with guarding(tmp_path / "guard", pins):
        async with showing(device := leds(tmp_path)):
            device.show(picture((Light.BET, Light.BET)))
            await until(lambda: spot(pins) == BET)
        await until(lambda: spot(pins) == HELD)
    assert pin(pins, 6).function == "input", "the guard itself lets go of its pins"


async def test_silence_is_held_and_loud_and_the_next_picture_ends_it(
    tmp_path: Path, pins: MockFactory
) -> None:
    """The service's end is open but its loop does not come to give the sign of life."""
    async with guarding(tmp_path / "guard", pins):
        lights, buzzer = (
            leds(tmp_path),
            GuardedOutput("buzzer", BuzzerSettings(26), tmp_path / "guard"),
        )
        await lights.open()
        await buzzer.open()
        for device in (lights, buzzer):
            device.show(picture((Light.BET, Light.BET) if device is lights else ()))
        await until(lambda: spot(pins) == BET)
        assert not pin(pins, 26).state
        await until(lambda: spot(pins) == HELD)
        await until(lambda: bool(pin(pins, 26).state))
        lights.show(picture((Light.BET, Light.BET)))
        await until(lambda: spot(pins) == BET)
        await lights.close()
        await buzzer.close()


async def test_a_sign_of_life_keeps_the_picture(tmp_path: Path, pins: MockFactory) -> None:
    async with guarding(tmp_path / "guard", pins), showing(device := leds(tmp_path)):
        device.show(picture((Light.BET, Light.BET)))
        await until(lambda: spot(pins) == BET)
        pin(pins, 6).clear_states()
        await asyncio.sleep(SILENT_S + 1)
        assert [state.state for state in pin(pins, 6).states] == [False], "no red in between"


async def test_every_sound_is_the_scenes(tmp_path: Path, pins: MockFactory) -> None:
    buzzer = GuardedOutput("buzzer", BuzzerSettings(26), tmp_path / "guard")
    async with guarding(tmp_path / "guard", pins), showing(buzzer):
        assert not pin(pins, 26).state
        buzzer.show(picture(sound=Sound.REFUSED))
        await until(lambda: bool(pin(pins, 26).state))
        await until(lambda: not pin(pins, 26).state)


async def test_pins_that_fail_are_told_in_the_words_of_the_driver(
    tmp_path: Path, pins: MockFactory
) -> None:
    buzzer = GuardedOutput("buzzer", BuzzerSettings(6), tmp_path / "guard")
    async with guarding(tmp_path / "guard", pins), showing(leds(tmp_path)):
        with pytest.raises(DeviceError, match="Give every device its own pins"):
            await buzzer.open()
        await buzzer.close()


async def test_another_wiring_is_taken_at_the_next_greeting(
    tmp_path: Path, pins: MockFactory
) -> None:
    other = LedSettings(((12, 13, 14),))
    async with guarding(tmp_path / "guard", pins):
        async with showing(leds(tmp_path)):
            assert spot(pins) == HELD
        async with showing(device := leds(tmp_path, other)):
            device.show(picture((Light.BET,)))
            await until(lambda: spot(pins, 0, other) == BET)
            assert pin(pins, 6).function == "input"


async def test_a_driver_is_not_taken_for_another_that_was_admitted_since(
    tmp_path: Path, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard outlives the service, so that it may have the driver of before an upgrade."""
    asked = []

    def admitted(name: str, version: str, digest: str) -> Driver:
        asked.append(version)
        if digest == "broken":
            return replace(built_in(name), make=broken)
        return built_in(name)

    def broken(*_: object) -> Made:
        raise FileNotFoundError("calibration.bin")

    monkeypatch.setattr("drivers.panel.guard.admitted", admitted)
    async with guarding(tmp_path / "guard", pins):
        for version in ("1", "1", "2"):
            admission = {"version": version, "digest": "d"}
            async with showing(GuardedOutput("leds", LEDS, tmp_path / "guard", admission)):
                await until(lambda: spot(pins) == HELD)
        assert asked == ["1", "2"]
        admission = {"version": "3", "digest": "broken"}
        device = GuardedOutput("leds", LEDS, tmp_path / "guard", admission)
        with pytest.raises(DeviceError, match=r"cannot be made \(FileNotFoundError"):
            await device.open()
        await device.close()


async def test_on_a_machine_without_pins_the_lights_that_hang_elsewhere_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PC with a tower light on a serial line, say: nothing of it asks for lgpio."""
    shown = list[tuple[Light, ...]]()

    class Tower(OpensInTime):
        async def open(self) -> None: ...

        def show(self, scene: Scene) -> None:
            shown.append(scene.lights)

    def admitted(name: str, *_: str) -> Driver:
        return replace(
            built_in(name), make=lambda *_: Made(Tower()), pins=lambda _: (), spots=lambda _: 1
        )

    monkeypatch.setattr("drivers.panel.guard.admitted", admitted)
    none = NoPins("the lgpio module is missing: sudo apt install python3-lgpio")
    admission = {"version": "1", "digest": "d"}
    async with guarding(tmp_path / "guard", none):
        tower = GuardedOutput("leds", LEDS, tmp_path / "guard", admission)
        async with showing(tower):
            await until(lambda: shown[-1:] == [(Light.HELD,)])
            tower.show(picture((Light.BET,)))
            await until(lambda: shown[-1:] == [(Light.BET,)])
        await until(lambda: shown[-1:] == [(Light.HELD,)])
        on_pins = leds(tmp_path)
        with pytest.raises(
            DeviceError, match="leds is on pins, and the lgpio module is missing"
        ) as no:
            await on_pins.open()
        assert "systemctl restart tablectl-guard" in str(no.value), "it looks for pins once"
        await on_pins.close()


class OpensInTime:
    """A device of others whose opening does not end before it may."""

    name = "leds"

    def __init__(self) -> None:
        self.may_end = threading.Event()

    async def open(self) -> None:
        while not self.may_end.is_set():  # noqa: ASYNC110  (it is set on another thread)
            await asyncio.sleep(0.005)

    def show(self, scene: Scene) -> None: ...

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None: ...


async def test_a_device_whose_opening_does_not_end_holds_up_no_other(
    tmp_path: Path, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "OPENS_S", 0.1)
    opening: list[OpensInTime] = []

    def made(*_: object) -> Made:
        opening.append(OpensInTime())
        return Made(opening[-1])

    def admitted(name: str, version: str, digest: str) -> Driver:
        return replace(built_in(name), make=made)

    monkeypatch.setattr(guard, "admitted", admitted)
    buzzer = GuardedOutput("buzzer", BuzzerSettings(26), tmp_path / "guard")
    async with guarding(tmp_path / "guard", pins):
        admissions = [{"version": version, "digest": "d"} for version in "12"]
        older, theirs = (
            GuardedOutput("leds", LEDS, tmp_path / "guard", each) for each in admissions
        )
        for device in (older, theirs):
            for _ in range(2):
                with pytest.raises(DeviceError, match="does not answer"):
                    await device.open()
            await device.close()
            async with showing(buzzer):
                buzzer.show(picture(sound=Sound.HELD))
                await until(lambda: bool(pin(pins, 26).state))
        assert len(opening) == 2, "it is made once for each greeting that differs"
        opening[-1].may_end.set()
        monkeypatch.setattr(guard, "OPENS_S", SILENT_S)
        async with showing(theirs):
            theirs.show(picture((Light.BET, Light.BET)))


class WaitsInTheLoop:
    """A device of others that waits where it must not, in its opening or as it shows a scene."""

    name = "leds"

    def __init__(self, in_show: bool) -> None:
        self.goes_on = threading.Event()
        self.shown: list[Light] = []
        self._in_show = in_show

    async def open(self) -> None:
        if not self._in_show:
            self.goes_on.wait(PATIENCE_S)

    def show(self, scene: Scene) -> None:
        if self._in_show and Light.BET in scene.lights:
            self.goes_on.wait(PATIENCE_S)
        self.shown.append(scene.lights[0])

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None: ...


@pytest.mark.parametrize("in_show", [False, True])
async def test_a_driver_of_others_that_blocks_holds_up_no_other_device(
    tmp_path: Path, pins: MockFactory, monkeypatch: pytest.MonkeyPatch, in_show: bool
) -> None:
    monkeypatch.setattr(guard, "OPENS_S", 0.1)
    blocks = WaitsInTheLoop(in_show)

    def admitted(name: str, version: str, digest: str) -> Driver:
        return replace(built_in(name), make=lambda *_: Made(blocks))

    monkeypatch.setattr(guard, "admitted", admitted)
    admission = {"version": "1", "digest": "d"}
    theirs = GuardedOutput("leds", LEDS, tmp_path / "guard", admission)
    buzzer = GuardedOutput("buzzer", BuzzerSettings(26), tmp_path / "guard")

    async def use() -> None:
        await theirs.open()
        theirs.show(picture((Light.BET, Light.BET)))
        await theirs.run()

    async with guarding(tmp_path / "guard", pins):
        for _ in range(2):
            with pytest.raises(DeviceError, match="does not answer: its driver"):
                await asyncio.wait_for(use(), PATIENCE_S)
        await theirs.close()
        async with showing(buzzer):
            buzzer.show(picture(sound=Sound.HELD))
            await until(lambda: bool(pin(pins, 26).state))
        blocks.goes_on.set()
        monkeypatch.setattr(guard, "OPENS_S", SILENT_S)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await theirs.open()
                except DeviceError:
                    await asyncio.sleep(0.005)  # its thread has not taken yet what waited
                else:
                    break
        theirs.show(picture((Light.WON, Light.BET)))
        await until(lambda: blocks.shown[-1:] == [Light.WON])
        await theirs.close()


async def test_the_newest_service_has_the_lights(tmp_path: Path, pins: MockFactory) -> None:
    async with guarding(tmp_path / "guard", pins):
        older = leds(tmp_path)
        await older.open()
        alive = asyncio.create_task(older.run())
        async with showing(newer := leds(tmp_path)):
            with pytest.raises(DeviceLost, match="is gone"):
                await alive
            newer.show(picture((Light.BET, Light.BET)))
            await until(lambda: spot(pins) == BET)
            await older.close()
            assert spot(pins) == BET


@pytest.mark.parametrize("seed", range(5))
async def test_the_lights_are_the_last_word_of_the_newest_service_or_held(
    tmp_path: Path, pins: MockFactory, seed: int
) -> None:
    """Services come, speak, leave in order, die and are replaced, in any order."""
    chance = random.Random(seed)
    looks = {Light.BET: BET, Light.WON: (False, True, False), Light.STANDING: (False, True, True)}
    async with guarding(tmp_path / "guard", pins):
        older: list[GuardedOutput] = []
        newest: GuardedOutput | None = None
        expected = HELD
        for _ in range(60):
            do = chance.choice(("come", "speak", "speak", "leave", "die", "older leaves"))
            if do == "older leaves":
                if older:
                    await older.pop().close()
            elif newest is None or do == "come":
                older += [newest] if newest else []
                newest, expected = leds(tmp_path), HELD
                await newest.open()
            elif do == "speak":
                light = chance.choice(list(looks))
                newest.show(picture((light, Light.EMPTY)))
                expected = looks[light]
            else:
                if do == "die" and newest._writer is not None:
                    newest._writer.transport.abort()
                await newest.close()
                newest, expected = None, HELD
            async with asyncio.timeout(PATIENCE_S):
                while spot(pins) != expected:  # noqa: ASYNC110  (pins have no event to wait for)
                    await asyncio.sleep(0.001)
        for service in [*older, *([newest] if newest else [])]:
            await service.close()


async def test_no_guard_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DeviceAbsent, match="systemctl start tablectl-guard"):
        await leds(tmp_path).open()


async def test_a_guard_that_dies_is_told(tmp_path: Path, pins: MockFactory) -> None:
    device = leds(tmp_path)
    async with guarding(tmp_path / "guard", pins):
        await device.open()
        device.show(picture((Light.BET, Light.BET)))
    with pytest.raises(DeviceLost, match="is gone"):
        await device.run()
    await device.close()


@pytest.mark.parametrize("answers", [0, 1])
async def test_a_guard_that_hangs_is_told_at_the_greeting_and_later(
    tmp_path: Path, answers: int
) -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(answers):
            writer.write(b'{"failure": null}\n')
        await reader.read()
        writer.close()

    server = await asyncio.start_unix_server(hang, tmp_path / "guard")
    device = leds(tmp_path)

    async def use() -> None:
        await device.open()
        device.show(picture((Light.BET, Light.BET)))
        await device.run()

    with pytest.raises(DeviceLost, match="does not answer"):
        await asyncio.wait_for(use(), PATIENCE_S)
    await device.close()
    server.close()
    async with asyncio.timeout(PATIENCE_S):  # who did not go would be waited for
        await server.wait_closed()


@pytest.mark.parametrize(
    "said",
    [
        b"\n",
        b"[]\n",
        b"\xff\xff\n",
        b'{"guard":2,"device":"leds","settings":{}}\n',
        b'{"guard":1,"device":"door","settings":{}}\n',
        b'{"guard":1,"device":"leds","settings":{}}\n',
        b'{"guard":1,"device":"leds","settings":{"spots":[[1,2,99]],"active_low":false}}\n',
        b"x" * 100_000,
    ],
)
async def test_whoever_talks_nonsense_is_cut_and_the_lights_stay(
    tmp_path: Path, pins: MockFactory, said: bytes
) -> None:
    async with guarding(tmp_path / "guard", pins), showing(device := leds(tmp_path)):
        device.show(picture((Light.BET, Light.BET)))
        await until(lambda: spot(pins) == BET)
        reader, writer = await asyncio.open_unix_connection(tmp_path / "guard")
        writer.write(said)
        async with asyncio.timeout(PATIENCE_S):
            answer = await reader.read()
        assert "refused" in str(json.loads(answer)["failure"])
        writer.close()
        assert spot(pins) == BET


def test_two_guards_do_not_fight_for_the_pins(tmp_path: Path) -> None:
    path = tmp_path / "guard"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        done = guard_program(path, "--allow-simulated")
    assert done.returncode == 78
    assert "another guard answers" in done.stderr


def test_simulated_pins_have_to_be_asked_for(tmp_path: Path) -> None:
    done = guard_program(tmp_path / "guard")
    assert done.returncode == 78
    assert "gives no real pins" in done.stderr


def test_it_starts_on_a_machine_without_pins(tmp_path: Path) -> None:
    """As its unit starts it, on a PC."""
    path = tmp_path / "guard"
    with subprocess.Popen(
        [sys.executable, "-m", "drivers.panel.guard", str(path)],
        env={**os.environ, "GPIOZERO_PIN_FACTORY": "lgpio"}, stdout=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        assert program.stdout is not None
        assert program.stdout.readline() == f"ready {path}\n"
        program.terminate()
        assert program.wait(PATIENCE_S) == 0


def guard_program(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "drivers.panel.guard", *map(str, arguments)]
    return subprocess.run(
        command,
        env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_where_the_guard_is_stands_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert guard_path() is None
    monkeypatch.setenv(VARIABLE, "/run/guard")
    assert guard_path() == Path("/run/guard")


def test_a_path_among_the_settings_of_a_driver_goes_as_text() -> None:
    line = encode_line({"settings": {"file": Path("/dev/acme0")}})
    assert decode_line(line) == {"settings": {"file": "/dev/acme0"}}
