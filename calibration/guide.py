"""The dialogue of a calibration with a person: the same script on the command line and a page.

A calibration is a script: an async function that is given a `Guide`, says what to do next, waits
for people and devices, and returns what it found out. It prints nothing and reads no key itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol, TypeVar

from calibration.measure import Measurement

T = TypeVar("T")


class Choice(NamedTuple):
    """An answer that is possible: the key that is typed, and what it means."""

    key: str
    text: str


YES_NO = (Choice("y", "yes"), Choice("n", "no"))
READY = (Choice("", "ready"),)


@dataclass(frozen=True, slots=True)
class Step:
    """How far a calibration is: its `nth` step of `of`, and how much of that is done."""

    nth: int
    of: int
    name: str
    done: int = 0
    total: int = 0


class CardState(Enum):
    """How far a calibration is with one card of the deck."""

    MISSING = "missing"
    CAPTURED = "captured"
    LAST = "last"
    WANTED = "wanted"
    VERIFIED = "verified"


class DeckCard(NamedTuple):
    """One card in the overview of the deck. `key` is that of the choice that means this card."""

    key: str
    label: str
    name: str
    red: bool
    state: CardState


class Abandoned(Exception):
    """Whoever calibrates gave up; nothing was written."""


class NotGoodEnough(Exception):
    """What was measured is not good enough; the text says what to change. Nothing was written.

    `since` is the first question whose answer may be to blame, and is asked again with all after
    it; empty: that was the last one.
    """

    def __init__(self, text: str, since: str = "") -> None:
        super().__init__(text)
        self.since = since


class Guide(Protocol):
    """Shows the way. Every method may raise `Abandoned`."""

    def tell(self, text: str) -> None:
        """Show text that needs no answer."""
        ...

    def measured(self, measurement: Measurement) -> None:
        """Show a measurement with its verdict."""
        ...

    def step(self, step: Step) -> None:
        """Show how far the calibration is."""
        ...

    def hint(self, text: str) -> None:
        """Show why the calibration is still waiting; empty: nothing holds it up."""
        ...

    def deck(self, cards: Sequence[DeckCard]) -> None:
        """Show which cards of the deck are captured; none: the overview is not needed."""
        ...

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        """Ask; the key of the choice. The first choice is the likely one."""
        ...

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        """Show what to do and wait for `work`, which ends when it is done. Raises what that raises.

        The first line of `text` is what is wanted, a second one how it is done.
        """
        ...

    async def watch_or_choose(
        self, text: str, work: Awaitable[T], choices: Sequence[Choice]
    ) -> T | Choice:
        """As `watch`, unless one of the choices is taken first: then `work` is cancelled."""
        ...


async def unless(giving_up: Awaitable[object], work: Awaitable[T]) -> T:
    """What `work` comes to, unless `giving_up` raises before. Neither is left running."""
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(giving_up)
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        # Done and given up at once is done: a card that was laid is not to be laid again.
        if not doing.done():
            leaving.result()
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def first_of(work: Awaitable[T], answer: Awaitable[Choice]) -> T | Choice:
    """What comes first, the work's result or an answer; the other is cancelled."""
    doing, answering = asyncio.ensure_future(work), asyncio.ensure_future(answer)
    try:
        await asyncio.wait((doing, answering), return_when=asyncio.FIRST_COMPLETED)
        return doing.result() if doing.done() else answering.result()
    finally:
        doing.cancel()
        answering.cancel()
        await asyncio.gather(doing, answering, return_exceptions=True)


async def ready(guide: Guide, text: str) -> None:
    """Ask for something to be done, and wait for the answer that it is."""
    await guide.choose(text, READY)


async def yes(guide: Guide, text: str) -> bool:
    """A question with a yes or a no."""
    return await guide.choose(text, YES_NO) == "y"


def need(guide: Guide, *measurements: Measurement) -> None:
    """Show measurements that all have to be good. Raises `NotGoodEnough` with every remedy."""
    for each in measurements:
        guide.measured(each)
    if bad := [each for each in measurements if not each.good]:
        raise NotGoodEnough("\n".join(each.refusal for each in bad))
