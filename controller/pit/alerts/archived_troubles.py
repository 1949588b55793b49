"""What is wrong by the pit's own database and disk: a part of what rules look at."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, func, or_, select

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import count_by_user
from controller.pit.accounts.schema import TRIES
from controller.pit.accounts.sessions import LIFETIME, Lifetime, TokenEnd, token_ends
from controller.pit.accounts.tries import SECOND
from controller.pit.alerts.schema import DELIVERIES
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.sight import PackOff, Untaken, WinOff
from controller.pit.archive.books.asked_rows import FillWaits, fills_waiting
from controller.pit.archive.books.schema import LEAKS, SHOES
from controller.pit.archive.findings.finding_rows import FindingRow, findings
from controller.pit.archive.retired import retired
from controller.pit.archive.storage.schema import TABLES

_DAY_MS: Final = 86_400_000
_HOUR_MS: Final = 3_600_000
_MOST: Final = 2_000
#: A shoe's verdict that somebody must look into.
_DISCREPANT: Final = "discrepant"


@dataclass(frozen=True, slots=True)
class ArchivedTroubles:
    """What is wrong by the archive's database: findings, packs, wins, fills that have not come,
    wrong sign-ins, messages about alerts that were never taken, when machines' tokens end,
    and who was refused for a role of late, how often. `retired`: tables that are out of service.
    """

    findings: tuple[FindingRow, ...]
    packs: tuple[PackOff, ...]
    wins: tuple[WinOff, ...]
    fills: tuple[FillWaits, ...]
    wrong_tries: int
    untaken: tuple[Untaken, ...]
    tokens: tuple[TokenEnd, ...]
    refused: Mapping[str, int]
    retired: frozenset[str]


def read_troubles(
    connection: Connection, settings: AlertSettings, now_ms: int, lifetime: Lifetime = LIFETIME
) -> ArchivedTroubles:
    """Read what the database knows to be wrong at `now_ms`. Blocks. Raises `DBAPIError`."""
    return ArchivedTroubles(
        tuple(findings(connection, only_open=True, most=_MOST)),
        _packs(connection, now_ms),
        _wins(connection, now_ms - int(settings.win_hours * _HOUR_MS)),
        _fills(connection, now_ms),
        _tries(connection, now_ms),
        _untaken(connection),
        token_ends(connection, lifetime),
        count_by_user(connection, AuditAct.REFUSED_ROLE, now_ms - _DAY_MS, _MOST),
        frozenset(retired(connection)),
    )


def disk_free(folder: Path) -> int | None:
    """Bytes that are free where the archive lies; None: that cannot be read."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def _packs(connection: Connection, now_ms: int) -> tuple[PackOff, ...]:
    """Tables whose newest shoe does not add up, of the last seven days."""
    of_table = select(SHOES.c.table_id, func.max(SHOES.c.seq).label("seq"))
    recent = of_table.where(SHOES.c.at_ms > now_ms - 7 * _DAY_MS)
    newest = recent.group_by(SHOES.c.table_id).subquery()
    query = (
        select(TABLES.c.name, SHOES.c.at_ms, SHOES.c.missing)
        .join(newest, (SHOES.c.table_id == newest.c.table_id) & (SHOES.c.seq == newest.c.seq))
        .join(TABLES, TABLES.c.id == SHOES.c.table_id)
        .where(SHOES.c.verdict == _DISCREPANT)
    )
    return tuple(PackOff(*each) for each in connection.execute(query))


def _wins(connection: Connection, since_ms: int) -> tuple[WinOff, ...]:
    query = (
        select(TABLES.c.name, func.min(LEAKS.c.at_ms), func.count())
        .join(TABLES, TABLES.c.id == LEAKS.c.table_id)
        .where(LEAKS.c.at_ms > since_ms)
        .group_by(TABLES.c.name)
    )
    return tuple(WinOff(*each) for each in connection.execute(query))


def _fills(connection: Connection, now_ms: int) -> tuple[FillWaits, ...]:
    """Those of the last day: while books are made anew, old ones seem to wait for their slips."""
    return tuple(each for each in fills_waiting(connection) if each.at_ms > now_ms - _DAY_MS)


def _untaken(connection: Connection) -> tuple[Untaken, ...]:
    """Receivers with messages that are tried no more, each with the newest answer."""
    left = DELIVERIES.c
    query = select(left.receiver, left.first_ms, left.answer).where(left.left_ms.is_not(None))
    found: dict[str, Untaken] = {}
    for receiver, since_ms, answer in connection.execute(query.order_by(left.left_ms, left.id)):
        known = found.get(receiver)
        count, first_ms = (known.count, known.since_ms) if known else (0, since_ms)
        found[receiver] = Untaken(receiver, count + 1, min(first_ms, since_ms), answer)
    return tuple(found.values())


def _tries(connection: Connection, now_ms: int) -> int:
    """Wrong tries of strangers that still count, by account: of passwords, and of codes."""
    query = select(func.coalesce(func.sum(TRIES.c.wrong), 0)).where(
        or_(*(TRIES.c.counted.startswith(f"{of}account ") for of in ("", SECOND))),
        TRIES.c.last_ms > now_ms - _DAY_MS,
    )
    return int(connection.execute(query).scalar_one())
