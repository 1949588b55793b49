"""A calibration on a page: what to do large, the answers as keys, the measurements beside it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypedDict, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from calibration.guide import Abandoned, Choice, DeckCard, Step, first_of, unless
from calibration.measure import Measurement

T = TypeVar("T")

SAID_MAX: Final = 200
BEAT_S: Final = 2.0
#: The page's own way to give up; no script has a choice of this key.
GIVE_UP: Final = "q"


class Answer(BaseModel):
    """An answer to the question of that number: the key of a choice, or "q" to give up."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[int, Field(ge=1)]
    key: Annotated[str, Field(max_length=16)]


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, or (`waits`) what is waited for; `answer` gets the key."""

    number: int
    text: str
    choices: tuple[Choice, ...]
    waits: bool
    answer: asyncio.Future[str]


class ShownStep(TypedDict):
    """How far a calibration is, as `guide.Step`."""

    nth: int
    of: int
    name: str
    done: int
    total: int


class ShownChoice(TypedDict):
    """An answer that is possible: the key that is typed, and what it means."""

    key: str
    text: str


class ShownQuestion(TypedDict):
    """What is asked, the first line large; with `waits` it is waited for, whatever the choices."""

    number: int
    text: str
    details: str
    waits: bool
    choices: list[ShownChoice]


class ShownMeasurement(TypedDict):
    """A measurement with its limits in `unit` (null: none), and what to do unless it is good."""

    name: str
    value: float | None
    unit: str
    at_least: float | None
    at_most: float | None
    verdict: str
    remedy: str


class ShownCard(TypedDict):
    """One card in the overview of the deck, as `guide.DeckCard`."""

    key: str
    label: str
    name: str
    red: bool
    state: Literal["missing", "captured", "last", "wanted", "verified"]


class Shown(TypedDict):
    """All that the page shows. `ended` is empty until the calibration is over."""

    title: str
    said: list[str]
    step: ShownStep | None
    hint: str
    deck: list[ShownCard]
    question: ShownQuestion | None
    measurements: list[ShownMeasurement]
    live: bool
    ended: str
    ended_details: str
    good: bool


class PageGuide:
    """Shows a calibration to the page and takes its answers. Must be used inside a running loop.

    `live` gives the newest picture as JPEG, None while there is none.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.live: Callable[[], bytes | None] | None = None
        self.ended = ""
        self.good = False
        self._said: deque[str] = deque(maxlen=SAID_MAX)
        self._measured: dict[str, Measurement] = {}
        self._step: Step | None = None
        self._hint = ""
        self._deck: tuple[DeckCard, ...] = ()
        self._question: _Question | None = None
        self._asked = 0
        self._changed = asyncio.Event()

    def tell(self, text: str) -> None:
        """Put it on the page's list."""
        self._said.append(text)
        self._tell_all()

    def measured(self, measurement: Measurement) -> None:
        """Put it among the measurements, in the place of one of that name."""
        self._measured[measurement.name] = measurement
        self._tell_all()

    def step(self, step: Step) -> None:
        """Show how far it is."""
        self._step = step
        self._tell_all()

    def hint(self, text: str) -> None:
        """Show it under what is waited for, in the place of the last one."""
        if text != self._hint:
            self._hint = text
            self._tell_all()

    def deck(self, cards: Sequence[DeckCard]) -> None:
        """Show the deck; a card whose key a choice has is a key itself."""
        self._deck = tuple(cards)
        self._tell_all()

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        """Ask, with a key for each choice. Raises `Abandoned`."""
        return (await self._ask(text, tuple(choices), waits=False)).key

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        """Show it until `work` is done. Raises `Abandoned`."""
        return await unless(self._ask(text, (), waits=True), work)

    async def watch_or_choose(
        self, text: str, work: Awaitable[T], choices: Sequence[Choice]
    ) -> T | Choice:
        """Show it until `work` is done or a choice is taken. Raises `Abandoned`."""
        return await first_of(work, self._ask(text, tuple(choices), waits=True))

    def end(self, text: str, *, good: bool) -> None:
        """The calibration is over, with these words."""
        self.ended, self.good = text, good
        self._tell_all()

    def answer(self, answer: Answer) -> str:
        """Take an answer; why it was not taken, or empty."""
        question = self._question
        if question is None or answer.question != question.number or question.answer.done():
            return "That question was answered already: look at the newest one"
        if answer.key != GIVE_UP and answer.key not in {each.key for each in question.choices}:
            return "That is none of the answers: choose one of the keys"
        question.answer.set_result(answer.key)
        return ""

    def shown(self) -> Shown:
        """All that the page shows."""
        ended, _, ended_details = self.ended.partition("\n")
        return {
            "title": self.title,
            "said": list(self._said),
            "step": None if self._step is None else _shown_step(self._step),
            "hint": self._hint,
            "deck": [_shown_card(each) for each in self._deck],
            "question": None if self._question is None else _shown_question(self._question),
            "measurements": [
                {"name": each.name, "value": each.value, "unit": each.unit,
                 "at_least": each.at_least, "at_most": each.at_most,
                 "verdict": each.status.value, "remedy": "" if each.good else each.remedy}
                for each in self._measured.values()
            ],
            "live": self.live is not None,
            "ended": ended,
            "ended_details": ended_details,
            "good": self.good,
        }  # fmt: skip

    async def changes(self) -> AsyncIterator[Shown | None]:
        """What the page shows, now and after every change; None where nothing changed for long."""
        while True:
            changed = self._changed  # before it is shown: what changes meanwhile is not missed
            yield self.shown()
            while True:
                try:
                    async with asyncio.timeout(BEAT_S):
                        await changed.wait()
                        break
                except TimeoutError:
                    yield None

    async def _ask(self, text: str, choices: tuple[Choice, ...], *, waits: bool) -> Choice:
        self._asked += 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._question = _Question(self._asked, text, choices, waits, answer)
        self._tell_all()
        try:
            key = await answer
        finally:
            self._question = None
            self._tell_all()
        if key == GIVE_UP:
            raise Abandoned
        chosen = next(each for each in choices if each.key == key)
        if not waits:
            asked = text.partition("\n")[0]
            self.tell(f"{asked}{'' if asked.endswith('?') else ':'} {chosen.text}")
        return chosen

    def _tell_all(self) -> None:
        # Each change has an event of its own: cleared, one could be missed by a page that is slow.
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _shown_step(step: Step) -> ShownStep:
    return {
        "nth": step.nth, "of": step.of, "name": step.name, "done": step.done, "total": step.total,
    }  # fmt: skip


def _shown_card(card: DeckCard) -> ShownCard:
    return {
        "key": card.key, "label": card.label, "name": card.name, "red": card.red,
        "state": card.state.value,
    }  # fmt: skip


def _shown_question(question: _Question) -> ShownQuestion:
    text, _, details = question.text.partition("\n")
    return {
        "number": question.number,
        "text": text,
        "details": details,
        "waits": question.waits,
        "choices": [{"key": each.key, "text": each.text} for each in question.choices],
    }
