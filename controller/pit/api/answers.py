"""What each route of the pit's API answers, and what it may be asked with.

One list for the OpenAPI document and the client: a route that is not in it is found by a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from msgspec import Struct

from controller.pit.alerts.routes import AlertList, SentAgain
from controller.pit.archive.overview import Overview
from controller.pit.reports.asked import By
from controller.pit.reports.chips import TableChips
from controller.pit.reports.report.report import SECTIONS
from controller.pit.reports.search.pictures import RoundPictures
from controller.pit.reports.search.round_steps import ArchivedRound
from controller.pit.reports.search.search import FoundRound
from controller.pit.reports.search.typed_search import REASONS
from controller.pit.sign_in.access import PageLink
from controller.pit.wall.alert_view import AlertView
from controller.record.fact_schemas import Schema
from controller.rules.cards import DECK_52, JOKER

#: A value of a report: null where it is not known, or there is nothing to divide by.
Figure = str | int | float | bool | None


class PitHealth(Struct, frozen=True):
    """The pit answers; `picture` is the number of the wall's newest one.

    `archive_stands_since_ms`: nothing is archived since then; null while it goes on.
    """

    ok: Literal[True]
    picture: int
    archive_stands_since_ms: int | None


class Me(Struct, frozen=True):
    """Who asks, the roles that they have here, and the pages that these open.

    `asks_tables`: they may ask a table for something. `answers`: which alerts they may have in
    hand: `all`, `fills` or `none`.
    """

    name: str
    roles: tuple[str, ...]
    pages: tuple[PageLink, ...]
    asks_tables: bool
    answers: Literal["all", "fills", "none"]


class PartColumn(Struct, frozen=True):
    """A column of a part of a report: its name in `rows`, its heading, and what its values are
    (text, count, money, per_cent, rate, seconds, time or yes_no).
    """

    name: str
    head: str
    kind: str


class ReportPart(Struct, frozen=True):
    """A part of a report: a row has a value by the name of each column.

    Amounts are minor units, times wall times in ms. `about` says how it is to be read.
    """

    part: str
    title: str
    about: str
    columns: tuple[PartColumn, ...]
    rows: tuple[dict[str, Figure], ...]


_TABLE: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$"}
_DAY: Final[Schema] = {"type": "string", "format": "date"}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
_MOMENT: Final[Schema] = {
    "type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$",
    "description": "A day or a moment, in UTC.",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """What a route answers, and the fields that its address may ask with: each by its schema."""

    answer: Any
    asks: Mapping[str, Schema] = field(default_factory=dict)
    #: Of parts of the path, where they are not any text.
    path: Mapping[str, Schema] = field(default_factory=dict)


#: By method and path, as the app has them.
ANSWERS: Final[Mapping[str, ApiRoute]] = MappingProxyType({
    "GET /healthz": ApiRoute(PitHealth),
    "GET /api/v1/me": ApiRoute(Me),
    "GET /api/v1/records": ApiRoute(Overview),
    "GET /api/v1/alerts": ApiRoute(AlertList),
    "POST /api/v1/alerts/undelivered/{number}/send": ApiRoute(SentAgain),
    "POST /api/v1/alerts/{number}/answer": ApiRoute(AlertView),
    "GET /api/v1/tables/{table}/chips": ApiRoute(TableChips, path={"table": _TABLE}),
    "GET /api/v1/rounds": ApiRoute(
        list[FoundRound],
        {
            "table": _TABLE, "round": _NUMBER, "from": _MOMENT, "to": _MOMENT,
            "card": {"enum": [each.code for each in (*DECK_52, JOKER)]}, "seat": _NUMBER,
            "amount": {"type": "string", "pattern": r"^\d{1,9}(\.\d{2})?$"},
            "dealer": {"type": "string", "maxLength": 64}, "reason": {"enum": list(REASONS)},
            "before": {"type": "string", "pattern": r"^\d{1,15}(-\d{1,9})?$"},
        },
    ),
    "GET /api/v1/rounds/{table}/{number}": ApiRoute(
        ArchivedRound, path={"table": _TABLE, "number": _NUMBER}
    ),
    "GET /api/v1/rounds/{table}/{number}/pictures": ApiRoute(
        RoundPictures, path={"table": _TABLE, "number": _NUMBER}
    ),
    "GET /api/v1/reports/{part}": ApiRoute(
        ReportPart,
        {"from": _DAY, "to": _DAY, "table": _TABLE, "by": {"enum": [each.value for each in By]}},
        path={"part": {"enum": list(SECTIONS)}},
    ),
})  # fmt: skip
