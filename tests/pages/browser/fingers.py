"""Fingers on the glass of a page: each lies down, slides and is lifted by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import CDPSession, Locator, Page

Point = tuple[float, float]


class Fingers:
    """The fingers on a page, by names that the test gives them."""

    def __init__(self, line: CDPSession) -> None:
        self._line = line
        self._down: dict[str, Point] = {}

    def down(self, finger: str, at: Point) -> None:
        self._down[finger] = at
        self._send("touchStart", [*self._down])

    def slide(self, finger: str, at: Point) -> None:
        self._down[finger] = at
        self._send("touchMove", [*self._down])

    def up(self, finger: str) -> None:
        self._send("touchEnd", [finger])
        del self._down[finger]

    def tap(self, at: Point) -> None:
        self.down("tapping", at)
        self.up("tapping")

    def _send(self, kind: str, fingers: list[str]) -> None:
        points = [
            {"x": self._down[each][0], "y": self._down[each][1], "id": sum(each.encode())}
            for each in fingers
        ]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@contextmanager
def fingers_on(page: Page) -> Iterator[Fingers]:
    """Fingers on a page that is a touch screen's until the end."""
    line = page.context.new_cdp_session(page)
    touch = "Emulation.setTouchEmulationEnabled"
    line.send(touch, {"enabled": True, "maxTouchPoints": 5})
    yield Fingers(line)
    line.send(touch, {"enabled": False})
    line.detach()


def middle(of: Locator) -> Point:
    """The middle of something on a page, in CSS px."""
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
