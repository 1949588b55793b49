"""A Stream Deck: the pictures on its keys, as sent and decoded, and the presses."""

from __future__ import annotations

import asyncio
import io
import os
import select
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image, ImageChops, ImageStat

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.displays import Key
from controller.devices.inputs import Button, Press
from controller.devices.scene import Scene
from controller.rules.cards import Pack
from drivers.builtin import needs
from drivers.door import built_in
from drivers.driver import DriverContext
from drivers.io import hid_raw
from drivers.io.device_node import DeviceNode
from drivers.panel import stream_deck
from drivers.panel.deck_models import MODELS
from drivers.panel.displays.key_pictures import KeyFace, key_image, key_picture
from drivers.panel.stream_deck import DeckBank, StreamDeck
from drivers.settings.checks import SettingsError
from drivers.settings.displays import StreamDeckSettings
from drivers.supervision.supervise import Supervisor
from sim_hw.devices.wire.stream_deck import KINDS, MK2, VENDOR, Deck
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import EventCollector, ScannerLine, WatchedLock, picture, until
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
NEXT, STAND, CALL = 0, 1, 14


def offering(**labels: str) -> Scene:
    """A picture in which these buttons may be pressed."""
    plain = picture(())
    keys = tuple(Key(label, {}, button=button) for button, label in labels.items())
    keys += (Key("Another number", {}, "n"),)
    dealer = replace(plain.dealer, keys=keys)
    return Scene((), plain.sound, lambda: (dealer, plain.players))


class NodeDeck:
    """A deck on a node, which takes what it is sent."""

    def __init__(self, folder: Path, kind: str = "MK.2", call: int = CALL) -> None:
        self.line = ScannerLine(folder / "hidraw5")
        self.line.plug()
        self.deck = Deck(KINDS[kind])
        settings = StreamDeckSettings(
            str(self.line.link), next=NEXT + 1, stand=STAND + 1, call=call + 1
        )
        self.device = StreamDeck(settings)

    def shows(self, key: int) -> str | None:
        """The label that a key shows: the one whose picture it is; None while it shows none."""
        known = {key_picture(label, KeyFace(72)): label for label in LABELS}
        return known.get(self.deck.pictures.get(key, b""))

    async def shown(self, **labels: str) -> None:
        keys = {"next": NEXT, "stand": STAND, "call": CALL}
        await until(lambda: all(self.shows(keys[b]) == label for b, label in labels.items()))


LABELS = ("", "Stand", "No more bets", "Done", "Call the floor")


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    return with_kernel(monkeypatch, Kernel(identity=(VENDOR, MK2)))


@asynccontextmanager
async def at_the_table(
    folder: Path, kind: str = "MK.2", call: int = CALL
) -> AsyncIterator[tuple[NodeDeck, EventCollector]]:
    desk = NodeDeck(folder, kind, call)

    async def takes() -> None:
        while True:
            desk.deck.hears(desk.line.heard())
            await asyncio.sleep(0.001)

    taking = asyncio.create_task(takes())
    events = EventCollector(desk.device)
    try:
        await desk.device.open()
        yield desk, events
    finally:
        await events.close()
        await desk.device.close()
        taking.cancel()
        await asyncio.wait([taking])
        desk.line.unplug()


async def press(events: EventCollector) -> Button:
    press = await events.next()
    assert isinstance(press, Press)
    return press.button


async def test_keys_have_the_labels_of_what_they_do_now_and_are_black_else(
    kernel: Kernel, tmp_path: Path
) -> None:
    async with at_the_table(tmp_path) as (desk, events):
        assert [each[:3] for each in kernel.features] == [bytes((3, 8, 60))]
        await until(lambda: {desk.shows(key) for key in range(15)} == {""})
        desk.device.show(offering(next="No more bets", call="Call the floor"))
        waiting = asyncio.create_task(press(events))
        await desk.shown(next="No more bets", stand="", call="Call the floor")
        desk.device.show(offering(stand="Stand", call="Call the floor"))
        await desk.shown(next="", stand="Stand", call="Call the floor")
        waiting.cancel()
        await asyncio.wait([waiting])
        await events.close()
        await desk.device.close()  # a table that is stopped offers nothing
        await until(lambda: {desk.shows(key) for key in range(15)} == {""})


