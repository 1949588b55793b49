"""A calibration on the command line: lines out, lines in."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Sequence
from typing import Final, TextIO, TypeVar

from calibration.guide import Abandoned, CardState, Choice, DeckCard, Step, first_of, unless
from calibration.measure import Measurement

T = TypeVar("T")

QUIT: Final = "q"
BAR_WIDTH: Final = 20
#: This many missing cards of a deck are named in a line.
MISSING_SHOWN: Final = 8


class Console:
    """Asks on `out`, takes answers from `typed`: "q" or its end gives up. Needs a running loop."""

    def __init__(self, typed: TextIO | None = None, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._step = 0
        self._hint = ""
        self._how = ""
        self._missing: tuple[str, ...] = ()
        self._loop = asyncio.get_running_loop()
        # A thread that nobody waits for: reading a terminal cannot be taken back.
        reader = threading.Thread(
            target=self._read, args=(typed or sys.stdin,), name="typed", daemon=True
        )
        reader.start()

    def tell(self, text: str) -> None:
        """Print it."""
        print(text, file=self._out, flush=True)

    def measured(self, measurement: Measurement) -> None:
        """Print it, with its verdict."""
        self.tell(f"  {measurement}")

    def step(self, step: Step) -> None:
        """Print it where a step begins; how far it is stands in what is asked."""
        if step.nth != self._step:
            self._step = step.nth
            bar = f" {_bar(step.nth - 1, step.of)}" if self._out.isatty() else ""
            self.tell(f"Step {step.nth} of {step.of}:{bar} {step.name}")

    def hint(self, text: str) -> None:
        """Print it, unless it was the last one."""
        if text and text != self._hint:
            self.tell(f"  {text}")
        self._hint = text

    def deck(self, cards: Sequence[DeckCard]) -> None:
        """Print the missing cards, once few are left of them."""
        missing = tuple(each.label for each in cards if each.state is CardState.MISSING)
        if 0 < len(missing) <= MISSING_SHOWN and missing != self._missing:
            self.tell(f"  Missing: {', '.join(missing)}")
        self._missing = missing

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        """Ask until one of the keys is typed; an empty line takes the first choice."""
        self.tell(f"{text} {_offer(choices)}")
        return (await self._chosen(choices, empty=choices[0])).key

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        """Say it and wait for `work`; "q" gives up."""
        self.tell(text.replace("\n", ". "))
        return await unless(self._quit(), work)

    async def watch_or_choose(
        self, text: str, work: Awaitable[T], choices: Sequence[Choice]
    ) -> T | Choice:
        """Say it and wait for `work` or for the key of a choice, of which the first is named.

        How it is done is said once.
        """
        what, _, how = text.partition("\n")
        offered = f" [{choices[0].key}: {choices[0].text}]" if choices else ""
        self.tell(what + offered if how in ("", self._how) else f"{what}. {how}{offered}")
        self._how = how
        return await first_of(work, self._chosen(choices, empty=None))

    async def _chosen(self, choices: Sequence[Choice], empty: Choice | None) -> Choice:
        by_key = {choice.key: choice for choice in choices}
        while True:
            typed = (await self._line()).strip().lower()
            if typed in by_key:
                return by_key[typed]
            if not typed and empty is not None:
                return empty
            if empty is None:
                self.tell(f"Not yet. {QUIT} gives up")
            else:
                self.tell(f'"{typed}" is none of the answers. {_offer(choices)}')

    async def _line(self) -> str:
        line = await self._lines.get()
        if line is None or line.strip().lower() == QUIT:
            raise Abandoned
        return line

    async def _quit(self) -> None:
        while True:
            await self._line()
            self.tell(f"Not yet. {QUIT} gives up")

    def _read(self, typed: TextIO) -> None:
        for line in typed:
            self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            return  # the calibration is over


def _bar(done: int, of: int) -> str:
    """How much of a calibration is done, for an eye: `[#####.....]`."""
    filled = BAR_WIDTH * done // of
    return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}]"


def _offer(choices: Sequence[Choice]) -> str:
    if len(choices) == 1:
        return "[Enter]"
    # Of many alike the likely one shows how the others are written.
    shown = choices if len(choices) <= 7 else (choices[0], *choices[-3:])
    more = "" if len(choices) <= 7 else ", …"
    first, *rest = (f"{choice.key} {choice.text}".strip() for choice in shown)
    return f"[Enter: {', '.join((first, *rest))}{more}]"
