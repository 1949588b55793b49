"""A typed client of a pit's API, for programs of the house (extras `pit` and `client`).

    async with PitClient.at("https://pit.example", token) as pit:
        for each in (await pit.records()).tables:
            print(each.table, each.seq)

A token is a machine's (`tablectl pit CONFIG user add NAME --role machine`). What was not answered
as it should be is a typed error: `PitProblem` with the pit's own words, `PitAway`, `NotAPit`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from controller.pit.alerts.routes import AlertList, SentAgain
from controller.pit.api.answers import Me, PitHealth, ReportPart
from controller.pit.archive.overview import Overview
from controller.pit.reports.chips import TableChips
from controller.pit.reports.search.pictures import RoundPictures
from controller.pit.reports.search.round_steps import ArchivedRound
from controller.pit.reports.search.search import FoundRound
from controller.pit.wall.alert_view import AlertView
from controller.pit.wall.picture import Change
from controller.web.problems import HttpProblem

#: The header of an answer that says how far back a search went.
SEARCHED_BACK_TO: Final = "Searched-Back-To"
OLDER_ROUNDS: Final = "Older-Rounds"
#: The pit answers in far less; a search of an old archive may take seconds.
TIMEOUT_S: Final = 30.0
_T = TypeVar("_T")


class PitProblem(Exception):
    """The pit refused: `status` is HTTP's, `detail` says why and what to change.

    `retry_after_s`: when to ask again, where the pit says so.
    """

    def __init__(self, status: int, detail: str, retry_after_s: float | None = None) -> None:
        super().__init__(f"{detail} ({status})")
        self.status = status
        self.detail = detail
        self.retry_after_s = retry_after_s


class PitAway(Exception):
    """No answer came: whether the pit heard the question is not known."""


class NotAPit(Exception):
    """What answered says what no pit says, or one of another form does."""


class SearchedRounds(NamedTuple):
    """Rounds, the newest first. `back_to`: older ones than of that moment (UTC) were not looked at;
    empty: all were. `older` is where to go on (`rounds(before=…)`); empty: there are no others.
    """

    rounds: list[FoundRound]
    back_to: str
    older: str


class PitClient:
    """Asks a pit by `http`, which has its address and who asks."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    @classmethod
    def at(cls, url: str, token: str, timeout_s: float = TIMEOUT_S) -> Self:
        """A client of the pit at an address, as the machine whose token this is."""
        headers = {"Authorization": f"Bearer {token}"}
        return cls(httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout_s))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def health(self) -> PitHealth:
        """Whether the pit answers, and whether its archive goes on."""
        return await self._ask(PitHealth, "/healthz")

    async def me(self) -> Me:
        """Who asks, and in which roles."""
        return await self._ask(Me, "/api/v1/me")

    async def records(self) -> Overview:
        """What the archive has of every table, and what is wrong with it."""
        return await self._ask(Overview, "/api/v1/records")

    async def alerts(self) -> AlertList:
        """The open alerts, and those that ended within the last hour."""
        return await self._ask(AlertList, "/api/v1/alerts")

    async def send_alert_again(self, number: int) -> SentAgain:
        """Send a message that a receiver never took once more: people do, a machine may not."""
        return await self._ask(SentAgain, f"/api/v1/alerts/undelivered/{number}/send", "POST")

    async def answer_alert(self, number: int) -> AlertView:
        """Say that the alert is in hand: people do, a machine may not."""
        return await self._ask(AlertView, f"/api/v1/alerts/{number}/answer", "POST")

    async def chips(self, table: str) -> TableChips:
        """The chips of a table: shifts of its rack, slips, and what they won."""
        return await self._ask(TableChips, f"/api/v1/tables/{quote(table, safe='')}/chips")

    async def rounds(
        self, *, table: str = "", round_: int | None = None, since: str = "", until: str = "",
        card: str = "", seat: int | None = None, amount: str = "", dealer: str = "",
        reason: str = "", before: str = "",
    ) -> SearchedRounds:  # fmt: skip
        """Archived rounds, the newest first, 50 at most.

        `since` and `until` are moments or days in UTC, `card` is like `7h`, `amount` like `12.50`,
        `dealer` a name or an id, `reason` that of a hold; `before` is `older` of what was found
        before.
        """
        asked = {
            "table": table, "round": round_, "from": since, "to": until, "card": card,
            "seat": seat, "amount": amount, "dealer": dealer, "reason": reason, "before": before,
        }  # fmt: skip
        answer = await self._answer("/api/v1/rounds", asked=asked)
        back_to = answer.headers.get(SEARCHED_BACK_TO, "")
        older = answer.headers.get(OLDER_ROUNDS, "")
        return SearchedRounds(_decoded(answer, list[FoundRound]), back_to, older)

    async def round(self, table: str, number: int) -> ArchivedRound:
        """A round record by record: in words, and how the felt lay after each."""
        return await self._ask(ArchivedRound, f"/api/v1/rounds/{quote(table, safe='')}/{number}")

    async def pictures(self, table: str, number: int) -> RoundPictures:
        """What cameras saw of a round's cards: people of the floor look, a machine may not."""
        path = f"/api/v1/rounds/{quote(table, safe='')}/{number}/pictures"
        return await self._ask(RoundPictures, path)

    async def report(
        self, part: str, *, first: str = "", last: str = "", table: str = "", by: str = ""
    ) -> ReportPart:
        """A part of a report (`money`, `pace`, `errors`, …) of gaming days `first` to `last`."""
        asked = {"from": first, "to": last, "table": table, "by": by}
        return await self._ask(ReportPart, f"/api/v1/reports/{quote(part, safe='')}", asked=asked)

    async def wall(self) -> AsyncIterator[Change]:
        """The wall as it changes, all of it first; ends when the pit lets go."""
        decode = msgspec.json.Decoder(Change).decode
        try:
            async with self._http.stream("GET", "/events/wall", timeout=None) as answer:
                if answer.status_code != httpx.codes.OK:
                    await answer.aread()
                    raise _problem(answer)
                event = ""
                async for line in answer.aiter_lines():
                    name, _, said = line.partition(": ")
                    event = said if name == "event" else event
                    if name == "data" and event == "wall":
                        yield decode(said)
        except httpx.TransportError as error:
            raise PitAway(str(error) or type(error).__name__) from error
        except msgspec.DecodeError as error:
            raise NotAPit(f"the wall says what is no picture of one: {error}") from error

    async def _ask(
        self, kind: type[_T], path: str, method: str = "GET", asked: dict[str, Any] | None = None
    ) -> _T:
        """The answer of a route. Raises `PitProblem`, `PitAway`, `NotAPit`."""
        return _decoded(await self._answer(path, method, asked), kind)

    async def _answer(
        self, path: str, method: str = "GET", asked: dict[str, Any] | None = None
    ) -> httpx.Response:
        fields = {name: each for name, each in (asked or {}).items() if each not in ("", None)}
        try:
            answer = await self._http.request(method, path, params=fields)
        except httpx.TransportError as error:
            raise PitAway(str(error) or type(error).__name__) from error
        if answer.status_code != httpx.codes.OK:
            raise _problem(answer)
        return answer


def _decoded(answer: httpx.Response, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        path = answer.request.url.path
        raise NotAPit(f"{path} answers what is no {kind.__name__}: {error}") from error


def _problem(answer: httpx.Response) -> PitProblem:
    try:
        detail = msgspec.json.decode(answer.content, type=HttpProblem).detail
    except (msgspec.DecodeError, UnicodeDecodeError):
        detail = f"{answer.url.path} answers {answer.status_code} without words of a pit"
    wait = answer.headers.get("Retry-After", "")
    return PitProblem(answer.status_code, detail, float(wait) if wait.isdecimal() else None)
