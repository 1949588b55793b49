"""The page `/records`: what the archive has of every table, and what is wrong with it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import zip_longest
from typing import Final

from controller.pit.archive.branches.rows import BranchRow
from controller.pit.archive.finding_rows import FindingRow
from controller.pit.archive.overview import Overview

#: The page is read anew this often.
REFRESH_S: Final = 5
_HEAD: Final = f"""<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="refresh" content="{REFRESH_S}">
  <title>Records</title>
  <link rel="icon" href="/static/drawing/icon.svg" type="image/svg+xml">
  <script src="/static/pages/people/theme.js"></script>
  <link rel="stylesheet" href="/static/drawing/tokens.css">
  <link rel="stylesheet" href="/static/pages/records/records.css">
</head>
<body>
"""


def records_page(shown: Overview, *, may_settle: bool = False, may_take: bool = False) -> str:
    """The page as HTML; every text in it is escaped.

    `may_settle`: for whoever ends findings; `may_take`: for whoever takes records that were set
    aside.
    """
    still = [each for each in shown.findings if each.settled_ms is None]
    over = [each for each in shown.findings if each.settled_ms is not None]
    title = f'<header><a href="/">Tables</a><h1>Records of {len(shown.tables)} tables</h1>'
    parts = [
        _HEAD,
        title,
        f"<p>{escape(_line(shown))} As of {_time(shown.at_ms)} (UTC).</p></header>\n<main>\n",
        _section(
            f"To be looked into: {len(still)}",
            still,
            "Nothing. Every record is whole.",
            may_settle=may_settle,
        ),
        _tables(shown),
        _section(f"Settled: {len(over)}", over, "Nothing was."),
        _branches(shown.branches, may_take=may_take),
        "</main>\n</body>\n</html>\n",
    ]
    return "".join(parts)


def _line(shown: Overview) -> str:
    if shown.line:
        return f"Nothing comes from the bus: {shown.line}."
    if not shown.archives:
        return "Another pit on this database archives; this one would take over."
    return "The bus is there, and this pit archives."


def _tables(shown: Overview) -> str:
    rows = (
        (each.table, each.game, each.day, str(each.round), str(each.seq), each.hash[:16],
         _time(each.at_ms), _time(each.archived_ms), str(each.open) if each.open else "none",
         each.software)
        for each in shown.tables
    )  # fmt: skip
    head = (
        "Table", "Game", "Gaming day", "Round", "Verified to record", "Its hash", "Written",
        "Archived", "Findings", "Software",
    )  # fmt: skip
    return f"<section><h2>Tables</h2>{_table(head, rows, 'No table was heard yet.')}</section>\n"


def _section(
    title: str, found: Sequence[FindingRow], none: str, *, may_settle: bool = False
) -> str:
    rows = (
        (each.table, each.kind.replace("_", " "), str(each.seq) if each.seq else "", each.text,
         str(each.count), _time(each.since_ms), _time(each.settled_ms or each.last_ms))
        for each in found
    )  # fmt: skip
    head = ["Table", "Finding", "Record", "What", "Times", "Since", "Last"]
    ends = [
        f'<td><a href="/findings/{each.number}">{_end(each)}</a></td>'
        if each.by_people or each.has_parted else "<td>ends by itself</td>" for each in found
    ]  # fmt: skip
    if not may_settle:
        return f"<section><h2>{escape(title)}</h2>{_table(head, rows, none)}</section>\n"
    shown = _table([*head, "End"], rows, none, ends)
    return f"<section><h2>{escape(title)}</h2>{shown}</section>\n"


def _end(each: FindingRow) -> str:
    return "Which one stands?" if each.has_parted else "Looked into"


def _branches(said: Sequence[BranchRow], *, may_take: bool) -> str:
    """Where people have said which of two histories stands; nothing where nobody has."""
    if not said:
        return ""
    rows = (
        (each.table, _set_aside(each), each.last_hash[:16], each.who, each.reason,
         _time(each.asked_ms), _time(each.done_ms) if each.done_ms else "")
        for each in said
    )  # fmt: skip
    head = ["Table", "Set aside", "Its last hash", "Said by", "Why", "Said", "Done"]
    files = [
        f'<td><a href="/branches/{each.number}.jsonl" download>Its records</a></td>'
        if each.last_seq else "<td></td>" for each in said
    ]  # fmt: skip
    shown = _table([*head, "File"], rows, "", files) if may_take else _table(head, rows, "")
    return f"<section><h2>The table's own record stands</h2>{shown}</section>\n"


def _set_aside(each: BranchRow) -> str:
    if each.done_ms is None:
        return "nothing yet: the table is asked where the two part"
    if each.said:
        return f"nothing: {each.said}"
    if not each.last_seq:
        return "nothing: the table goes on from what is archived"
    return f"records {each.first_seq} to {each.last_seq}"


def _table(
    head: Iterable[str], rows: Iterable[Sequence[str]], none: str, last: Sequence[str] = ()
) -> str:
    """A table of texts; `last` has the last cell of each row as HTML, where there is one more."""
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + end + "</tr>\n"
        for row, end in zip_longest(rows, last, fillvalue="")
    )
    if not body:
        return f"<p>{escape(none)}</p>"
    heads = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    rows_ = f"<thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody>"
    return f'<div class="wide"><table>{rows_}</table></div>'


def _time(at_ms: int) -> str:
    """A time of a clock that may be wrong: only what a calendar has is shown."""
    try:
        moment = datetime.fromtimestamp(at_ms / 1_000, UTC)
    except (OverflowError, OSError, ValueError):
        return str(at_ms)
    return escape(moment.strftime("%Y-%m-%d %H:%M:%S"))
