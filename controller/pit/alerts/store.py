"""Alerts in the pit's database: opened once, counted, taken further, answered, ended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from sqlalchemy import Connection, RowMapping, func, insert, select, text, update

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.sessions import LIFETIME, Lifetime, present
from controller.pit.alerts.causes import Cause, receiver_key
from controller.pit.alerts.deliveries import AlertMessage, put_down
from controller.pit.alerts.schema import ALERTS
from controller.pit.alerts.settings import AlertKind, AlertSettings
from controller.pit.wall.alert_view import AlertView

_KINDS: Final = frozenset(each.value for each in AlertKind)
_OPEN: Final = ALERTS.c.ended_ms.is_(None)
#: PostgreSQL's advisory lock of whoever judges: SQLite's writers go one at a time anyway.
_JUDGING: Final = 0x7461626C6505
#: Open alerts that a page is sent, the oldest first.
MOST_SHOWN: Final = 100
_MOST_TEXT: Final = 300
#: Of these it is known when they began: another one under the same key is told by that.
_BEGIN_AGAIN: Final = frozenset({AlertKind.HELD, AlertKind.ALARM, AlertKind.OFFLINE})
#: What may become of an alert more than once.
_AGAIN: Final = frozenset({"answered", "reopened"})


class NotTheirs(Exception):
    """An alert that somebody of that role cannot have in hand."""


def judge(
    connection: Connection, found: Iterable[Cause],
    may_go_on: Callable[[AlertKind, str], bool], settings: AlertSettings, now_ms: int,
    lifetime: Lifetime = LIFETIME,
) -> None:  # fmt: skip
    """Bring alerts up to what is found; what is not seen ends unless it `may_go_on`.

    `lifetime` is that of sessions: what is in hand of somebody who is not there is in nobody's.
    """
    _one_at_a_time(connection)
    by_key = {each.key: each for each in found}
    # What newer software found, and this was put back over, is seen and in hand; it ends there.
    query = select(ALERTS).where(_OPEN, ALERTS.c.kind.in_(sorted(_KINDS))).order_by(ALERTS.c.id)
    rows = connection.execute(query).mappings().all()
    have = {row["answered_by"] for row in rows if row["answered_ms"] is not None}
    there = present(connection, have, now_ms, lifetime)
    for row in rows:
        cause = by_key.pop(row["key"], None)
        if cause is None:
            if not may_go_on(AlertKind(row["kind"]), row["table_name"]):
                _change(connection, row, "ended", settings, now_ms, ended_ms=now_ms)
            continue
        new = {"text": cause.text[:_MOST_TEXT], "count": cause.count}
        if any(row[name] != value for name, value in new.items()):
            connection.execute(update(ALERTS).where(ALERTS.c.id == row["id"]).values(new))
        if row["answered_ms"] is not None and _is_nobodys(row, cause, there, settings, now_ms):
            # Of the others it is not known anew when they began.
            since_ms = cause.since_ms if _begins_again(cause) else row["since_ms"]
            _change(
                connection, row, "reopened", settings, now_ms, since_ms=since_ms,
                step_ms=now_ms, answered_ms=None, answered_by="",
            )  # fmt: skip
            continue
        # Either way: a clock that was far ahead took the last step.
        waited_ms = abs(now_ms - row["step_ms"])
        more = row["step"] < settings.last_step(cause.kind) and row["answered_ms"] is None
        if more and waited_ms >= settings.escalate_s * 1_000:
            further = {"step": row["step"] + 1, "step_ms": now_ms}
            _change(connection, row, "escalated", settings, now_ms, **further)
    for cause in by_key.values():
        made = connection.execute(
            insert(ALERTS).values(
                key=cause.key, kind=cause.kind.value, table_name=cause.table,
                text=cause.text[:_MOST_TEXT], since_ms=cause.since_ms, opened_ms=now_ms,
                count=cause.count, step=0, step_ms=now_ms, answered_by="",
            )
        ).inserted_primary_key  # fmt: skip
        assert made is not None
        row = connection.execute(select(ALERTS).where(ALERTS.c.id == made[0])).mappings().one()
        _tell(connection, row, "opened", settings, now_ms)


def _one_at_a_time(connection: Connection) -> None:
    """Whoever judges or hands on waits for the other; SQLite lets one write anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _JUDGING})


def _is_nobodys(
    row: RowMapping, cause: Cause, there: Collection[str], settings: AlertSettings, now_ms: int
) -> bool:
    """Whether what somebody has in hand is in nobody's: they have left, it stays for too long, or
    what they answered is over and there is another trouble of the kind.
    """
    # Either way: a clock that was far ahead wrote when they answered.
    held_ms = abs(now_ms - row["answered_ms"])
    # What began later than now began by a clock that was set back since.
    is_another = _begins_again(cause) and row["answered_ms"] < cause.since_ms <= now_ms
    return row["answered_by"] not in there or held_ms >= settings.again_s * 1_000 or is_another


