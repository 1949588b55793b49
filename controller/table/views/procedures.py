"""The procedures in force as parts of a rule sheet, for the rules page and PROCEDURES.md."""

from __future__ import annotations

from controller.rules.messages import message
from controller.rules.sheets.sheet import Grid, Section
from controller.table.irregularities.catalogue import DEALER, FLOOR, TWO, Kind
from controller.table.irregularities.holds import (
    RESOLUTION_LABELS,
    Reason,
    Resolution,
    resolution_text,
)
from controller.table.irregularities.procedures import Procedures
from controller.table.queries.hold_prompts import FIRST
from controller.table.views.english import say, show

_WHO = {DEALER: message("who-dealer"), FLOOR: message("the-floor"), TWO: message("two-people")}


def sections(rules: Procedures, *, ids: bool = False) -> tuple[Section, ...]:
    """What the table notices, and what people call, row by row.

    `ids`: with the names by which a house's own file refers to rows and resolutions.
    """
    columns = (
        message("column-what-happens"), message("column-what-to-do"),
        message("column-resolutions"), message("column-source"),
    )  # fmt: skip
    head = tuple(show(each) for each in columns)
    lines = (
        say(message("because", why=rules.title)),
        say(message("procedures-cards-stay")),
        say(message("procedures-who")),
    )
    noticed, called = (
        tuple(
            _row(reason, row, reason.value if ids else "")
            for reason, row in rules.rows.items()
            if row.called is by_people
        )
        for by_people in (False, True)
    )
    parts = (
        Section(say(message("section-noticed")), lines, Grid(head, noticed)),
        Section(say(message("section-called")), (), Grid(head, called)),
    )
    if not ids:
        return parts
    named = tuple((each.value, say(RESOLUTION_LABELS[each].text)) for each in Resolution)
    of = Grid((show(message("column-id")), show(message("column-resolution"))), named)
    return (*parts, Section(say(message("section-resolutions")), (), of))


def _row(reason: Reason, row: Kind, name: str) -> tuple[str, ...]:
    resolutions = "; ".join(
        show(resolution_text(reason, each)) + ("" if needs is DEALER else f" ({show(_WHO[needs])})")
        for each, needs in row.who.items()
    )
    title = f"{say(row.title)} ({name})" if name else say(row.title)
    advice, source = (
        each if isinstance(each, str) else say(each) for each in (row.advice, row.source)
    )
    first = say(message("because", why=FIRST[reason]))
    return title, f"{first} {advice}", resolutions, source
