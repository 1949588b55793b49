"""The answers of a calibration by dialogue, on disk: it can be interrupted, resumed, and undone.

A script is an async function of its answers: what people chose and what devices gave. Played again
with the kept ones it stands where it stood, and undo is the list without its last. The camera's
script keeps pictures instead (`camera/draft.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from calibration.devices.beam import DrawnCards
from calibration.devices.contacts import ContactEdge
from calibration.devices.scans import Scan
from calibration.durable import write_durable
from calibration.guide import YES_NO, Choice, DeckCard, Guide, Step
from calibration.measure import Measurement
from controller.devices.inputs import Doubt

T = TypeVar("T")

FORMAT: Final = 1
UNDO: Final = Choice("u", "undo the last answer")


class Undone(Exception):
    """The last answer is to be taken back, and the script played again."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What was asked, or waited for, and what it came to. It may name a card: no repr shows it."""

    question: str
    value: Any = field(repr=False)


class KeptAnswers:
    """The answers of one calibration, on disk after each. Methods that write raise `OSError`."""

    def __init__(self, path: Path, about: str, began_ms: int) -> None:
        self._path = path
        self._about = about
        self.began_ms = began_ms
        self.answers: list[KeptAnswer] = []

    @classmethod
    def load(cls, path: Path, about: str) -> KeptAnswers:
        """Those that lie there, of a device that is configured as now; else none yet.

        `about` is the digest of what they are of. A file that is damaged holds none.
        """
        found = cls(path, about, time.time_ns() // 1_000_000)
        try:
            plain = json.loads(path.read_bytes())
            if (plain["format"], plain["about"]) == (FORMAT, about):
                answers = [KeptAnswer(str(q), _value(v)) for q, v in plain["answers"]]
                found.began_ms, found.answers = int(plain["began_ms"]), answers
        except (OSError, ValueError, LookupError, TypeError):
            return cls(path, about, time.time_ns() // 1_000_000)
        return found

    def add(self, question: str, value: object) -> None:
        """Keep one more; it is on the disk when this returns."""
        self.answers.append(KeptAnswer(question, value))
        self._write()

    def cut(self, length: int) -> None:
        """Keep the first `length` of them alone."""
        del self.answers[length:]
        if self.answers:
            self._write()
        else:
            self.discard()

    def take_back(self, since: str = "") -> None:
        """Forget the last one, or all from the first answer to the question `since` on."""
        asked = [each.question for each in self.answers]
        self.cut(asked.index(since) if since in asked else max(0, len(asked) - 1))

    def discard(self) -> None:
        """Forget all of them."""
        self.answers.clear()
        self._path.unlink(missing_ok=True)

    def _write(self) -> None:
        self._path.parent.mkdir(exist_ok=True)
        plain = {
            "format": FORMAT, "about": self._about, "began_ms": self.began_ms,
            "answers": [[each.question, _plain(each.value)] for each in self.answers],
        }  # fmt: skip
        write_durable(self._path, json.dumps(plain, indent=1).encode() + b"\n")


class ResumingGuide:
    """A guide that answers by itself as long as there are kept answers, and keeps the others.

    Every question but the first can be answered by undo, which raises `Undone`.
    """

    def __init__(self, guide: Guide, answers: KeptAnswers) -> None:
        self._guide = guide
        self._answers = answers
        self._at = 0

    def begin(self) -> None:
        """The script begins (again)."""
        self._at = 0

    @property
    def _is_replaying(self) -> bool:
        return self._at < len(self._answers.answers)

    def tell(self, text: str) -> None:
        """Show text that was not shown before."""
        if not self._is_replaying:
            self._guide.tell(text)

    def measured(self, measurement: Measurement) -> None:
        """Show a measurement with its verdict."""
        if not self._is_replaying:
            self._guide.measured(measurement)

    def step(self, step: Step) -> None:
        """Show how far the calibration is."""
        if not self._is_replaying:
            self._guide.step(step)

    def hint(self, text: str) -> None:
        """Show why the calibration is still waiting."""
        if not self._is_replaying:
            self._guide.hint(text)

    def deck(self, cards: Sequence[DeckCard]) -> None:
        """Show which cards of the deck are captured."""
        if not self._is_replaying:
            self._guide.deck(cards)

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        """The kept answer, or a new one, which is kept. Raises `Undone`."""
        keys = {each.key for each in choices}
        answer = self._next(text, lambda value: isinstance(value, str) and value in keys)
        if answer is not None:
            return cast(str, answer)
        key = await self._asked(text, choices)
        self._keep(text, key)
        return key

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        """What `work` came to, or comes to, which is kept. Raises `Undone`."""
        answer = self._next(text, lambda value: not isinstance(value, str))
        if answer is not None:
            if isinstance(work, Coroutine):
                work.close()  # Python warns of one that nobody awaits
            return cast(T, answer)
        found: T | Choice
        if self._answers.answers:
            found = await self._guide.watch_or_choose(text, work, (UNDO,))
        else:
            found = await self._guide.watch(text, work)
        if isinstance(found, Choice):
            raise Undone
        self._keep(text, found)
        return found

    async def watch_or_choose(
        self, text: str, work: Awaitable[T], choices: Sequence[Choice]
    ) -> T | Choice:
        """As the guide itself: no script whose answers are kept waits for either."""
        return await self._guide.watch_or_choose(text, work, choices)

    async def agreed(self, text: str) -> bool:
        """The last question, whose answer is not kept. Raises `Undone`."""
        return await self._asked(text, YES_NO) == "y"

    async def _asked(self, text: str, choices: Sequence[Choice]) -> str:
        offered = (*choices, UNDO) if self._answers.answers else choices
        key = await self._guide.choose(text, offered)
        if key == UNDO.key:
            raise Undone
        return key

    def _next(self, question: str, fits: Callable[[object], bool]) -> object | None:
        """The kept answer to this question; what was kept of another course is forgotten."""
        if not self._is_replaying:
            return None
        answer = self._answers.answers[self._at]
        if answer.question != question or not fits(answer.value):
            self._answers.cut(self._at)
            return None
        self._at += 1
        return cast(object, answer.value)

    def _keep(self, question: str, value: object) -> None:
        self._answers.add(question, value)
        self._at = len(self._answers.answers)


def _plain(value: object) -> dict[str, Any]:
    """A kept answer as JSON has it: its kind, and what it holds."""
    if isinstance(value, str):
        return {"key": value}
    if isinstance(value, Scan):
        kind = "doubt" if isinstance(value.text, Doubt) else "code"
        text = value.text.name if isinstance(value.text, Doubt) else value.text
        return {kind: text, "at_ns": value.at_ns}
    if isinstance(value, dict):
        return {"levels": sorted(value.items())}
    if isinstance(value, DrawnCards):
        return {"edges": _rows(value.edges), "codes_ns": value.codes_ns}
    if isinstance(value, list):
        return {"edges": _rows(value)}
    raise TypeError(f"{type(value).__name__} is no answer that is kept")


def _rows(edges: Sequence[ContactEdge]) -> list[list[int]]:
    return [[each.pin, int(each.active), each.at_ns] for each in edges]


def _value(plain: dict[str, Any]) -> object:
    """A kept answer back from JSON. Raises `ValueError`, `LookupError`, `TypeError`."""
    if "key" in plain:
        return str(plain["key"])
    if "doubt" in plain:
        return Scan(Doubt[plain["doubt"]], int(plain["at_ns"]))
    if "code" in plain:
        return Scan(str(plain["code"]), int(plain["at_ns"]))
    if "levels" in plain:
        return {int(pin): bool(active) for pin, active in plain["levels"]}
    edges = [ContactEdge(int(pin), bool(on), int(at_ns)) for pin, on, at_ns in plain["edges"]]
    if "codes_ns" in plain:
        return DrawnCards(tuple(edges), tuple(map(int, plain["codes_ns"])))
    return edges
