"""Devices come and go: each is reported, no card is lost, every output shows the newest scene.

Real drivers on a real pty and mock pins where that is possible; devices of our own only for what
no real one can be made to do.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError, Input, InputDevice, OutputDevice
from controller.devices.english import ENGLISH
from controller.devices.inputs import Condition, Doubt, Health, Press, Reading
from controller.devices.lights import LOOKS
from controller.devices.scene import Light, Scene
from controller.rules.messages import message
from drivers.code_book import PrintedCode
from drivers.panel.lights.leds import PinLamps, SpotLights
from drivers.settings.panel import LedSettings
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.serial_shoe import SerialShoe
from drivers.supervision import supervise
from drivers.supervision.coming_up import QUICK_LOSSES, ComingUp
from drivers.supervision.supervise import Supervisor
from tests.drivers.outside import ScannerLine, level, picture, pin, until
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SPOT = (6, 7, 8)
SECRET = "TH000123I"


class TableStub:
    """What the table was told; it can be made to take nothing."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self.may_take = asyncio.Event()
        self.may_take.set()

    async def offer(self, event: Input) -> None:
        await self.may_take.wait()
        self.inputs.append(event)

    def health(self, device: str) -> list[tuple[Condition, str]]:
        return [
            (each.condition, ENGLISH.say(each.why) if each.why else "")
            for each in self.inputs
            if isinstance(each, Health) and each.device == device
        ]

    def conditions(self, device: str) -> list[Condition]:
        return [condition for condition, _ in self.health(device)]

    def cards(self) -> list[str]:
        return [
            repr(each.card and each.card.open())
            for each in self.inputs
            if isinstance(each, Reading)
        ]


@pytest.fixture
def table() -> TableStub:
    return TableStub()


@asynccontextmanager
async def running(
    table: TableStub,
    inputs: tuple[InputDevice, ...] = (),
    outputs: tuple[OutputDevice, ...] = (),
) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(table.offer, inputs, outputs)
    task = asyncio.create_task(supervisor.run())
    try:
        yield supervisor
    finally:
        task.cancel()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wait([task])
    assert task.cancelled()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """People's patience is not tested here."""
    monkeypatch.setattr(supervise, "BACKOFF_FIRST_S", 0.005)
    monkeypatch.setattr(supervise, "BACKOFF_MOST_S", 0.02)


def scanner(line: ScannerLine) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link), PrintedCode())


def lights(pins: MockFactory) -> SpotLights:
    return SpotLights(PinLamps(LedSettings((SPOT,)), pins))


UP, DOWN = Condition.UP, Condition.DOWN

# Devices that open well and fail in use


class Flaps:
    """An output that opens, and fails as soon as it is used, until it is mended."""

    name = "sacn"

    def __init__(self) -> None:
        self.opened = 0
        self.mended = False

    async def open(self) -> None:
        self.opened += 1

    def show(self, scene: Scene) -> None:
        if not self.mended:
            raise DeviceError(message("sacn-failed", address="127.0.0.1", detail="refused"))

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None: ...


class OpenedScanner(SerialShoe):
    """A scanner that counts how often it was opened."""

    opened = 0

    async def open(self) -> None:
        await super().open()
        self.opened += 1


