"""Lamps that are heard of on a line: what our drivers send, as the colours that people see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Literal

import pytest

from controller.config.device_sections import DeviceSections
from controller.devices.lights import BLUE, CYAN, GREEN, MAGENTA, OFF, RED, WHITE, YELLOW, Colour
from drivers.panel.lights import dmx_messages, sacn, strip
from drivers.panel.lights.slots import slots
from drivers.settings.dmx import DmxSettings
from drivers.settings.i2c import I2cLedSettings
from drivers.settings.panel import LedSettings, StripSettings
from drivers.settings.sacn import SacnSettings
from sim_hw.devices.spot_lamps import LampColour
from sim_hw.devices.wire.dmx_usb import PARAMETERS, SERIAL, message
from sim_hw.rig.boards.packets import HEARD, LOST, packet
from tests.drivers.panel.strip_bus import decoded
from tests.hil.dealt.heard_lamps import (
    REQUESTS_WITHIN,
    DmxEar,
    HeardLamps,
    Picture,
    PixelEar,
    UniverseEar,
    heard_lamps,
)
from tests.hil.dealt.table_lights import active_low, lights_of, spots_of
from tests.hil.rig.rig_client import RigClient, RigHeard, RigRefused
from tests.hil.rig.taps import NotHeard

COLOURS = [RED, GREEN, BLUE, YELLOW, MAGENTA, CYAN, WHITE, OFF, RED, WHITE]
AT_NS = 5_000


def seen(colours: Iterable[Colour]) -> Picture:
    """Those colours, as they are seen."""
    return tuple(LampColour(*each) for each in colours)


def board_said(settings: StripSettings, colours: list[Colour]) -> bytes:
    """What the board at the strip says of a frame of our driver's."""
    pixels = decoded(strip.frame(settings, colours), len(settings.order))
    return packet(HEARD, bytes(each for pixel in pixels for each in pixel))


@pytest.mark.parametrize("order", ["grb", "rgb", "grbw"])
def test_a_strip_shows_what_its_frames_say(order: Literal["grb", "rgb", "grbw"]) -> None:
    settings = StripSettings(spots=10, pixels=4, order=order)
    ear, said = PixelEar(settings), board_said(settings, COLOURS)
    assert ear.hears(said[:20]) == ([], b"")
    dark = board_said(settings, [OFF] * 10)
    pictures, answer = ear.hears(said[20:] + dark)
    assert pictures == [seen(COLOURS), seen([OFF] * 10)]
    assert answer == b""
    # A longer strip is darkened to its end.
    assert PixelEar(settings).hears(packet(HEARD, bytes(4 * 3 * 100)))[0] == [seen([OFF] * 10)]


def test_a_frame_that_is_too_short_or_of_two_colours_at_a_spot_is_no_picture() -> None:
    settings = StripSettings(spots=2, pixels=2)
    lit, dark = b"\0\x60\0", bytes(3)
    for frame, why in (
        (lit + lit + dark, "the pixels of seat 2 were sent"),
        (lit + dark + dark + dark, "the pixels of seat 1 were sent"),
    ):
        with pytest.raises(NotHeard, match=why):
            PixelEar(settings).hears(packet(HEARD, frame))
    with pytest.raises(NotHeard, match="the strip board lost a frame"):
        PixelEar(settings).hears(packet(LOST, b"a frame"))


@pytest.mark.parametrize("order", ["rgb", "rgbw", "drgb", "drgbw"])
def test_fixtures_show_what_a_packet_says(order: Any) -> None:
    settings = SacnSettings(7, spots=10, first=5, order=order)
    ear = UniverseEar(settings)
    assert ear.hears(sacn.packet(settings, COLOURS, 1)) == ([seen(COLOURS)], b"")
    with pytest.raises(NotHeard, match=r"a packet that is none of E1\.31: preamble"):
        ear.hears(b"hello")
    fewer = SacnSettings(7, spots=9, first=5, order=order)
    with pytest.raises(NotHeard, match="slots were sent, and the fixtures have"):
        ear.hears(sacn.packet(fewer, COLOURS[:9], 1))


def test_a_fixture_whose_dimmer_is_down_is_dark() -> None:
    settings = SacnSettings(7, spots=1, order="drgb")
    lit = sacn.packet(settings, [WHITE], 1)
    assert UniverseEar(settings).hears(lit[:-4] + b"\0" + lit[-3:])[0] == [seen([OFF])]


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_dmx_interface_answers_and_shows_the_newest_picture(size: int) -> None:
    settings = DmxSettings("/dev/dmx", spots=10, first=3)
    picture = dmx_messages.packet(slots(settings, COLOURS))
    said = (
        picture[-9:]  # the end of one that began before anybody listened
        + dmx_messages.request(dmx_messages.SERIAL_NUMBER, b"")
        + dmx_messages.request(dmx_messages.PARAMETERS, dmx_messages.NO_USER_BYTES)
        + dmx_messages.packet(slots(settings, [OFF] * 10)) + picture
    )  # fmt: skip
    ear, pictures, answers = DmxEar(settings), list[object](), b""
    for at in range(0, len(said), size):
        shown, answer = ear.hears(said[at : at + size])
        pictures += shown
        answers += answer
    assert pictures[-1] == seen(COLOURS)
    assert answers == message(10, SERIAL) + message(3, PARAMETERS)
    with pytest.raises(NotHeard, match="what no DMX interface takes"):
        ear.hears(b"hello")


