"""The simulated header and the panel's camera go although one who stands still is connected."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sim_hw.devices.pins import pin_header
from sim_hw.devices.pins.pin_header import PinHeader
from sim_hw.devices.pins.pin_wire import VERSION, Frame, FrameKind
from sim_hw.loom import panel as loom_panel
from sim_hw.loom.panel import PanelCamera
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
#: More frames than the buffers of a socket hold; Python 3.12 and later count those at each write.
MANY = 10_000


@pytest.fixture
async def stands_still() -> AsyncIterator[socket.socket]:
    """A client that takes nothing."""
    with socket.socket(socket.AF_UNIX) as client:
        yield client


async def test_a_header_goes_while_a_program_that_stands_still_has_its_pins(
    tmp_path: Path, stands_still: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pin_header, "TAKES_S", 0.05)
    header = PinHeader(lambda *_: None, lambda: None)
    await header.open(tmp_path / "pins")
    stands_still.connect(str(tmp_path / "pins"))
    stands_still.sendall(Frame(FrameKind.HELLO, 0, VERSION, 0).packed())
    async with asyncio.timeout(PATIENCE_S):
        while not header.connected:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        for nth in range(MANY):
            header.hold(5, nth & 1)
        await header.close()


@pytest.mark.parametrize("asks", [b"", b"GET / HTTP/1.0\r\n\r\n"])
async def test_a_panels_camera_goes_while_who_looks_takes_nothing(
    tmp_path: Path, asks: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loom_panel, "BEHIND_BYTES", 10_000_000)
    panel = PanelCamera(tmp_path / "panel", (640, 480), 0, lambda _: None)
    await panel.open()
    assert panel._server is not None
    port = panel._server.sockets[0].getsockname()[1]
    with socket.create_connection(("127.0.0.1", port)) as looks:
        looks.sendall(asks)
        async with asyncio.timeout(PATIENCE_S):
            while not panel._lines or (asks and not panel._viewers):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            for viewer in panel._viewers:
                viewer.write(bytes(9_000_000))
            await panel.close()
            while panel._lines:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
