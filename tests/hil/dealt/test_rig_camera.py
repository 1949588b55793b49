"""Cards on a rig's panel before the table's camera: what is to be seen when, and by whose clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest

from controller.rules.cards import Card, IndexStyle, card
from drivers.vision.card_recognizer import CardRecognizer
from sim_hw.devices.faults import CameraFault
from sim_hw.devices.shoe import PhysicalCard
from tests.hil.dealt import show_card
from tests.hil.dealt.rig_camera import LONGEST_S, PHOTODIODE, RigCamera
from tests.hil.dealt.show_card import show_cards
from tests.hil.rig.rig_client import RigClient, RigRefused, connected
from tests.hil.stands.simulated import PANEL, SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
TEN, NINE = PhysicalCard(card("Th"), 1), PhysicalCard(card("9c"), 2)
NO_FAULTS: dict[Any, float] = {}
NOT_AT_ONCE_S, LONG_S = 0.02, 60.0


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    with simulated_rig(tmp_path_factory.mktemp("rig")) as made:
        yield made


def nobody(line: str) -> None:
    """Who reads what the world says."""


class NotedHands:
    """Hands at a rig: what was asked without waiting, when something was said, what went wrong."""

    def __init__(self, rig: RigClient) -> None:
        self.rig = rig
        self.asked: list[tuple[object, ...]] = []
        self.said_ns: list[int] = []
        self.wrong: list[BaseException] = []

    def post(self, verb: str, *words: object) -> asyncio.Future[Any]:
        self.asked.append((verb, *words))
        return asyncio.get_running_loop().create_future()

    def heed(self, answer: asyncio.Future[Any]) -> None:
        if not answer.cancelled() and (error := answer.exception()) is not None:
            self.wrong.append(error)

    def said(self, at_ns: int) -> None:
        self.said_ns.append(at_ns)


@pytest.fixture
async def hands(rig: SimulatedRig) -> AsyncIterator[NotedHands]:
    async with connected("127.0.0.1", rig.port) as client:
        yield NotedHands(client)


@pytest.fixture
async def camera(hands: NotedHands) -> AsyncIterator[RigCamera]:
    made = RigCamera(hands, "bristol", 1, NOT_AT_ONCE_S)
    await made.ready()
    yield made
    await made.close()


def panel(rig: SimulatedRig) -> Any:
    """What is to be seen on the panel: rows of blue, green and red."""
    wide, high = PANEL
    pixels = np.frombuffer((rig.folder / "panel").read_bytes(), np.uint8)
    return np.ascontiguousarray(pixels.reshape(high, wide, 4)[:, :, :3])


@pytest.fixture
def shown(
    rig: SimulatedRig, hands: NotedHands, camera: RigCamera, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[object, Any]]:
    """What was shown since the empty exit: the picture's name, and the panel right after."""
    shots: list[tuple[object, Any]] = []
    at = hands.rig.at

    async def looked_at(verb: str, *words: object) -> int:
        answer = await at(verb, *words)
        shots.append((words[0], panel(rig)))
        return answer

    monkeypatch.setattr(hands.rig, "at", looked_at)
    return shots


def read(frame: Any) -> Card | None:
    return CardRecognizer().read(frame).card


def seen(rig: SimulatedRig) -> Card | None:
    return read(panel(rig))


def lit(hands: NotedHands) -> bool:
    return bool(hands.rig.levels[PHOTODIODE])


async def test_a_card_lies_at_rest_passes_and_has_gone_when_the_photodiode_says_so(
    rig: SimulatedRig, hands: NotedHands, camera: RigCamera, shown: list[tuple[object, Any]]
) -> None:
    assert (seen(rig), lit(hands)) == (None, False)
    camera.lay(TEN)
    await camera.rested()
    assert (seen(rig), lit(hands)) == (TEN.kind, True)
    await camera.come(TEN, NINE, NO_FAULTS, nobody)
    await camera.slid()
    assert [name for name, _ in shown] == ["card", "passing", "exit"]
    assert [read(each) for _, each in shown] == [TEN.kind, TEN.kind, None]
    assert not np.array_equal(shown[0][1], shown[1][1])
    assert (seen(rig), lit(hands)) == (None, False)
    assert hands.said_ns == [hands.rig.edges[-1].at_ns]
    assert hands.rig.edges[-1].line == PHOTODIODE
    # At rest, and gone: while it passes the corner stays bright.
    assert len(camera.seen_ms) == 2
    camera.lay(NINE)
    await camera.rested()
    assert seen(rig) == NINE.kind
    assert hands.wrong == []


