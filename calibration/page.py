"""A calibration on a page: what to do large, the answers as keys, the measurements beside it.

The page is for whoever started the calibration: it binds to loopback, and every request carries
the key that stands in the address the command prints.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypedDict, TypeVar

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.middleware.trustedhost import TrustedHostMiddleware

from calibration.guide import Abandoned, Choice, Step, unless
from calibration.measure import Measurement

T = TypeVar("T")

STATIC: Final = Path(__file__).parent / "static"
SAID_MAX: Final = 200
BEAT_S: Final = 2.0
LIVE_S: Final = 0.1
#: The page's own way to give up; no script has a choice of this key.
GIVE_UP: Final = "q"
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript",
                 ".svg": "image/svg+xml"}  # fmt: skip
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Answer(BaseModel):
    """An answer to the question of that number: the key of a choice, or "q" to give up."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[int, Field(ge=1)]
    key: Annotated[str, Field(max_length=16)]


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, or (without choices) what is waited for; `answer` gets the key."""

    number: int
    text: str
    choices: tuple[Choice, ...]
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
    """What is asked, the first line large; without choices it is waited for."""

    number: int
    text: str
    details: str
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


class Shown(TypedDict):
    """All that the page shows. `ended` is empty until the calibration is over."""

    title: str
    said: list[str]
    step: ShownStep | None
    hint: str
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

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        """Ask, with a key for each choice. Raises `Abandoned`."""
        return await self._ask(text, tuple(choices))

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        """Show it until `work` is done. Raises `Abandoned`."""
        return await unless(self._ask(text, ()), work)

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
            changed = self._changed
            yield self.shown()
            while True:
                try:
                    async with asyncio.timeout(BEAT_S):
                        await changed.wait()
                        break
                except TimeoutError:
                    yield None

    async def _ask(self, text: str, choices: tuple[Choice, ...]) -> str:
        self._asked += 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._question = _Question(self._asked, text, choices, answer)
        self._tell_all()
        try:
            key = await answer
        finally:
            self._question = None
            self._tell_all()
        if key == GIVE_UP:
            raise Abandoned
        chosen = next(each.text for each in choices if each.key == key)
        asked = text.partition("\n")[0]
        self.tell(f"{asked}{'' if asked.endswith('?') else ':'} {chosen}")
        return key

    def _tell_all(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _shown_step(step: Step) -> ShownStep:
    return {
        "nth": step.nth, "of": step.of, "name": step.name, "done": step.done, "total": step.total,
    }  # fmt: skip


def _shown_question(question: _Question) -> ShownQuestion:
    text, _, details = question.text.partition("\n")
    return {
        "number": question.number,
        "text": text,
        "details": details,
        "choices": [{"key": each.key, "text": each.text} for each in question.choices],
    }


def create_page(guide: PageGuide, key: str, drawing: Path) -> FastAPI:
    """The page's app. `drawing` is the folder of what the table's pages draw with."""

    def may(request: Request) -> None:
        sent = request.headers.get("x-key") or request.query_params.get("key", "")
        if not secrets.compare_digest(sent.encode(), key.encode()):
            raise HTTPException(403, "Open the address that `tablectl calibrate` printed")

    app = FastAPI(openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "[::1]"])
    files = _files(STATIC, "") | _files(drawing, "drawing/")

    @app.get("/")
    def page() -> Response:
        return files["calibrate.html"]

    @app.get("/static/{name:path}")
    def static(name: str) -> Response:
        if name not in files:
            raise HTTPException(404, "There is no such file")
        return files[name]

    @app.get("/events", dependencies=[Depends(may)])
    async def events() -> StreamingResponse:
        return StreamingResponse(_events(guide), media_type="text/event-stream", headers=_HEADERS)

    @app.post("/answer", dependencies=[Depends(may)])
    async def answer(reply: Answer) -> dict[str, str]:
        if why := guide.answer(reply):
            raise HTTPException(409, why)
        return {}

    @app.get("/live", dependencies=[Depends(may)])
    async def live() -> StreamingResponse:
        if guide.live is None:
            raise HTTPException(404, "This calibration has no picture")
        kind = "multipart/x-mixed-replace; boundary=picture"
        return StreamingResponse(_pictures(guide, guide.live), media_type=kind, headers=_HEADERS)

    return app


def _files(folder: Path, prefix: str) -> dict[str, Response]:
    """Every file of the folder whose type is known, by its address under `/static/`."""
    return {
        prefix + path.name: Response(
            path.read_bytes(), media_type=_TYPES[path.suffix], headers=_HEADERS
        )
        for path in sorted(folder.iterdir())
        if path.suffix in _TYPES
    }


async def _events(guide: PageGuide) -> AsyncIterator[str]:
    async for shown in guide.changes():
        if shown is None:
            yield "event: beat\ndata: {}\n\n"
        else:
            yield f"event: calibration\ndata: {json.dumps(shown)}\n\n"
        if guide.ended and shown is not None and shown["ended"]:
            return


async def _pictures(guide: PageGuide, newest: Callable[[], bytes | None]) -> AsyncIterator[bytes]:
    # A stream that did not end with the calibration would have to be torn down.
    while not guide.ended:
        if picture := newest():
            head = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
            yield head % len(picture) + picture + b"\r\n"
        await asyncio.sleep(LIVE_S)