def _begins_again(cause: Cause) -> bool:
    """Whether its beginning tells it from another trouble of the kind."""
    return cause.kind in _BEGIN_AGAIN and cause.is_begin


def hand_on(
    connection: Connection, giver: str, taker: str, address: str, settings: AlertSettings,
    now_ms: int,
) -> None:  # fmt: skip
    """What one has in hand is another's, who takes the shift over; the audit has each."""
    _one_at_a_time(connection)
    query = select(ALERTS).where(_OPEN, ALERTS.c.answered_by == giver).order_by(ALERTS.c.id)
    for row in connection.execute(query).mappings().all():
        _change(
            connection, row, "answered", settings, now_ms, answered_by=taker, answered_ms=now_ms
        )
        about = f"{_about(row)}, of {giver}"
        record_act(connection, now_ms, taker, AuditAct.TOOK_ALERT, about, address)


def answer(
    connection: Connection, number: int, who: str, address: str, settings: AlertSettings,
    now_ms: int, *, fills_only: bool = False,
) -> AlertView | None:  # fmt: skip
    """Somebody has it in hand, which the audit has too; None: there is no such open alert.

    Who was quicker stays. `fills_only`: they are of the cage. Raises `NotTheirs`.
    """
    this = (ALERTS.c.id == number) & _OPEN
    kind = connection.execute(select(ALERTS.c.kind).where(this)).scalar()
    if fills_only and kind not in {None, AlertKind.FILL.value}:
        raise NotTheirs
    first = this & ALERTS.c.answered_ms.is_(None)
    values = {"answered_ms": now_ms, "answered_by": who}
    if connection.execute(update(ALERTS).where(first).values(values)).rowcount:
        row = connection.execute(select(ALERTS).where(this)).mappings().one()
        record_act(connection, now_ms, who, AuditAct.ANSWERED_ALERT, _about(row), address)
        _tell(connection, row, "answered", settings, now_ms)
    found = connection.execute(select(ALERTS).where(this)).mappings().first()
    return None if found is None else _view(found, settings)


def alerts(connection: Connection, settings: AlertSettings) -> list[AlertView]:
    """The open ones, those that nobody has answered first, then the oldest."""
    query = select(ALERTS).where(_OPEN).order_by(ALERTS.c.answered_ms.is_not(None), ALERTS.c.id)
    rows = connection.execute(query.limit(MOST_SHOWN)).mappings()
    return [_view(each, settings) for each in rows]


def ended_since(connection: Connection, settings: AlertSettings, since_ms: int) -> list[AlertView]:
    """Those that ended by themselves since then, the newest first."""
    query = select(ALERTS).where(ALERTS.c.ended_ms >= since_ms)
    rows = connection.execute(query.order_by(ALERTS.c.ended_ms.desc()).limit(20)).mappings()
    return [_view(each, settings) for each in rows]


def open_keys(connection: Connection) -> frozenset[str]:
    """The keys of causes that have an alert."""
    return frozenset(connection.execute(select(ALERTS.c.key).where(_OPEN)).scalars())


def counted(connection: Connection) -> dict[str, int]:
    """How many alerts are open, by kind."""
    query = select(ALERTS.c.kind, func.count()).where(_OPEN).group_by(ALERTS.c.kind)
    found = {each.kind: each[1] for each in connection.execute(query)}
    return {each.value: found.get(each.value, 0) for each in AlertKind}


def _change(
    connection: Connection, row: RowMapping, event: str, settings: AlertSettings, now_ms: int,
    **values: int | str | None,
) -> None:  # fmt: skip
    connection.execute(update(ALERTS).where(ALERTS.c.id == row["id"]).values(**values))
    changed = connection.execute(select(ALERTS).where(ALERTS.c.id == row["id"])).mappings().one()
    _tell(connection, changed, event, settings, now_ms)


def _tell(
    connection: Connection, row: RowMapping, event: str, settings: AlertSettings, now_ms: int
) -> None:
    """Queue messages to the receivers, in the transaction of the change that they report."""
    name = f"alert-{row['id']}-{row['opened_ms']}-{event}-{row['step']}"
    if event in _AGAIN:  # one alert may be answered and nobody's again, at one step
        name += f"-{now_ms}"
    message = AlertMessage(name, event, now_ms, _view(row, settings))
    for each in settings.receivers:
        # Whoever takes nothing is not told of that.
        if row["key"] != receiver_key(each):
            put_down(connection, message, each, row["id"], now_ms)


def _about(row: RowMapping) -> str:
    return f"alert {row['id']}, {row['kind']} {row['table_name']}".rstrip()


def _view(row: RowMapping, settings: AlertSettings) -> AlertView:
    kind: str = row["kind"]
    acts = settings.acts(AlertKind(kind), row["step"]) if kind in _KINDS else PitRole.ENGINEER
    return AlertView(
        row["id"], kind, row["table_name"], row["text"], acts.words,
        row["since_ms"], row["count"], row["step"],
        row["answered_by"], row["answered_ms"], row["ended_ms"],
    )  # fmt: skip
