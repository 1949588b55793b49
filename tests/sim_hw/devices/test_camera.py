"""The simulated shoe camera: drawn cards, on a real MJPEG stream, as OpenCV receives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import cv2
import numpy as np
import pytest

from controller.rules.cards import DECK_52, JOKER, card
from sim_hw.devices.camera import SLIDE_PICTURES, Camera
from sim_hw.devices.deck_art import DECKS, back, face, index_text
from sim_hw.devices.faults import AnyFault, CameraFault
from sim_hw.devices.glyphs import Picture
from sim_hw.devices.lens import HEIGHT, WIDTH, Lens, Mishap, Slide, slide, small
from sim_hw.devices.shoe import PhysicalCard
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
TEN = PhysicalCard(card("Th"), 1)
NINE = PhysicalCard(card("9c"), 2)


def said(_: str) -> None:
    """Nobody listens."""


@pytest.fixture
async def camera() -> AsyncIterator[Camera]:
    made = Camera(0, "kotka", seed=3)
    await made.open()
    yield made
    await made.close()


class StreamViewer:
    """Who looks at the stream by OpenCV."""

    def __init__(self, camera: Camera) -> None:
        url = f"http://127.0.0.1:{camera.port}/shoe.mjpg"
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 2_000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 2_000]
        self._open = cv2.VideoCapture(url, cv2.CAP_FFMPEG, timeouts)

    async def frame(self) -> Picture | None:
        there, frame = await asyncio.to_thread(self._open.read)
        return np.asarray(frame, np.uint8) if there else None

    async def until(self, holds: Callable[[Picture], bool]) -> Picture:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                frame = await self.frame()
                assert frame is not None, "the stream ended"
                if holds(frame):
                    return frame

    def close(self) -> None:
        self._open.release()


@pytest.fixture
async def viewer(camera: Camera) -> AsyncIterator[StreamViewer]:
    made = await asyncio.to_thread(StreamViewer, camera)
    yield made
    made.close()


def paper(frame: Picture) -> float:
    """The share of the picture that is white paper."""
    return float((frame.min(axis=2) > 150).mean())


def has_card(frame: Picture) -> bool:
    return paper(frame) > 0.08


def is_empty(frame: Picture) -> bool:
    return paper(frame) < 0.005


@pytest.mark.long
@pytest.mark.parametrize("name", quick_first(DECKS, ["kotka"]))
def test_every_card_of_a_deck_looks_different_and_is_the_same_upside_down(name: str) -> None:
    deck = DECKS[name]
    faces = {kind: face(deck, kind) for kind in (*DECK_52, JOKER)}
    assert len({drawn.tobytes() for drawn in faces.values()}) == len(faces)
    for kind, drawn in faces.items():
        corner = drawn[:170, :80]
        assert np.array_equal(corner, drawn[::-1, ::-1][:170, :80]), kind
        assert not np.array_equal(drawn, back())


def test_a_red_card_has_red_ink_and_a_black_one_none() -> None:
    for deck in DECKS.values():
        for kind in DECK_52[::5]:
            corner = face(deck, kind)[:170, :80].astype(int)
            red = (corner[:, :, 2] - corner[:, :, 1] > 60).any()
            assert red == (kind.code[1] in "dh")


def test_each_style_prints_its_own_index_and_a_finnish_joker_none() -> None:
    kinds = [card(code) for code in ("As", "Js", "Qs", "Ks", "Ts", "9s")] + [JOKER]
    assert [index_text(each, finnish=True) for each in kinds] == [
        "1", "11", "12", "13", "10", "9", "",
    ]  # fmt: skip
    assert [index_text(each, finnish=False) for each in kinds] == [
        "A", "J", "Q", "K", "10", "9", "JOKER",
    ]  # fmt: skip
    finnish = face(DECKS["kotka"], JOKER)[:170, :80]
    assert np.ptp(finnish, axis=(0, 1)).max() == 0


def test_the_seed_says_how_each_card_lies() -> None:
    assert slide(3, 5) == slide(3, 5)
    assert len({slide(3, each) for each in range(50)} | {slide(4, 5)}) == 51
    a, b = Lens(3), Lens(3)
    shown = small(face(DECKS["oulu"], card("Qd")))
    for at in (0.0, 7.5):
        one, other = (each.picture(at, shown, slide(3, 1), 0.3, None) for each in (a, b))
        assert np.array_equal(one, other)


def test_light_changes_and_no_two_frames_are_the_same() -> None:
    lens = Lens(1)
    how = Slide(320, 0, 262)
    frames = [lens.picture(at / 50, None, how, 0, None) for at in range(20)]
    assert len({frame.tobytes() for frame in frames}) == 20
    means = [lens.picture(float(at), None, how, 0, None).mean() for at in range(0, 40, 4)]
    assert max(means) > 1.1 * min(means)


def test_a_card_is_as_large_as_the_shoes_geometry_says_and_upright() -> None:
    lens = Lens(1)
    for number in range(20):
        how = slide(9, number)
        frame = lens.picture(0, small(face(DECKS["bristol"], card("2c"))), how, 0.2, None)
        white = (frame.min(axis=2) > 150).astype(np.uint8)
        outline = max(cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
        (_, _), (one, other), _ = cv2.minAreaRect(outline)
        assert 0.35 < max(one, other) / HEIGHT < 0.7
        assert abs(how.angle) <= 8


async def test_opencv_receives_the_stream_in_its_size(camera: Camera, viewer: StreamViewer) -> None:
    frame = await viewer.frame()
    assert frame is not None
    assert frame.shape == (HEIGHT, WIDTH, 3)
    assert is_empty(frame)


async def test_the_next_card_lies_in_the_picture_and_slides_out_of_it_when_it_is_drawn(
    camera: Camera, viewer: StreamViewer
) -> None:
    camera.lay(TEN)
    await viewer.until(has_card)
    camera.pull(TEN, NINE, {}, said)
    with_card = 0

    def counted(frame: Picture) -> bool:
        nonlocal with_card
        with_card += has_card(frame)
        return is_empty(frame)

    await viewer.until(counted)
    assert with_card >= SLIDE_PICTURES // 2
    await camera.slid()
    camera.lay(NINE)
    await viewer.until(has_card)
    camera.lay(None)
    await viewer.until(is_empty)


async def test_after_a_card_that_was_too_quick_the_next_is_in_twice_as_many_pictures(
    camera: Camera,
) -> None:
    def pictures() -> int:
        taken = 0
        while has_card(camera.picture(0.0)):
            taken += 1
        return taken

    camera.pull(TEN, None, {}, said)
    quick = pictures()
    camera.slow_down()
    camera.pull(TEN, None, {}, said)
    assert abs(pictures() - 2 * quick) <= 1


async def test_two_cards_at_once_are_both_in_the_picture(
    camera: Camera, viewer: StreamViewer
) -> None:
    camera.lay(TEN)
    alone = paper(await viewer.until(has_card))
    pictures = 0

    def both(frame: Picture) -> bool:
        """A viewer who is slow misses pictures of a slide: the next two come when they are gone."""
        nonlocal pictures
        if pictures % (2 * SLIDE_PICTURES) == 0:
            camera.pull(TEN, NINE, {CameraFault.TWO: 0.0}, said)
        pictures += 1
        return paper(frame) > 1.2 * alone

    await viewer.until(both)


async def test_a_card_the_wrong_way_round_shows_its_back(
    camera: Camera, viewer: StreamViewer
) -> None:
    camera.pull(TEN, NINE, {CameraFault.BACK: 0.0}, said)

    def is_blue(frame: Picture) -> bool:
        return bool((frame[:, :, 0].astype(int) - frame[:, :, 2] > 50).any())

    await viewer.until(is_blue)


def test_fingers_and_blur_change_the_picture() -> None:
    shown = small(face(DECKS["kotka"], card("Th")))
    plain = Lens(2).picture(0, shown, slide(1, 1), 0.2, None)
    for mishap in (Mishap.HAND, Mishap.BLUR):
        how = slide(1, 1, frozenset({mishap}))
        changed = Lens(2).picture(0, shown, how, 0.2, None)
        assert np.abs(changed.astype(int) - plain).mean() > 1


async def test_a_camera_that_blinks_is_away_and_comes_back_when_the_card_has_left(
    camera: Camera, viewer: StreamViewer
) -> None:
    await viewer.frame()
    camera.pull(TEN, NINE, {CameraFault.BLINK: 0.3}, said)
    gone = 0
    async with asyncio.timeout(PATIENCE_S):
        while await viewer.frame() is not None:
            gone += 1
    assert gone < 20
    async with asyncio.timeout(PATIENCE_S):
        while not camera.plugged:  # noqa: ASYNC110  (a plug has no event to wait for)
            await asyncio.sleep(0.01)
    again = await asyncio.to_thread(StreamViewer, camera)
    frame = await again.frame()
    assert frame is not None
    assert is_empty(frame)
    again.close()


async def test_whoever_pulls_the_plug_last_says_when_it_is_back_and_so_of_what_lasts(
    camera: Camera,
) -> None:
    camera.pull(TEN, NINE, {CameraFault.BLINK: 0.02, CameraFault.FROZEN: 0.02}, said)
    camera.pull(NINE, TEN, {CameraFault.FROZEN: 60.0}, said)
    camera.unplug()
    await asyncio.sleep(0.1)
    assert not camera.plugged
    assert CameraFault.FROZEN in camera._lasting
    camera.plug()
    assert camera.plugged


async def test_a_frozen_camera_sends_the_same_picture_and_a_dark_one_none_of_it(
    camera: Camera, viewer: StreamViewer
) -> None:
    camera.pull(TEN, NINE, {CameraFault.FROZEN: 0.4}, said)
    last: list[bytes] = []

    def again(frame: Picture) -> bool:
        last.append(frame.tobytes())
        return len(last) > 1 and last[-1] == last[-2]

    await viewer.until(again)
    await viewer.until(lambda frame: not again(frame))
    dark: dict[AnyFault, float] = {CameraFault.DARK: 0.3}
    camera.pull(TEN, NINE, dark, said)
    await viewer.until(lambda frame: float(frame.mean()) < 5)
    await viewer.until(lambda frame: float(frame.mean()) > 30)


async def test_who_asks_for_something_else_gets_no_picture(camera: Camera) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", camera.port)
    writer.write(b"GET /next-card HTTP/1.1\r\n\r\n")
    assert b"404" in await reader.read()
    writer.close()
    await writer.wait_closed()
