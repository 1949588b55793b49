"""The newest view of each page as the web sends it: JSON bytes, encoded once for all viewers."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

import msgspec

from controller.devices.scene import Scene
from controller.service.house_edges import HouseEdges
from controller.service.ports import Desk
from controller.service.status_view import status

#: The media type of every document and answer.
JSON: Final = "application/json"

encode: Final[Callable[[object], bytes]] = msgspec.json.Encoder().encode


class Page(Enum):
    """A page that follows the table; the value is its name in addresses and metrics."""

    DEALER = "dealer"
    PLAYERS = "players"
    STATUS = "status"


class ViewCache:
    """The newest view of each page, encoded when first asked for and once only."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._made_of: tuple[Scene | None, str, HouseEdges] = (None, "", desk.edges)
        self._encoded: dict[Page, bytes] = {}

    def newest(self, page: Page) -> bytes:
        """The page's view of what is on record now."""
        scene = self._desk.scene
        known, notice, edges = self._made_of
        if scene is not known or self._desk.notice != notice or self._desk.edges is not edges:
            self._made_of, self._encoded = (scene, self._desk.notice, self._desk.edges), {}
        if page not in self._encoded:
            self._encoded[page] = encode(self._view(scene, page))
        return self._encoded[page]

    def _view(self, scene: Scene, page: Page) -> object:
        if page is Page.DEALER:
            return scene.dealer
        return scene.players if page is Page.PLAYERS else status(self._desk)
