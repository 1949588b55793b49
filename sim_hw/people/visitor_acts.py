"""What a visitor may do at the simulated table, checked and carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypedDict

from sim_hw.devices.faults import LASTING, AnyFault, CameraFault, FaultKind
from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.people.dealer import Dealer
from sim_hw.people.trainer import TrainingView
from sim_hw.settings import MAX_SPEED
from sim_hw.table.world import World
from sim_hw.table.world_view import WorldView, world_view

MIN_SPEED: Final = 0.1
TRAINING_PAGE: Final = "training.html"
#: How long the light of the shoe is out, and the picture of the camera frozen.
LASTS_S: Final = 4.0
#: What can go wrong with the next card, with the words of its key: where a scanner reads it...
_BY_SCANNER: Final[dict[str, tuple[AnyFault, str]]] = {
    "garbage": (FaultKind.GARBAGE, "Garbage"),
    "double": (FaultKind.DOUBLE, "Double read"),
    "miss_code": (FaultKind.MISS_CODE, "Missed code"),
    "split": (FaultKind.SPLIT, "Split code"),
}
#: ... where a camera does...
_BY_CAMERA: Final[dict[str, tuple[AnyFault, str]]] = {
    "hand": (CameraFault.HAND, "Hand over it"),
    "blur": (CameraFault.BLUR, "Blur"),
    "dark": (CameraFault.DARK, "Dark"),
    "back": (CameraFault.BACK, "Card back"),
}
#: ... and by the hand alone.
_BY_HAND: Final[dict[str, tuple[AnyFault, str]]] = {
    "push_back": (FaultKind.PUSH_BACK, "Push back"),
}


class TroubleKey(TypedDict):
    """A key that makes something go wrong with the next card: what it says, and what it does."""

    do: str
    text: str


class PageView(WorldView):
    """The world as the page draws it. `dealer` is robot or visitor.

    `display_token` is the table's token where a visitor may press the display's keys, else empty.
    `troubles` are what can go wrong with a card at this reader. `training` is null where nobody is
    trained.
    """

    paused: bool
    dealer: str
    display_token: str
    troubles: list[TroubleKey]
    training: TrainingView | None


class ActError(ValueError):
    """An act that cannot be done; the message says what can."""


class Visitor:
    """Somebody at the table's page: breaks devices, takes the dealer's seat, changes the pace."""

    def __init__(self, world: World, dealer: Dealer) -> None:
        self._world = world
        self._dealer = dealer
        self._drawing = asyncio.Lock()
        reader = world.settings.reader
        self._troubles = {
            **(_BY_SCANNER if reader.scanner else {}),
            **(_BY_CAMERA if reader.camera else {}),
            **_BY_HAND,
        }
        self._plain: dict[str, Callable[[], None]] = {
            "unplug": world.reader.unplug,
            "plug": world.reader.plug,
            "take_seat": lambda: self._seat(robot=False),
            "leave_seat": lambda: self._seat(robot=True),
            "pause": lambda: self._pause(paused=True),
            "resume": lambda: self._pause(paused=False),
            "less_trouble": self._less_trouble,
        }
        self._slow: dict[str, Callable[[dict[str, Any]], Awaitable[None]]] = {
            "draw": self._draw,
            "press": self._press,
        }

    @property
    def deck(self) -> str:
        """How the cards of this table are printed, by the deck's name."""
        return self._world.settings.deck

    def view(self) -> PageView:
        """The world as the page draws it; whoever has the dealer's seat may press the display."""
        robot = self._dealer.robot
        return {
            **world_view(self._world),
            "paused": self._dealer.paused,
            "dealer": "robot" if robot else "visitor",
            "display_token": "" if robot else self._world.settings.token,
            "troubles": [{"do": do, "text": text} for do, (_, text) in self._troubles.items()],
            "training": self._dealer.trainer.view() if self._dealer.trainer else None,
        }

    @property
    def training_page(self) -> Path | None:
        """Where the report of the training is written; None where nobody is trained."""
        if self._dealer.trainer is None:
            return None
        return self._world.settings.rundir / TRAINING_PAGE

    async def act(self, data: Any) -> None:
        """Do what was asked. Raises `ActError`."""
        do = data.get("do") if isinstance(data, dict) else None
        if not isinstance(do, str):
            raise ActError('unknown act: send one such as {"do": "draw"}')
        if do in self._plain:
            self._plain[do]()
        elif do in self._troubles:
            kind, text = self._troubles[do]
            self._world.faults.ask(kind, LASTS_S if kind in LASTING else 0.0)
            self._world.say(f"Next card: {text.lower()}.")
        elif do in self._slow:
            await self._slow[do](data)
        elif do == "speed":
            self._speed(data.get("speed"))
        else:
            known = ", ".join((*self._plain, *self._troubles, *self._slow, "speed"))
            raise ActError(f"unknown act {do!r}: do one of {known}")

    def _seat(self, *, robot: bool) -> None:
        if robot and self._dealer.trainer is not None:
            raise ActError("this is a training: you deal. Ctrl-C ends it")
        self._dealer.robot = robot
        self._world.say("The robot deals." if robot else "You are the dealer now.")

    def _pause(self, *, paused: bool) -> None:
        if self._dealer.trainer is not None and paused is not self._dealer.paused:
            self._dealer.trainer.paused(paused=paused)
        self._dealer.paused = paused
        self._world.say("Paused." if paused else "The game goes on.")

    def _less_trouble(self) -> None:
        trainer = self._dealer.trainer
        if trainer is None:
            raise ActError("there is no training: start it with tablectl demo --train")
        if not trainer.less():
            raise ActError("there is no trouble left to take away")
        self._world.say(f"Less trouble from the next round on: {trainer.view()['trouble']}.")

    def _speed(self, speed: Any) -> None:
        if type(speed) not in (int, float) or not MIN_SPEED <= speed <= MAX_SPEED:
            raise ActError(f"speed must be a number from {MIN_SPEED} to {MAX_SPEED:.0f}")
        self._world.speed = float(speed)
        self._world.changes.notify()

    async def _draw(self, _: dict[str, Any]) -> None:
        if self._dealer.robot:
            raise ActError("the robot deals: take the dealer's seat first")
        if self._drawing.locked():
            raise ActError("a card is on its way already: wait for it")
        async with self._drawing:
            await self._dealer.visitor_draws()

    async def _press(self, data: dict[str, Any]) -> None:
        try:
            button = PanelButton(data.get("button"))
        except ValueError:
            names = ", ".join(each.value for each in PanelButton)
            raise ActError(f"unknown button {data.get('button')!r}: press {names}") from None
        await self._world.board.press(button)
