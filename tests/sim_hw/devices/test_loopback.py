"""The panel as a camera of the kernel's: what is asked of the node, what is written, refusals."""

from __future__ import annotations

import asyncio
import fcntl
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sim_hw.loom import panel as panel_module
from sim_hw.loom.loopback import Loopback, LoopbackError
from sim_hw.loom.panel import FRAME_S, NOISES, PanelCamera
from tests.drivers.outside import until

JPEG = b"\xff\xd8\xff\xe0"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bytes]]:
    """What a kernel that takes it all is asked."""
    requests: list[tuple[int, bytes]] = []

    def ioctl(_: int, request: int, argument: Any) -> int:
        requests.append((request, bytes(argument)))
        return 0

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    return requests


def test_it_asks_for_the_panels_size_in_mjpeg_and_writes_frames(
    tmp_path: Path, asked: list[tuple[int, bytes]]
) -> None:
    node = tmp_path / "video9"
    node.touch()
    camera = Loopback(str(node), (640, 480))
    camera.show(JPEG)
    camera.plug()
    camera.plug()
    ((request, wanted),) = asked
    assert request == 0xC0D05605, "VIDIOC_S_FMT of videodev2.h"
    assert len(wanted) == 208
    assert struct.unpack_from("@I4xII4s", wanted) == (2, 640, 480, b"MJPG")
    camera.show(JPEG)
    camera.unplug()
    camera.unplug()
    camera.show(JPEG)
    assert node.read_bytes() == JPEG, "unplugged it shows nothing"


def test_a_node_that_is_not_there_or_no_loopback_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(LoopbackError, match="modprobe v4l2loopback"):
        Loopback(str(tmp_path / "none"), (640, 480)).plug()
    (tmp_path / "video0").touch()
    with pytest.raises(LoopbackError, match="takes no MJPEG of 640x480"):
        Loopback(str(tmp_path / "video0"), (640, 480)).plug()


@pytest.mark.anyio
async def test_frames_of_a_card_come_over_its_passage_and_each_differs_from_the_last(
    tmp_path: Path, asked: list[tuple[int, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table reads none twice: one that was late with all of a card's first ones saw no card."""
    assert NOISES * FRAME_S >= 0.5
    monkeypatch.setattr(panel_module, "LOOK_S", 0.0)
    monkeypatch.setattr(panel_module, "FRAME_S", 0.0)
    node = tmp_path / "video9"
    node.touch()
    panel = PanelCamera(tmp_path / "panel", (64, 48), 0, lambda _: None, str(node))
    await panel.open()
    looking = asyncio.create_task(panel.look())
    await until(lambda: node.read_bytes().count(JPEG[:3]) > 3 * NOISES)
    looking.cancel()
    await asyncio.wait([looking])
    await panel.close()
    frames = node.read_bytes().split(JPEG[:3])[1:]
    assert len({*frames[:NOISES]}) == NOISES
    assert all(one != after for one, after in pairwise(frames)), "it does not stand still"


@pytest.mark.anyio
async def test_the_panel_is_seen_at_the_node_until_its_plug_is_pulled(
    tmp_path: Path, asked: list[tuple[int, bytes]]
) -> None:
    node = tmp_path / "video9"
    node.touch()
    panel = PanelCamera(tmp_path / "panel", (16, 16), 0, lambda _: None, str(node))
    await panel.open()
    looking = asyncio.create_task(panel.look())
    await until(lambda: node.read_bytes().startswith(JPEG[:3]))
    panel.plug(plugged=False)
    node.write_bytes(b"")
    await asyncio.sleep(3 * FRAME_S)
    assert node.read_bytes() == b"", "unplugged it shows nothing"
    panel.plug(plugged=True)
    await until(lambda: node.read_bytes().startswith(JPEG[:3]))
    looking.cancel()
    await asyncio.wait([looking])
    await panel.close()
    assert len(asked) == 2
