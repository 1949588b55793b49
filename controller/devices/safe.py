"""The constant SAFE picture, for when the record itself cannot be written or read."""

from __future__ import annotations

from typing import Final

from controller.devices.displays import DealerView, PlayersView, Tone, WagerView
from controller.devices.english import ENGLISH
from controller.devices.felt_view import GameWords, ShoeView
from controller.devices.scene import Light, Scene, Sound
from controller.rules.messages import Message, message
from controller.rules.spoken import spoken


def _say(said: Message) -> str:
    text = spoken(ENGLISH).say(said)
    return text[:1].upper() + text[1:]


#: In English, whoever looks.
SAFE_HEADLINE: Final = _say(message("safe-headline"))
#: For machines that ask for the table's health.
SAFE_UNHEALTHY: Final = _say(message("safe-unhealthy"))


def safe_scene(seats: int, why: str = "") -> Scene:
    """The SAFE picture of a table with `seats` seats.

    It stands outside the state: nothing in it comes from a fact. `why` says what happened and what
    to do.
    """
    return Scene((Light.HELD,) * seats, Sound.HELD, lambda: _displays(seats, why))


def _displays(seats: int, why: str) -> tuple[DealerView, PlayersView]:
    shoe = ShoeView(number=0, size=0, gone=0, cut=0, state="", due=False)
    dealer = DealerView(
        seq=-1, game="", round=0, phase="safe", tone=Tone.SAFE,
        headline=_say(message("safe-headline")), lead=_say(message("safe-lead")),
        detail=spoken(ENGLISH).say(message("safe-detail")), choices=(),
        why=_say(message("safe-why")), bonus="",
        seat=None, keys=(), hands=(), dealer=None, shoe=shoe, holds=(), devices=(),
        refusal=why, seats=seats, limits="", rule="", simulated=False,
        pot="", button=0, words=GameWords(), wager=WagerView(0, 0, 1), roles=False, alarm=None,
    )  # fmt: skip
    players = PlayersView(
        seq=-1, game="", round=0, notice=_say(message("safe-players")), hands=(), dealer=None,
        shoe=shoe, seats=seats, limits="", rule="", simulated=False,
        pot="", button=0, words=GameWords(),
    )  # fmt: skip
    return dealer, players
