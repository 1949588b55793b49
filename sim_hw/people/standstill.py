"""Notices that the table does not go on, while somebody deals who would not wait for ever."""

from __future__ import annotations

import asyncio
from typing import Final

from sim_hw.people.dealer_intent import Act, DrawCard, Wait
from sim_hw.table.display_reader import Display

#: Nothing moved for this long: the table is stuck.
STUCK_S: Final = 120.0
LOOK_S: Final = 0.5
#: What a visitor left, and nobody else can say, is not puzzled over for longer.
PUZZLED_S: Final = 8.0


class Stuck(Exception):
    """The table does not go on; the message says what the dealer waits for."""


class ConditionTimer:
    """For how long a condition has held, by periodic looks.

    A machine that is slow, or stood still as a whole, looks less often: between two looks no more
    than `LOOK_S` counts, so that nobody is thought late who had no time to run.
    """

    def __init__(self) -> None:
        self._looked_at_s: float | None = None
        self._held_s = 0.0

    def look(self, holds: bool) -> float:
        """Look once more; the seconds since it was first seen to hold, 0 where it does not."""
        if not holds:
            self._looked_at_s, self._held_s = None, 0.0
            return 0.0
        now_s = asyncio.get_running_loop().time()
        if self._looked_at_s is not None:
            self._held_s += min(now_s - self._looked_at_s, LOOK_S)
        self._looked_at_s = now_s
        return self._held_s


class Standstill:
    """How long nothing has moved that the dealer sees; `speed` is the world's."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._news: tuple[object, ...] | None = ()
        self._timer = ConditionTimer()

    def check(self, display: Display | None, act: Act, problem: str, *, counts: bool) -> None:
        """Look once more. Raises `Stuck` where it has been too long.

        Unless it `counts`, the wait begins anew. `problem`: between dealer and display, or "".
        """
        news = None if display is None else display.news
        still_s = self._timer.look(counts and news == self._news)
        self._news = news
        if still_s > max(STUCK_S, STUCK_S / self._speed):
            why = f" ({problem})" if problem else ""
            shows = "nothing" if display is None else f"{display.headline!r}"
            if display is not None and display.refusal:
                why += f" ({display.refusal})"
            raise Stuck(
                f"nothing moved for {still_s:.0f} s. The dealer:"
                f" {_act_text(act)}{why}. The display: {shows}"
            )


class Puzzle:
    """How long a hold has been open that whoever deals has no true answer to."""

    def __init__(self) -> None:
        self._since_s: float | None = None

    def look(self, display: Display | None, act: Act, *, counts: bool) -> None:
        """Look once more; unless it `counts`, or where a device is down, nobody is puzzled."""
        held = display is not None and display.holds and not display.down
        if not (held and isinstance(act, Wait) and counts):
            self._since_s = None
        elif self._since_s is None:
            self._since_s = asyncio.get_running_loop().time()

    @property
    def why(self) -> str:
        """Why the round in play is given up, empty where it is not."""
        since_s = self._since_s
        long = since_s is not None and asyncio.get_running_loop().time() - since_s > PUZZLED_S
        return "a visitor left what nobody else can say" if long else ""


def _act_text(act: Act) -> str:
    if isinstance(act, Wait):
        return act.why
    if isinstance(act, DrawCard):
        return "draws a card"
    return f"sends {act.do}" + (f" by the {act.button.value} button" if act.button else "")