async def next_press(desk: NodeDeck, events: EventCollector) -> Button:
    """The next press that counts, while the floor is called again and again."""
    waiting = asyncio.create_task(press(events))
    while not waiting.done():
        desk.line.say(desk.deck.report() + desk.deck.report(CALL) + desk.deck.report())
        await asyncio.wait([waiting], timeout=5 * stream_deck.DEBOUNCE_MS / 1_000)
    return waiting.result()


async def test_a_key_is_a_press_whatever_it_shows(kernel: Kernel, tmp_path: Path) -> None:
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.say(desk.deck.report(NEXT))
        assert await press(events) is Button.NEXT
        desk.line.say(desk.deck.report() + desk.deck.report(7))
        assert await next_press(desk, events) is Button.CALL


async def test_what_a_late_loop_reads_together_is_a_press(kernel: Kernel, tmp_path: Path) -> None:
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.say(desk.deck.report(STAND) + desk.deck.report() + desk.deck.report(NEXT))
        assert [await press(events), await press(events)] == [Button.STAND, Button.NEXT]


async def test_a_key_pressed_twice_before_a_late_loop_reads_is_two_presses(
    kernel: Kernel, tmp_path: Path
) -> None:
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.say((desk.deck.report(STAND) + desk.deck.report()) * 2)
        assert [await press(events), await press(events)] == [Button.STAND, Button.STAND]


async def test_however_much_is_read_together_no_edge_is_dated_after_a_picture_of_then(
    kernel: Kernel, tmp_path: Path
) -> None:
    """Else a press for the picture before could count as one for the next."""
    desk, dates = NodeDeck(tmp_path), list[int]()
    bank = DeckBank(StreamDeckSettings(str(desk.line.link), stand=STAND + 1))
    await bank.open(lambda button, down, at_ns: dates.append(at_ns), lambda error: None)
    desk.line.say((desk.deck.report(STAND) + desk.deck.report()) * 3)
    await until(lambda: len(dates) == 6)
    assert max(dates) <= time.monotonic_ns() + stream_deck.AHEAD_NS
    assert stream_deck.AHEAD_NS < stream_deck.UNSEEN_NS
    await bank.close()
    desk.line.unplug()


@pytest.mark.parametrize("reports", [[(STAND, NEXT)], [(STAND,), (STAND, NEXT), (NEXT,), ()]])
async def test_a_hand_on_two_keys_presses_none(
    kernel: Kernel, tmp_path: Path, reports: list[tuple[int, ...]]
) -> None:
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.say(b"".join(desk.deck.report(*keys) for keys in reports))
        assert await next_press(desk, events) is Button.CALL


async def test_a_press_for_a_picture_that_nobody_can_have_seen_is_dropped(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 3_600_000_000_000)
    async with at_the_table(tmp_path) as (desk, events):
        desk.device.show(offering(next="Done"))
        waiting = asyncio.create_task(press(events))
        await desk.shown(next="Done")
        desk.line.say(desk.deck.report(NEXT))
        await asyncio.sleep(2 * stream_deck.DEBOUNCE_MS / 1_000)
        desk.line.say(desk.deck.report())
        desk.line.say(desk.deck.report(STAND))  # its picture is as it was
        assert await waiting is Button.STAND