def test_a_line_on_which_nobody_asks_a_dmx_interface_is_said_to_be_one() -> None:
    ear = DmxEar(DmxSettings("/dev/dmx"))
    for _ in range(REQUESTS_WITHIN // 1_024):
        assert ear.hears(bytes(1_024)) == ([], b"")
    with pytest.raises(NotHeard, match="nobody asks the DMX interface"):
        ear.hears(b"\0")


class OneLineRig(RigClient):
    """A rig with one line."""

    def __init__(self, refuses: str = "") -> None:
        super().__init__(None, None)  # type: ignore[arg-type]
        self.asked: list[tuple[object, ...]] = []
        self._refuses = refuses

    async def do(self, verb: str, *words: object, raw: bytes = b"") -> tuple[str, ...]:
        self.asked.append((verb, *words))
        if verb == self._refuses:
            raise RigRefused("no serial, HID or sACN line is called 'dmx'")
        return ("1",)

    def ask(self, verb: str, *words: object, raw: bytes = b"") -> asyncio.Future[Any]:
        return asyncio.ensure_future(self.do(verb, *words, raw=raw))

    def comes(self, line: str, data: bytes | None, at_ns: int = AT_NS) -> None:
        """Something comes on a line."""
        for each in list(self._listeners):
            each(RigHeard(at_ns, line, data))


@pytest.mark.anyio
async def test_each_change_is_an_edge_of_a_lamp_with_the_rigs_time() -> None:
    settings, rig, wrong = StripSettings(spots=2, pixels=1), OneLineRig(), list[Exception]()
    first = list[bool]()
    lamps = HeardLamps(
        rig, "strip", PixelEar(settings), 2, wrong.append, lambda: first.append(lamps.seen)
    )
    async with lamps.listening():
        assert rig.levels == {f"lamp{seat}_{each}": 0 for seat in (1, 2) for each in Colour._fields}
        assert not lamps.seen
        rig.comes("strip", board_said(settings, [RED, WHITE]), AT_NS)
        assert first == [True]
        rig.comes("strip", board_said(settings, [RED, WHITE]), AT_NS + 1)
        rig.comes("oled", b"of another line")
        rig.comes("strip", board_said(settings, [YELLOW, OFF]), AT_NS + 2)
    rig.comes("strip", board_said(settings, [OFF, OFF]), AT_NS + 3)
    assert rig.asked == [("listen", "strip", "on"), ("listen", "strip", "off")]
    assert [(each.at_ns - AT_NS, each.line, each.level) for each in rig.edges] == [
        (0, "lamp1_red", 1),
        *((0, f"lamp2_{each}", 1) for each in Colour._fields),
        (2, "lamp1_green", 1),
        *((2, f"lamp2_{each}", 0) for each in Colour._fields),
    ]
    assert (first, wrong) == ([True], [])
    assert not rig.used, "no wire of the rig's is at those lamps"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("comes", "why"),
    [
        (lambda rig: rig.comes("strip", None), "the line 'strip' was lost"),
        (lambda rig: rig.comes("strip", packet(LOST, b"bytes")), "the strip board lost bytes"),
    ],
)
async def test_what_was_not_heard_ends_the_play(
    comes: Callable[[OneLineRig], None], why: str
) -> None:
    rig, wrong = OneLineRig(), list[Exception]()
    lamps = HeardLamps(rig, "strip", PixelEar(StripSettings(spots=1)), 1, wrong.append)
    async with lamps.listening():
        comes(rig)
    assert why in str(wrong[0])


@pytest.mark.anyio
async def test_a_rig_without_the_line_or_whose_answers_nobody_takes_is_told_of() -> None:
    settings, wrong = DmxSettings("/dev/dmx", spots=1), list[Exception]()
    asks = dmx_messages.request(dmx_messages.SERIAL_NUMBER, b"")
    rig = OneLineRig(refuses="say")
    async with HeardLamps(rig, "dmx", DmxEar(settings), 1, wrong.append).listening():
        rig.comes("dmx", asks)
        while not wrong:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert isinstance(wrong[0], RigRefused)
    rig = OneLineRig(refuses="listen")
    with pytest.raises(RigRefused):
        async with HeardLamps(rig, "dmx", DmxEar(settings), 1, wrong.append).listening():
            pytest.fail("it has no such line")


def test_what_lights_a_table_follows_from_its_sections() -> None:
    pins = LedSettings(((6, 7, 8),), active_low=True)
    chips = I2cLedSettings(addresses=(0x40,), spots=2, active_low=True)
    for sections, lights, spots, low in (
        (DeviceSections(leds=pins), "pins", ((6, 7, 8),), True),
        (DeviceSections(i2c_leds=chips), "pca9685", ((100, 101, 102), (103, 104, 105)), True),
        (DeviceSections(strip=StripSettings(spots=1)), "strip", ((100, 101, 102),), False),
        (DeviceSections(sacn=SacnSettings(7, spots=1)), "sacn", ((100, 101, 102),), False),
        (DeviceSections(dmx=DmxSettings("/dev/d", spots=1)), "dmx", ((100, 101, 102),), False),
        (DeviceSections(leds=pins, strip=StripSettings()), "pins", ((6, 7, 8),), True),
    ):
        assert (lights_of(sections), spots_of(sections)) == (lights, spots)
        assert active_low(sections) is low
        heard = heard_lamps(OneLineRig(), sections, lambda _: None)
        assert (heard is not None) is (lights in ("strip", "sacn", "dmx"))
    assert lights_of(DeviceSections()) == ""
