"""The handover of a shift: what is open, what was disputed, what the next one must know. Blocks.

It is drawn up out of archive and books, signed by whoever goes with a note, and by whoever comes.
What was signed is never edited: what becomes known of an earlier shift after it was signed (a table
was cut off, a round is corrected, a hold answered, a slip made void) is told with the next one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct, convert, to_builtins
from sqlalchemy import Connection, Engine, insert, literal_column, select, text, update

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.store import hand_on
from controller.pit.archive.books import schema as b
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.storage import schema as s
from controller.pit.reports.handover.items import (
    MOST_LINES,
    HandoverLine,
    alerts_open,
    by_the_pit,
    fills_amiss,
    fills_waited_for,
    out_of_service,
)
from controller.pit.reports.handover.schema import HANDOVERS
from controller.pit.reports.words import in_words, put_right

#: A note has this many characters at most.
NOTE_CHARS: Final = 2_000
#: Before the first handover, this much is looked back on.
FIRST_MS: Final = 12 * 3_600_000
#: So far before its beginning it is looked for what no handover has told.
LATE_MS: Final = 7 * 86_400_000
#: PostgreSQL's advisory lock of whoever signs: SQLite's writers go one at a time anyway.
_SIGNING: Final = 0x7461626C6507
#: Holds by which somebody says that a round was not as it should be.
DISPUTED: Final = (
    "floor",
    "difference",
    "misdeal",
    "payout",
    "misread",
    "bets_differ",
    "late_bet",
    "past_posting",
)
_ALERTS: Final = AlertSettings()
#: As the index of such rounds says it.
_PUT_RIGHT: Final = s.ROUNDS.c.void | (s.ROUNDS.c.corrections > literal_column("0"))


class NotSigned(ValueError):
    """A handover that cannot be signed so; the text says why."""


class HandoverShown(Struct, frozen=True):
    """What a handover says by itself; one that was signed by older software has no alerts, nor what
    stands at tables by the pit's word.
    """

    open: tuple[HandoverLine, ...]
    disputed: tuple[HandoverLine, ...]
    money: tuple[HandoverLine, ...]
    alerts: tuple[HandoverLine, ...] = ()
    by_pit: tuple[HandoverLine, ...] = ()


class Handover(Struct, frozen=True):
    """A handover; `taken_ms` is null until somebody has taken over."""

    id: int
    since_ms: int
    given_ms: int
    given_user: int
    given_name: str
    note: str
    shown: HandoverShown
    taken_ms: int | None
    taken_name: str


class HandoverDraft(Struct, frozen=True):
    """What would be handed over now: since the last one, with the newest handovers."""

    since_ms: int
    shown: HandoverShown
    newest: tuple[Handover, ...]


def draft(engine: Engine, now_ms: int, settings: AlertSettings = _ALERTS) -> HandoverDraft:
    """What there is to be handed over. Raises `sqlalchemy.exc.DBAPIError`."""
    with engine.connect().execution_options(reads_only=True) as connection:
        newest = _newest(connection)
        since_ms = newest[0].given_ms if newest else now_ms - FIRST_MS
        return HandoverDraft(since_ms, _shown(connection, since_ms, settings), newest)


def give(
    engine: Engine, who: Identity, note: str, now_ms: int, address: str,
    settings: AlertSettings = _ALERTS,
) -> int:  # fmt: skip
    """Sign a handover; its number. Raises `NotSigned`."""
    # A form sends each end of a line as two characters; the page counted one.
    note = note.replace("\r\n", "\n").strip()
    if len(note) > NOTE_CHARS:
        raise NotSigned(f"The note has {len(note)} characters: use {NOTE_CHARS} at most")
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SIGNING})
        newest = _newest(connection)
        if newest and newest[0].taken_ms is None:
            raise NotSigned(f"Handover {newest[0].id} waits for whoever takes over: it comes first")
        since_ms = newest[0].given_ms if newest else now_ms - FIRST_MS
        shown = _shown(connection, since_ms, settings)
        made = connection.execute(
            insert(HANDOVERS).values(
                since_ms=since_ms, given_ms=now_ms, given_user=who.user, given_name=who.name,
                note=note, shown=json.dumps(to_builtins(shown)), taken_name="",
            )
        )  # fmt: skip
        number = int(made.inserted_primary_key[0])  # type: ignore[index]
        record_act(connection, now_ms, who.name, AuditAct.GAVE_SHIFT, f"handover {number}", address)
    return number


def take(
    engine: Engine, who: Identity, number: int, now_ms: int, address: str,
    settings: AlertSettings = _ALERTS,
) -> None:  # fmt: skip
    """Sign that it was taken over; alerts that the one had in hand are the other's from then on.

    Raises `NotSigned`.
    """
    with engine.begin() as connection:
        query = select(HANDOVERS.c.given_user, HANDOVERS.c.taken_ms, HANDOVERS.c.given_name)
        row = connection.execute(query.where(HANDOVERS.c.id == number)).first()
        if row is None:
            raise NotSigned("There is no such handover")
        if row[1] is not None:
            raise NotSigned(f"Handover {number} was taken over already")
        if row[0] == who.user:
            raise NotSigned("Whoever gave a shift cannot take it over: somebody else signs")
        signed = connection.execute(
            update(HANDOVERS)
            .where(HANDOVERS.c.id == number, HANDOVERS.c.taken_ms.is_(None))
            .values(taken_ms=now_ms, taken_user=who.user, taken_name=who.name)
        )
        if not signed.rowcount:  # somebody else signed at the same moment
            raise NotSigned(f"Handover {number} was taken over already")
        record_act(connection, now_ms, who.name, AuditAct.TOOK_SHIFT, f"handover {number}", address)
        hand_on(connection, row[2], who.name, address, settings, now_ms)


def _newest(connection: Connection) -> tuple[Handover, ...]:
    rows = connection.execute(select(HANDOVERS).order_by(HANDOVERS.c.id.desc()).limit(10))
    return tuple(
        Handover(
            row["id"], row["since_ms"], row["given_ms"], row["given_user"], row["given_name"],
            row["note"], convert(json.loads(row["shown"]), HandoverShown), row["taken_ms"],
            row["taken_name"],
        )
        for row in rows.mappings()
    )  # fmt: skip


def _shown(connection: Connection, since_ms: int, settings: AlertSettings) -> HandoverShown:
    from_ms, told = _told(connection, since_ms)
    new = (each for each in _disputed(connection, from_ms) if each not in told)
    return HandoverShown(
        tuple(_open(connection)), tuple(islice(new, MOST_LINES)),
        (*fills_waited_for(connection), *_money(connection)), alerts_open(connection, settings),
        (*by_the_pit(connection), *out_of_service(connection, since_ms)),
    )  # fmt: skip


def _told(connection: Connection, since_ms: int) -> tuple[int, frozenset[HandoverLine]]:
    """From when on what was disputed is told, and what of that earlier handovers have told."""
    h, from_ms = HANDOVERS.c, since_ms - LATE_MS
    rows = connection.execute(
        select(h.since_ms, h.shown).where(h.given_ms >= from_ms).order_by(h.id)
    ).all()
    if not rows:
        return since_ms, frozenset()
    shown = (convert(json.loads(row.shown), HandoverShown) for row in rows)
    # What was before the first of them is nobody's to hand over.
    from_ms = max(from_ms, min(row.since_ms for row in rows))
    return from_ms, frozenset(line for each in shown for line in each.disputed)


def _open(connection: Connection) -> list[HandoverLine]:
    """Open holds, and what is wrong with records."""
    h = s.HOLDS.c
    holds = connection.execute(
        select(s.TABLES.c.name, h.began_ms, h.number, h.reason, h.round)
        .join(s.TABLES, s.TABLES.c.id == h.table_id)
        .where(h.released_ms.is_(None))
        .order_by(h.began_ms)
        .limit(MOST_LINES)
    )
    found = [
        HandoverLine(table, at_ms, f"hold {number} is open: {in_words(reason)}", round_)
        for table, at_ms, number, reason, round_ in holds
    ]
    found += (
        HandoverLine(each.table, each.since_ms, f"{in_words(each.kind)}: {each.text}")
        for each in findings(connection, only_open=True, most=MOST_LINES)
    )
    return found


def _disputed(connection: Connection, since_ms: int) -> Iterator[HandoverLine]:
    """Holds by which somebody disputed a round; rounds that were corrected or made void; slips that
    do not hold.
    """
    h, r = b.STOPS.c, s.ROUNDS.c
    holds = connection.execute(
        select(s.TABLES.c.name, h.began_ms, h.number, h.reason, h.answer, h.round)
        .join(s.TABLES, s.TABLES.c.id == h.table_id)
        .where(h.reason.in_(DISPUTED), h.began_ms >= since_ms)
        .order_by(h.began_ms)
    )
    for table, at_ms, number, reason, answer, round_ in holds:
        what = f"hold {number}, {in_words(reason)}: {in_words(answer) or 'not answered'}"
        yield HandoverLine(table, at_ms, what, round_)
    rounds = connection.execute(
        select(s.TABLES.c.name, r.began_ms, r.number, r.void, r.corrections)
        .join(s.TABLES, s.TABLES.c.id == r.table_id)
        .where(r.began_ms >= since_ms, _PUT_RIGHT)
        .order_by(r.began_ms)
    )
    for table, at_ms, number, void, times in rounds:
        yield HandoverLine(table, at_ms, put_right(times, void=void), number)
    k = b.SLIPS.c
    slips = connection.execute(
        select(s.TABLES.c.name, k.void_ms, k.slip, k.kind, k.void_reason)
        .join(s.TABLES, s.TABLES.c.id == k.table_id)
        .where(k.at_ms >= since_ms, k.void_ms.is_not(None))
        .order_by(k.void_ms)
    )
    for table, at_ms, slip, kind, reason in slips:
        yield HandoverLine(table, at_ms, f"slip {slip} ({in_words(kind)}) does not hold: {reason}")
    yield from fills_amiss(connection, since_ms)


def _money(connection: Connection) -> list[HandoverLine]:
    """Racks that are open, and drop boxes that nobody has counted."""
    k, slips, counts = b.RACK_SHIFTS.c, b.SLIPS.alias("boxes").c, b.SLIPS.alias("counts").c
    racks = connection.execute(
        select(s.TABLES.c.name, k.opened_ms, k.number)
        .join(s.TABLES, s.TABLES.c.id == k.table_id)
        .where(k.closed_ms.is_(None))
        .order_by(s.TABLES.c.name)
        .limit(MOST_LINES)
    )
    found = [
        HandoverLine(table, at_ms, f"the rack is open, shift {number}")
        for table, at_ms, number in racks
    ]
    counted = (
        select(counts.slip)
        .where(
            counts.table_id == slips.table_id, counts.kind == "count", counts.taken == slips.slip,
            counts.void_ms.is_(None),
        )
        .exists()
    )  # fmt: skip
    boxes = connection.execute(
        select(s.TABLES.c.name, slips.at_ms, slips.box, slips.slip)
        .join(s.TABLES, s.TABLES.c.id == slips.table_id)
        .where(slips.kind == "box", slips.box != "", slips.void_ms.is_(None), ~counted)
        .order_by(slips.at_ms)
        .limit(MOST_LINES)
    )
    found += (
        HandoverLine(table, at_ms, f"drop box {box} (slip {slip}) is not counted")
        for table, at_ms, box, slip in boxes
    )
    return found