async def test_a_press_under_an_old_picture_is_dropped_while_the_deck_is_still_busy(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 0)
    begun, goes_on = threading.Event(), threading.Event()

    def slow(label: str, face: KeyFace) -> bytes:
        if label == "Call the floor":
            begun.set()
            goes_on.wait(PATIENCE_S)
        return key_picture(label, face)

    monkeypatch.setattr(stream_deck, "key_picture", slow)
    async with at_the_table(tmp_path) as (desk, events):
        desk.device.show(offering(next="No more bets"))
        waiting = asyncio.create_task(press(events))
        await desk.shown(next="No more bets")
        desk.device.show(offering(next="No more bets", call="Call the floor"))
        await until(begun.is_set)
        desk.device.show(offering(next="Done", call="Call the floor"))
        desk.line.say(desk.deck.report(NEXT))  # its key says "No more bets"
        await asyncio.sleep(2 * stream_deck.DEBOUNCE_MS / 1_000)
        desk.line.say(desk.deck.report())
        desk.line.say(desk.deck.report(STAND))
        assert await waiting is Button.STAND
        goes_on.set()
        await desk.shown(next="Done", call="Call the floor")


async def test_a_press_that_the_table_takes_late_is_of_the_moment_when_it_began(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 0)
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.say(desk.deck.report(STAND))
        assert await press(events) is Button.STAND
        desk.line.say(desk.deck.report() + desk.deck.report(NEXT))
        await until(lambda: Button.NEXT in desk.device._bank._down)
        desk.device.show(offering(next="Done"))  # the press waits, and the table goes on
        await desk.shown(next="Done")
        await asyncio.sleep(2 * stream_deck.DEBOUNCE_MS / 1_000)  # the finger's time
        desk.line.say(desk.deck.report())
        desk.line.say(desk.deck.report(CALL))
        assert await press(events) is Button.CALL


