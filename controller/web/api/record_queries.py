"""What is asked of the whole record, over HTTP: the logbook, the rounds, the sheet of a shift.

Asked of a process of its own, by the commands `logbook`, `rounds` and `day sheet`: the table
is not kept waiting while days are read, and pages and command line cannot say different things.
The record tells who overruled whom, so these reads take the token.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.record.reading.rounds import RoundLine
from controller.record.reading.shift import ShiftSheet
from controller.rules.frozen import frozen
from controller.rules.messages import message
from controller.rules.spoken import spoken
from controller.table.recorded.log_entry import Mark
from controller.table.views.english import ENGLISH, say
from controller.table.views.logbook import LogLine
from controller.web.admission import is_trusted
from controller.web.api.described_routes import DescribedRoutes
from controller.web.api.parameters import in_query
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented
from controller.web.settings import WebSettings

#: How many lines one answer has at most, and unless another number is asked for.
LINES_MAX: Final = 1_000
LINES: Final = 200
#: How long a question may take, in seconds; a month of days does on a small computer.
PATIENCE_S: Final = 120.0

_Day = Annotated[
    str, in_query(pattern=r"^(\d{4}-\d{2}-\d{2})?$", description="A gaming day's date.")
]
_Time = Annotated[
    str,
    in_query(
        pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?$",
        description="A time of day at the table.",
    ),
]
_ONE_MARK: Final = f"({'|'.join(each.value for each in Mark)})"
#: What rounds and lines of the logbook can be asked for by.
WantedMarks = Annotated[
    str,
    in_query(
        "with", pattern=f"^({_ONE_MARK}(,{_ONE_MARK})*)?$",
        description="Marks, with commas between.",
    ),
]  # fmt: skip
# A command line ends at a NUL, and nobody is called so.
_Person = Annotated[
    str, in_query(max_length=64, pattern=r"^[^\x00]*$", description="Somebody's name or id.")
]
_Count = Annotated[int, in_query(ge=1, le=LINES_MAX, description="How many lines at most.")]
_Before = Annotated[
    int, in_query(ge=0, le=2**53, description="Those before this number; 0: the newest.")
]
_RoundNumber = Annotated[int, in_query(ge=0, le=2**31 - 1, description="A round; 0: any.")]


@frozen
class LogbookAnswer:
    """Lines of the logbook, the newest first.

    `more`: there are older ones, before the last line's `seq`. `problem` is what ended the
    reading early, in words: a record is read up to its damage.
    """

    lines: list[LogLine]
    more: bool
    problem: str


@frozen
class RoundsAnswer:
    """Rounds, the newest first; `more` and `problem` as in `LogbookAnswer`."""

    lines: list[RoundLine]
    more: bool
    problem: str


class RecordQueries:
    """The routes; one question is answered at a time."""

    def __init__(self, folder: Path, settings: WebSettings) -> None:
        self._folder = folder
        self._people = settings.people.path if settings.people else None
        self._one_at_a_time = asyncio.Semaphore(1)

    def routes(self) -> DescribedRoutes:
        """Every address."""
        routes = DescribedRoutes("/api/v1/record", documented(401, 421, 422, 503))
        routes.add("/logbook", self.logbook, response_model=LogbookAnswer)
        routes.add("/rounds", self.rounds, response_model=RoundsAnswer)
        routes.add("/shift", self.shift, response_model=ShiftSheet)
        return routes

    async def logbook(
        self, request: Request, day: _Day = "", first: _Day = "", last: _Day = "",
        since: _Time = "", until: _Time = "", marks: WantedMarks = "", by: _Person = "",
        round: _RoundNumber = 0, count: _Count = LINES, before: _Before = 0,
    ) -> Response:  # fmt: skip
        """What the records say; each line has one of the marks that are asked for."""
        asked = [*_span(day, first, last), *_marked(marks)]
        asked += _hours(since, until)
        if by:
            asked.append(f"--by={by}")
        if round:
            asked += ["--round", str(round)]
        if self._people is not None:
            asked += ["--people", str(self._people)]
        return await self._answer("logbook", [*asked, *_spoken()], request, count, before)

    async def rounds(
        self, request: Request, day: _Day = "", first: _Day = "", last: _Day = "",
        marks: WantedMarks = "", count: _Count = LINES, before: _Before = 0,
    ) -> Response:  # fmt: skip
        """The rounds that have all of the marks that are asked for."""
        asked = [*_span(day, first, last), *_marked(marks)]
        return await self._answer("rounds", asked, request, count, before)

    async def shift(
        self, request: Request, day: _Day = "", since: _Time = "", until: _Time = ""
    ) -> Response:
        """The sheet of a shift: the figures of a gaming day, or of hours of it, and the head."""
        need_token(request)
        asked = ["--day", day] if day else []
        asked += ["--since", since] if since else []
        asked += ["--until", until] if until else []
        if self._people is not None:
            asked += ["--people", str(self._people)]
        asked += _spoken()
        async with self._one_at_a_time:
            lines, problem = await self._run(["day", "sheet", str(self._folder), "--json", *asked])
        if not lines:
            raise RequestRejected(503, problem or say(message("sheet-could-not-be-made")))
        return Response(lines[0], media_type=JSON)

    async def _answer(
        self, command: str, asked: Sequence[str], request: Request, count: int, before: int
    ) -> Response:
        need_token(request)
        words = [command, str(self._folder), "--json", "--newest", str(count + 1), *asked]
        if before:
            words += ["--before", str(before)]
        async with self._one_at_a_time:
            lines, problem = await self._run(words)
        found = [msgspec.Raw(line) for line in lines[:count]]
        answer = {"lines": found, "more": len(lines) > count, "problem": problem}
        return Response(encode(answer), media_type=JSON)

    async def _run(self, words: Sequence[str]) -> tuple[list[bytes], str]:
        """The lines that a command prints, and what went wrong in words."""
        child = await asyncio.create_subprocess_exec(
            "nice", "-n", "10", sys.executable, "-m", "controller", *words,
            stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        try:
            async with asyncio.timeout(PATIENCE_S):
                out, err = await child.communicate()
        except TimeoutError:
            return [], say(message("that-takes-too-long"))
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        return out.splitlines(), err.decode(errors="replace").strip()


def _spoken() -> list[str]:
    """The reader's language, for a process of its own."""
    return ["--lang", spoken(ENGLISH).code]


def need_token(request: Request) -> None:
    """Raises `RequestRejected` for whoever did not send the table's token."""
    if not is_trusted(request.scope):
        said = message("send-the-token", header="Authorization: Bearer TOKEN")
        raise RequestRejected(401, say(said))


def _hours(since: str, until: str) -> list[str]:
    return ["--between", since or "00:00", until or "23:59"] if since or until else []


def _span(day: str, first: str, last: str) -> list[str]:
    options = (("--day", day), ("--from", first), ("--to", last))
    return [each for name, value in options if value for each in (name, value)]


def _marked(marks: str) -> list[str]:
    return ["--with", marks] if marks else []