async def test_what_goes_wrong_with_a_card_is_seen_while_it_passes(
    camera: RigCamera, shown: list[tuple[object, Any]]
) -> None:
    camera.lay(TEN)
    await camera.rested()
    said: list[str] = []
    await camera.come(TEN, NINE, {CameraFault.BACK: 0.0}, said.append)
    await camera.slid()
    # Before it is in the beam, too: no frame of its passage shows its face.
    assert [read(each) for _, each in shown] == [TEN.kind, None, None, None]
    assert [name for name, _ in shown] == ["card", "passing", "passing", "exit"]
    assert not np.array_equal(shown[1][1], shown[3][1])
    assert said == ["A card lies the wrong way in the shoe."]


async def test_light_that_goes_out_comes_back_on_what_lies_there(
    rig: SimulatedRig, hands: NotedHands, camera: RigCamera
) -> None:
    await camera.come(TEN, None, {CameraFault.DARK: LONG_S}, nobody)
    await camera.slid()
    camera.lay(NINE)
    await camera.rested()
    assert panel(rig)[100:].max() < 256 // 32
    await camera.come(NINE, None, {CameraFault.DARK: NOT_AT_ONCE_S}, nobody)
    await camera.slid()
    camera.lay(TEN)
    async with asyncio.timeout(PATIENCE_S):
        while panel(rig)[100:].max() < 128:  # noqa: ASYNC110  (a panel says nothing)
            await asyncio.sleep(NOT_AT_ONCE_S)
    await camera.rested()
    assert seen(rig) == TEN.kind


async def test_its_plug_is_a_relay_that_comes_back_by_itself_or_by_a_hand(
    hands: NotedHands, camera: RigCamera
) -> None:
    out, back = ("plug", "camera", "out"), ("plug", "camera", "in")
    await camera.come(TEN, None, {CameraFault.BLINK: NOT_AT_ONCE_S}, nobody)
    async with asyncio.timeout(PATIENCE_S):
        while not camera.plugged:  # noqa: ASYNC110  (a relay says nothing)
            await asyncio.sleep(NOT_AT_ONCE_S)
    assert hands.asked == [out, back]
    await camera.come(NINE, None, {CameraFault.BLINK: LONG_S}, nobody)
    plugged = [camera.plugged]
    camera.unplug()
    camera.plug()
    assert [*plugged, camera.plugged] == [False, True]
    assert hands.asked == [out, back, out, out, back]


async def test_a_rig_without_a_photodiode_is_refused_and_one_that_refuses_ends_the_play(
    hands: NotedHands, camera: RigCamera
) -> None:
    hands.rig.lines["panel"] = hands.rig.lines["panel"]._replace(value="320x240")
    camera.lay(TEN)
    with pytest.raises(RigRefused):
        await camera.rested()
    assert [str(each) for each in hands.wrong] == [
        "a picture of this panel (640x480) has 921600 bytes"
    ]
    del hands.rig.lines["panel"]
    with pytest.raises(RigRefused, match=r"need a rig with a panel: rig\.toml"):
        await camera.ready()


async def test_a_hand_that_is_too_quick_slows_down_but_never_so_that_a_card_is_stuck(
    hands: NotedHands,
) -> None:
    camera = RigCamera(hands, "bristol", 1, 0.6)
    for expected in (1.2, LONGEST_S, LONGEST_S):
        camera.slow_down()
        assert camera.passing_s == expected


async def test_whoever_calibrates_has_each_card_shown_that_is_asked_for(
    rig: SimulatedRig, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[tuple[str, Card | None]] = []

    def look(line: str) -> None:
        found.append((line, seen(rig)))

    words = ["Th\n", "Th\n", "11\n", "exit\n", "9c\n"]
    await show_cards("127.0.0.1", rig.port, IndexStyle.ANGLO, words, look)
    ten, nine = TEN.kind, NINE.kind
    assert [each for _, each in found] == [ten, ten, ten, None, nine]
    assert found[0][0] == "Th is to be seen"
    assert "11" in found[2][0]
    assert seen(rig) == nine, "it is shown until another one is"
    assert show_card.main([]) == 2
    assert show_card.main(["host", "nordic"]) == 2
    assert await asyncio.to_thread(show_card.main, ["127.0.0.1:1"]) == 1
    assert "no rig answers at 127.0.0.1:1" in capsys.readouterr().err