async def test_a_key_that_is_held_for_ever_is_stuck_and_costs_no_press_of_another(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of the first press after the deck was opened again: its report has both keys down."""
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 0)
    async with at_the_table(tmp_path) as (desk, events):
        desk.device._buttons._stuck_ns = 50_000_000
        desk.line.say(desk.deck.report(NEXT))
        assert await press(events) is Button.NEXT
        with pytest.raises(DeviceError, match="the next button stays pressed"):
            await events.next()
        await desk.device.close()
        await desk.device.open()
        desk.device._buttons._stuck_ns = 10_000_000_000
        again = EventCollector(desk.device)
        desk.line.say(desk.deck.report(NEXT, STAND))
        assert await press(again) is Button.STAND
        desk.line.say(desk.deck.report(NEXT) + desk.deck.report() + desk.deck.report(NEXT))
        assert await press(again) is Button.NEXT, "it was let go, and pressed"
        await again.close()


async def test_a_deck_that_is_pulled_while_a_key_is_down_takes_the_next_press_of_it(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 0)
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.say(desk.deck.report(NEXT))
        assert await press(events) is Button.NEXT
        desk.line.unplug()
        with pytest.raises(DeviceLost, match=r"\[stream_deck\]"):
            await events.next()
        await desk.device.close()
        desk.line.plug()
        desk.deck = Deck()
        await desk.device.open()
        again = EventCollector(desk.device)
        desk.line.say(desk.deck.report(NEXT))
        assert await press(again) is Button.NEXT
        await again.close()


async def test_a_deck_that_is_pulled_is_lost_and_shows_the_newest_scene_when_it_is_back(
    kernel: Kernel, tmp_path: Path
) -> None:
    async with at_the_table(tmp_path) as (desk, events):
        desk.line.unplug()
        with pytest.raises(DeviceLost, match=r"\[stream_deck\]"):
            await events.next()
        await desk.device.close()
        desk.device.show(offering(next="Done"))
        desk.line.plug()
        desk.deck = Deck()
        await desk.device.open()
        again = EventCollector(desk.device)
        waiting = asyncio.create_task(press(again))
        await desk.shown(next="Done", stand="")
        waiting.cancel()
        await asyncio.wait([waiting])
        await again.close()


async def test_the_loop_never_waits_for_a_deck(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock may be held by a picture that it does not take; a feature takes the bus's time."""
    watched, features = WatchedLock(), set[threading.Thread]()

    def send_feature(descriptor: int, report: bytes) -> None:
        features.add(threading.current_thread())
        hid_raw.send_feature(descriptor, report)

    monkeypatch.setattr(stream_deck, "send_feature", send_feature)
    monkeypatch.setattr(stream_deck, "threading", SimpleNamespace(Lock=lambda: watched))
    async with at_the_table(tmp_path) as (desk, _):
        await until(lambda: desk.shows(14) == "")
    assert watched.threads
    assert features
    assert threading.current_thread() not in watched.threads | features


async def test_pictures_that_cannot_be_drawn_lose_the_deck(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_the_table(tmp_path) as (desk, events):

        def broken(label: str, face: KeyFace) -> bytes:
            if label:
                raise ValueError(label)
            return key_picture(label, face)

        monkeypatch.setattr(stream_deck, "key_picture", broken)
        desk.device.show(offering(next="Done"))
        with pytest.raises(DeviceError, match=r"failed unexpectedly \(ValueError\)"):
            await events.next()


async def test_a_table_shows_its_scenes_to_what_has_keys(kernel: Kernel, tmp_path: Path) -> None:
    desk = NodeDeck(tmp_path)

    async def offer(_: object) -> None:
        return None

    supervisor = Supervisor(offer, [desk.device])
    scene = offering(next="Done")
    supervisor.show(scene)
    assert await desk.device._newest.take() is scene
    desk.line.unplug()


@pytest.mark.parametrize("identity", [(VENDOR, 0x00AA), (0x046D, MK2)], ids=["studio", "other"])
async def test_another_device_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, identity: tuple[int, int]
) -> None:
    with_kernel(monkeypatch, Kernel(identity=identity))
    desk = NodeDeck(tmp_path)
    with pytest.raises(DeviceError, match="another kind of device"):
        await desk.device.open()
    desk.line.unplug()


@pytest.mark.parametrize("pixels", [72, 96, 120])
@pytest.mark.parametrize(
    "label", ["Stand", "No more bets", "Run it through the shoe", "Supercalifragilistic", "13♥"]
)
async def test_every_label_is_drawn_inside_its_key_upside_down(label: str, pixels: int) -> None:
    drawn = Image.open(io.BytesIO(key_picture(label, KeyFace(pixels))))
    assert (drawn.size, drawn.format) == ((pixels, pixels), "JPEG")
    ink = drawn.convert("L").point(lambda level: 255 * (level > 160)).getbbox()
    assert ink is not None
    assert ink[2] - ink[0] > pixels / 4
    if label == "Stand":
        upright = drawn.transpose(Image.Transpose.ROTATE_180)
        assert upright.tobytes() != drawn.tobytes()


async def test_a_key_without_a_label_is_black() -> None:
    assert Image.open(io.BytesIO(key_picture("", KeyFace(72)))).getextrema() == ((0, 0),) * 3


#: How a person sees what lies in a key's memory, by what others do to a picture before they send it
#: (python-elgato-streamdeck: turns to the left, then flips; a bitmap's lowest row comes first).
SEEN: dict[str, Callable[[Image.Image], Image.Image]] = {
    "MK.2": lambda image: image.transpose(Image.Transpose.ROTATE_180),
    "XL": lambda image: image.transpose(Image.Transpose.ROTATE_180),
    "Neo": lambda image: image.transpose(Image.Transpose.ROTATE_180),
    "+": lambda image: image,
    "Mini": lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).rotate(-90),
    "Original": lambda image: image.transpose(Image.Transpose.ROTATE_180),
}