@pytest.mark.usefixtures("quick")
async def test_an_output_that_opens_and_fails_again_and_again_stays_down_until_it_works(
    table: TableStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up and down for ever it would fill the record, and its alarm would never call anybody."""
    monkeypatch.setattr(supervise, "STEADY_S", 0.2)
    output = Flaps()
    async with running(table, outputs=(output,)) as supervisor:
        supervisor.show(picture((Light.BET,)))
        await until(lambda: output.opened > 3 * QUICK_LOSSES)
        assert table.conditions("sacn") == [UP, DOWN] * QUICK_LOSSES
        assert supervisor.failures() == {"sacn": QUICK_LOSSES}
        output.mended = True
        await until(lambda: table.conditions("sacn")[-1] is UP)
        assert table.conditions("sacn") == [*[UP, DOWN] * QUICK_LOSSES, UP]


@pytest.mark.usefixtures("quick")
async def test_a_card_of_a_reader_that_was_lost_again_and_again_is_told_of_one_that_is_up(
    table: TableStub, line: ScannerLine
) -> None:
    """A plug that wobbles: the card is proof that it works, and is not told of a device down."""
    reader = OpenedScanner(ScannerSettings(line.link), PrintedCode())
    async with running(table, (reader,)):
        for lost in range(1, QUICK_LOSSES + 1):
            await until(lambda: table.conditions("scanner").count(UP) == lost)  # noqa: B023
            line.unplug()
            await until(lambda: table.conditions("scanner")[-1] is DOWN)
            line.plug()
        await until(lambda: reader.opened > QUICK_LOSSES)
        assert table.conditions("scanner")[-1] is DOWN, "it has not worked for a while"
        line.say(b"THX\r")
        await until(lambda: table.cards() == ["Th"])
        reported = [each for each in table.inputs if isinstance(each, Reading | Health)]
        assert isinstance(reported[-2], Health)
        assert reported[-2].condition is UP


class NeverOpens(Flaps):
    """An output whose opening does not end, until it is mended."""

    async def open(self) -> None:
        await super().open()
        if not self.mended:
            await asyncio.Event().wait()


@pytest.mark.usefixtures("quick")
async def test_a_device_whose_opening_does_not_end_is_told_and_opened_again(
    table: TableStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was neither up nor down for ever: nobody was called."""
    monkeypatch.setattr(supervise, "OPENS_MAX_S", 0.01)
    output = NeverOpens()
    async with running(table, outputs=(output,)):
        await until(lambda: output.opened > 1)
        ((condition, why),) = table.health("sacn")
        assert condition is DOWN
        assert "does not answer: its driver is still at it" in why
        output.mended = True
        await until(lambda: table.conditions("sacn") == [DOWN, UP])


# Inputs


@pytest.mark.usefixtures("quick")
async def test_a_scanner_is_lost_and_found_again(table: TableStub, line: ScannerLine) -> None:
    async with running(table, (scanner(line),)) as supervisor:
        await until(lambda: table.conditions("scanner") == [UP])
        line.say(b"THX\r")
        await until(lambda: table.cards() == ["Th"])
        line.unplug()
        await until(lambda: len(table.health("scanner")) == 3)
        line.plug()
        await until(lambda: table.conditions("scanner")[-1] is UP)
        line.say(b"9CE\r")
        await until(lambda: table.cards() == ["Th", "9c"])
        assert supervisor.failures() == {"scanner": 1}
    down = [why for condition, why in table.health("scanner") if condition is DOWN]
    assert "went away while in use" in down[0]
    assert "is not there: plug the scanner in" in down[1]


@pytest.mark.usefixtures("quick")
async def test_the_same_trouble_is_told_once(table: TableStub, tmp_path: Path) -> None:
    class Tried(SerialShoe):
        tries = 0

        async def open(self) -> None:
            self.tries += 1
            await super().open()

    device = Tried(ScannerSettings(tmp_path / "nothing"), PrintedCode())
    async with running(table, (device,)) as supervisor:
        await until(lambda: device.tries >= 5)
        assert table.conditions("scanner") == [DOWN]
        assert supervisor.failures() == {"scanner": 1}


@pytest.mark.usefixtures("quick")
async def test_a_scanner_that_another_program_has_comes_up_when_it_is_free(
    table: TableStub, line: ScannerLine
) -> None:
    other = scanner(line)
    await other.open()
    async with running(table, (scanner(line),)):
        await until(lambda: table.conditions("scanner") == [DOWN])
        assert "stop that program" in table.health("scanner")[0][1]
        await other.close()
        await until(lambda: table.conditions("scanner") == [DOWN, UP])


@pytest.mark.usefixtures("quick")
async def test_a_scanner_that_is_unplugged_while_it_babbles_loses_no_count(
    table: TableStub, line: ScannerLine
) -> None:
    """Every code that was sent is a reading or in the count, and the count comes first."""
    async with running(table, (scanner(line),)):
        await until(lambda: table.conditions("scanner") == [UP])
        line.say(b"THX\r" * 400 + b"9CE\r")
        await until(lambda: "9c" in table.cards())
        line.unplug()
        await until(lambda: len(table.health("scanner")) >= 4)
        babbles, babbled, lost = [
            each for each in table.inputs if isinstance(each, Health) and each.condition is DOWN
        ][:3]
        assert babbled.why is not None
        counted = babbled.why["count"]
        assert counted == 401 - len(table.cards())
        codes = [each.why and each.why.code for each in (babbles, babbled, lost)]
        assert codes == ["device-babbles", "device-babbled", "port-lost"]
        line.plug()
        await until(lambda: table.conditions("scanner")[-1] is UP)


async def test_cards_wait_while_the_table_cannot_take_them(
    table: TableStub, line: ScannerLine
) -> None:
    async with running(table, (scanner(line),)):
        await until(lambda: table.conditions("scanner") == [UP])
        table.may_take.clear()
        line.say(b"THX\r9CE\r" * 20 + b"\x00\r")
        table.may_take.set()
        await until(lambda: len(table.inputs) == 42)
        assert table.cards() == ["Th", "9c"] * 20 + ["None"]
        last = table.inputs[-1]
        assert isinstance(last, Reading)
        assert last.doubt is Doubt.GARBLED


class Odd:
    """An input whose library raises what nobody could foresee, with a card's code in it."""

    name = "odd"

    def __init__(self) -> None:
        self.opened = 0
        self.closed = 0

    async def open(self) -> None:
        self.opened += 1

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        yield Reading(self.name, None, Doubt.NO_CODE)
        raise LookupError(SECRET)

    async def close(self) -> None:
        self.closed += 1
        if self.closed == 1:
            raise LookupError(SECRET)


@pytest.mark.usefixtures("quick")
async def test_an_unforeseen_error_takes_that_device_down_and_tells_no_code(
    table: TableStub, line: ScannerLine, caplog: pytest.LogCaptureFixture
) -> None:
    device = Odd()
    with caplog.at_level(logging.INFO):
        async with running(table, (device, scanner(line))) as supervisor:
            await until(lambda: supervisor.failures()["odd"] >= 3)
            line.say(b"9CE\r")
            await until(lambda: "9c" in table.cards())
    assert device.closed == device.opened
    why = table.health("odd")[1][1]
    assert "failed unexpectedly (LookupError): it is opened again by itself" in why
    assert SECRET not in why + caplog.text
    assert "test_supervise.py" in caplog.text  # where it was, without what it said


@pytest.mark.usefixtures("quick")
async def test_a_stop_in_the_moment_in_which_a_device_is_let_go_closes_it(
    table: TableStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, ending = Odd(), asyncio.Event()

    async def end(_: ComingUp) -> None:
        ending.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(ComingUp, "end", end)
    async with running(table, (device,)):
        await ending.wait()
    assert device.closed == device.opened == 1


# Outputs


@pytest.mark.usefixtures("quick")
async def test_lights_show_a_scene_at_once_and_the_newest_one_after_they_were_lost(
    table: TableStub, pins: MockFactory
) -> None:
    async with running(table, outputs=(lights(pins),)) as supervisor:
        supervisor.show(picture((Light.BET,)))
        await until(lambda: table.conditions("leds") == [UP])
        assert [level(pins, number) for number in SPOT] == list(LOOKS[Light.BET].colour)
        supervisor.show(picture((Light.STANDING,)))
        assert [level(pins, number) for number in SPOT] == list(LOOKS[Light.STANDING].colour)

        pin(pins, SPOT[0]).function = "input"  # somebody takes the pin away
        supervisor.show(picture((Light.LOST,)))
        await until(lambda: DOWN in table.conditions("leds"))
        supervisor.show(picture((Light.CHOOSE,)))
        await until(lambda: table.conditions("leds")[-1] is UP)
        assert [level(pins, number) for number in SPOT] == list(LOOKS[Light.CHOOSE].colour)
        assert supervisor.failures()["leds"] == 1
    assert not any(level(pins, number) for number in SPOT)


@pytest.mark.usefixtures("quick")
async def test_lights_that_fail_in_the_middle_of_a_pattern_come_back(
    table: TableStub, pins: MockFactory
) -> None:
    async with running(table, outputs=(lights(pins),)) as supervisor:
        await until(lambda: table.conditions("leds") == [UP])
        supervisor.show(picture((Light.CARD,)))
        pin(pins, SPOT[0]).function = "input"
        await until(lambda: table.conditions("leds") == [UP, DOWN, UP])
        await until(lambda: level(pins, SPOT[0]))


async def test_a_table_without_devices_runs(table: TableStub) -> None:
    async with running(table) as supervisor:
        supervisor.show(picture())
        assert supervisor.failures() == {}


class RaisingOutput:
    """An output whose library raises what nobody could foresee."""

    name = "clumsy"

    async def open(self) -> None:
        """Always works."""

    def show(self, scene: Scene) -> None:
        if scene.lights:
            raise LookupError(SECRET)

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Always works."""


async def test_one_output_that_fails_leaves_the_others_lit(
    table: TableStub, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "BACKOFF_FIRST_S", 60.0)
    async with running(table, outputs=(RaisingOutput(), lights(pins))) as supervisor:
        await until(lambda: len(table.inputs) == 2)
        supervisor.show(picture((Light.BET,)))
        assert level(pins, SPOT[2])
        await until(lambda: table.conditions("clumsy") == [UP, DOWN])
        supervisor.show(picture((Light.WON,)))
        assert level(pins, SPOT[1])


class OthersKeys:
    """An input device of others that shows its keys, and keeps no contract."""

    name = "others"

    def __init__(self) -> None:
        self.opened = 0

    async def open(self) -> None:
        self.opened += 1

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        yield cast(Reading, Health("scanner", DOWN))

    def show(self, scene: Scene) -> None:
        raise ZeroDivisionError

    async def close(self) -> None: ...


async def test_a_device_of_others_that_keeps_no_contract_ends_itself_alone(
    table: TableStub, pins: MockFactory, quick: None
) -> None:
    async with running(table, (others := OthersKeys(),), (lights(pins),)) as supervisor:
        await until(lambda: others.opened > 1)
        assert DOWN in table.conditions("others")
        assert table.conditions("scanner") == []
        supervisor.show(picture((Light.BET,)))
        await until(lambda: level(pins, SPOT[2]))


async def test_a_bug_of_the_tables_is_not_taken_for_a_devices(line: ScannerLine) -> None:
    async def offer(_: Input) -> None:
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as stopped:
        await Supervisor(offer, (scanner(line),)).run()
    assert stopped.group_contains(ZeroDivisionError)


def test_device_errors_say_what_to_do(tmp_path: Path) -> None:
    async def first_why() -> str:
        try:
            await SerialShoe(ScannerSettings(tmp_path / "x"), PrintedCode()).open()
        except DeviceError as error:
            return str(error)
        return ""

    assert "plug the scanner in, or correct `port`" in asyncio.run(first_why())
