"""The newest view of each page as the web sends it: JSON bytes, encoded once for all viewers."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

import msgspec

from controller.devices.scene import Scene
from controller.rules.messages import Language
from controller.rules.spoken import spoken
from controller.service.ports import Beside, Desk
from controller.service.status_view import status
from controller.table.views.english import ENGLISH

#: The media type of every document and answer.
JSON: Final = "application/json"

encode: Final[Callable[[object], bytes]] = msgspec.json.Encoder().encode


class Page(Enum):
    """A page that follows the table; the value is its name in addresses and metrics."""

    DEALER = "dealer"
    PLAYERS = "players"
    STATUS = "status"


class ViewCache:
    """The newest view of each page, encoded when first asked for, and once for each language."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._made_of: tuple[Scene | None, Beside] = (None, desk.beside)
        self._encoded: dict[tuple[Page, str], bytes] = {}

    def newest(self, page: Page) -> bytes:
        """The page's view of what is on record now, in the reader's language."""
        scene, beside = self._desk.scene, self._desk.beside
        if scene is not self._made_of[0] or beside is not self._made_of[1]:
            self._made_of, self._encoded = (scene, beside), {}
        reader = spoken(ENGLISH)
        key = (page, reader.code)
        if key not in self._encoded:
            self._encoded[key] = encode(self._view(scene, page, reader))
        return self._encoded[key]

    def _view(self, scene: Scene, page: Page, reader: Language) -> object:
        if page is Page.STATUS:
            return status(self._desk)
        dealer, players = scene.drawn_in(reader)
        return dealer if page is Page.DEALER else players
