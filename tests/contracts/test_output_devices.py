"""What every output device keeps to: the lights of the spots and the buzzer."""

import pytest

from controller.devices.contracts import DeviceBusy, OutputDevice
from controller.devices.scene import Light, Scene, Sound
from tests.contracts.conftest import LIGHTS, TableWithHands, section
from tests.drivers.outside import picture, showing

pytestmark = pytest.mark.anyio


@pytest.fixture
def device(table: TableWithHands, device_name: str) -> OutputDevice:
    return table.outputs()[section(device_name)]


def scene(table: TableWithHands, first: Light, sound: Sound = Sound.QUIET) -> Scene:
    """A picture of this table: one spot speaks, the others have bets."""
    others = (Light.BET,) * (table.config.table.seats - 1)
    return picture((first, *others), sound)


async def test_it_can_be_opened_and_closed_at_any_time_and_is_dark(
    device: OutputDevice, table: TableWithHands
) -> None:
    await device.close()
    for _ in range(2):
        await device.open()
        await table.hands.check_dark(device.name)
        await device.close()
        await device.close()
    await table.hands.check_dark(device.name)


@pytest.mark.parametrize("device_name", LIGHTS)
@pytest.mark.parametrize("light", list(Light))
async def test_it_shows_every_scene(
    device: OutputDevice, table: TableWithHands, light: Light
) -> None:
    async with showing(device):
        shown = scene(table, light)
        device.show(shown)
        await table.hands.check(device, shown)


@pytest.mark.parametrize("device_name", ["buzzer"])
@pytest.mark.parametrize("sound", [Sound.REFUSED, Sound.HELD])
async def test_it_sounds_every_sound_once(
    device: OutputDevice, table: TableWithHands, sound: Sound
) -> None:
    async with showing(device):
        device.show(scene(table, Light.EMPTY, sound))
        device.show(scene(table, Light.BET, sound))
        await table.hands.check(device, scene(table, Light.BET, sound))


async def test_the_same_scene_again_changes_nothing(
    device: OutputDevice, table: TableWithHands
) -> None:
    async with showing(device):
        shown = scene(table, Light.STANDING)
        for _ in range(3):
            device.show(shown)
        await table.hands.check(device, shown)


async def test_the_newest_scene_wins(device: OutputDevice, table: TableWithHands) -> None:
    async with showing(device):
        for light in Light:
            device.show(scene(table, light))
        newest = scene(table, Light.WON)
        device.show(newest)
        await table.hands.check(device, newest)


async def test_it_is_dark_when_closed_and_shows_the_scene_again_when_opened(
    device: OutputDevice, table: TableWithHands
) -> None:
    shown = scene(table, Light.STANDING)
    for _ in range(2):
        async with showing(device):
            device.show(shown)
            await table.hands.check(device, shown)
        await table.hands.check_dark(device.name)


async def test_two_devices_cannot_have_the_same_pins(
    device: OutputDevice, device_name: str, table: TableWithHands
) -> None:
    another = table.outputs()[section(device_name)]
    async with showing(device):
        with pytest.raises(DeviceBusy):
            await another.open()
        await another.close()
        shown = scene(table, Light.LOST)
        device.show(shown)
        await table.hands.check(device, shown)