@pytest.fixture
def long_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report goes to hidraw whole, to a pty in parts where it is longer than its buffer."""

    def written(node: DeviceNode, data: bytes) -> int:
        rest, line = data, node.fileno()
        while rest:
            assert select.select([], [line], [], PATIENCE_S)[1], "nobody reads the line"
            with suppress(BlockingIOError):
                rest = rest[os.write(line, rest) :]
        return len(data)

    monkeypatch.setattr(DeviceNode, "_written", written)


@pytest.mark.usefixtures("long_reports")
@pytest.mark.parametrize("kind", SEEN)
async def test_every_model_shows_its_labels_upright_on_the_right_keys(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = KINDS[kind]
    with_kernel(monkeypatch, kernel := Kernel(identity=(VENDOR, model.product)))
    last = model.keys - 1
    async with at_the_table(tmp_path, kind, last) as (desk, events):
        dim = bytes((5, 0x55, 0xAA, 0xD1, 1, 60)) if model.bmp else bytes((3, 8, 60))
        assert [each.rstrip(b"\0") for each in kernel.features] == [dim]
        assert len(kernel.features[0]) == (17 if model.bmp else 32)
        await until(lambda: len(desk.deck.pictures) == model.keys)
        black = desk.deck.pictures[last]
        desk.device.show(offering(next="No more bets", call="Call the floor"))
        waiting = asyncio.create_task(press(events))
        await until(lambda: desk.deck.pictures[last] != black)
        await until(lambda: desk.deck.pictures[NEXT] != black)
        for key, label in ((NEXT, "No more bets"), (last, "Call the floor"), (STAND, "")):
            shown = SEEN[kind](Image.open(io.BytesIO(desk.deck.pictures[key])).convert("RGB"))
            wanted = key_image(label, shown.width)
            difference = ImageChops.difference(shown, wanted).convert("L")
            assert ImageStat.Stat(difference).mean[0] < (0.001 if model.bmp else 4), (key, label)
        waiting.cancel()
        await asyncio.wait([waiting])


@pytest.mark.usefixtures("long_reports")
@pytest.mark.parametrize("kind", KINDS)
async def test_every_model_is_pressed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = KINDS[kind]
    with_kernel(monkeypatch, Kernel(identity=(VENDOR, model.product)))
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 0)
    last = model.keys - 1
    async with at_the_table(tmp_path, kind, last) as (desk, events):
        for key, button in ((NEXT, Button.NEXT), (last, Button.CALL), (STAND, Button.STAND)):
            desk.line.say(desk.deck.report(key) + desk.deck.report())
            assert await press(events) is button


async def test_a_dial_is_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_kernel(monkeypatch, Kernel(identity=(VENDOR, KINDS["+"].product)))
    async with at_the_table(tmp_path, "+", 7) as (desk, events):
        desk.line.say(desk.deck.dial() + desk.deck.report(STAND) + desk.deck.report())
        assert await press(events) is Button.STAND


async def test_a_pedal_is_pressed_whatever_the_displays_have_just_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, kernel := Kernel(identity=(VENDOR, KINDS["Pedal"].product)))
    monkeypatch.setattr(stream_deck, "UNSEEN_NS", 3_600_000_000_000)
    async with at_the_table(tmp_path, "Pedal", 2) as (desk, events):
        desk.device.show(offering(next="Done"))
        desk.line.say(desk.deck.report(NEXT))
        assert await press(events) is Button.NEXT
        assert not kernel.features


async def test_a_key_that_the_model_does_not_have_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel(identity=(VENDOR, KINDS["Mini"].product)))
    desk = NodeDeck(tmp_path, "Mini", call=6)
    with pytest.raises(DeviceError, match="another kind of device"):
        await desk.device.open()
    desk.line.unplug()


def test_every_model_that_the_fake_has_is_one_of_ours_with_as_many_keys() -> None:
    for each in KINDS.values():
        assert MODELS[each.product].keys == each.keys


async def test_without_pillow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda _: None)
    driver = built_in("stream_deck")
    around = DriverContext(Path(), Pack(1, 0), 7)
    with pytest.raises(ValueError, match=r"tablectl\[pictures\]"):
        driver.make(StreamDeckSettings("/dev/x", next=1), around)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"device": "hidraw0", "next": 1}, "name its node"),
        ({}, "there is no key"),
        ({"next": 33}, "next is 33: choose 1 to 32"),
        ({"next": 1, "call": 1}, "a key stands twice"),
    ],
)
async def test_settings_that_cannot_be(keys: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        StreamDeckSettings(**{"device": "/dev/x"} | keys)  # type: ignore[arg-type]
