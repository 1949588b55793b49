"""The newest pictures as the web sends them: drawn once for all who look, as JSON bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Final

import msgspec

from controller.devices.scene import SAFE_HEADLINE, SAFE_WHY, GameWords, Scene, Tone, safe_scene
from controller.service.ports import Desk
from controller.table.state import State
from controller.table.views.public import LedgerView, StatusView, public

encode: Final[Callable[[object], bytes]] = msgspec.json.Encoder().encode


class Page(Enum):
    """A page that is kept up to date; the value is its name in addresses and figures."""

    DEALER = "dealer"
    PLAYERS = "players"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class Status(StatusView):
    """The status of the table; `simulated` tells a table whose devices are not real."""

    simulated: bool


def shown_state(desk: Desk) -> State | None:
    """The state that may be shown: None while the table is in its SAFE picture."""
    return None if desk.scene.dealer.tone is Tone.SAFE else desk.state


def status(desk: Desk) -> Status:
    """What the pit boss sees; the SAFE picture while the record is not available."""
    state = shown_state(desk)
    view = safe_status(desk.scene) if state is None else public(state)
    shown = {each.name: getattr(view, each.name) for each in fields(view)}
    return Status(**shown, simulated=desk.simulated)


def safe_status(scene: Scene) -> StatusView:
    """The status page's part of the SAFE picture: nothing in it comes from a fact."""
    seats = len(scene.lights)
    dealer = safe_scene(seats).dealer
    why = f"{SAFE_WHY} {scene.dealer.refusal}".rstrip()
    return StatusView(
        seq=dealer.seq, table="", game="", software="", phase=dealer.phase,
        waiting_for=SAFE_HEADLINE, why=why, who="floor", since_ms=0, tone=Tone.SAFE, round=0,
        hands=(), dealer=None, shoe=dealer.shoe, devices=(), holds=(), rounds_per_hour=None,
        rounds_played=0, rounds=(), limits="", rule="", seats=seats, pot="",
        button=0, words=GameWords(), ledger=LedgerView("off"), roles=False, alarms=(), day=None,
    )  # fmt: skip


class Pictures:
    """The newest picture of each page, encoded when first asked for and once only."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._scene: Scene | None = None
        self._drawn: dict[Page, bytes] = {}

    def newest(self, page: Page) -> bytes:
        """The page's picture of what is written down now."""
        scene = self._desk.scene
        if scene is not self._scene:
            self._scene, self._drawn = scene, {}
        if page not in self._drawn:
            self._drawn[page] = encode(self._draw(scene, page))
        return self._drawn[page]

    def _draw(self, scene: Scene, page: Page) -> object:
        if page is Page.DEALER:
            return scene.dealer
        return scene.players if page is Page.PLAYERS else status(self._desk)
