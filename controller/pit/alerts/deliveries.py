"""What receivers of alerts are to be told, in the database: sent, put off, left, sent again."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from controller.pit.alerts.schema import DELIVERIES
from controller.pit.wall.alert_view import AlertView, Waiting

#: Messages that wait for one receiver; of further alerts the wall alone speaks.
MOST_WAITING: Final = 500
#: Between two tries of a message it is waited for so long at most.
LONGEST_MS: Final = 10 * 60_000
#: Messages of one receiver that were left: the oldest goes for a new one.
MOST_LEFT: Final = 200
_MOST_ANSWER: Final = 200
_WAITS: Final = DELIVERIES.c.left_ms.is_(None)


class AlertMessage(Struct, frozen=True):
    """A message to a receiver: `id` is the same for every try, `event` what became of the alert."""

    id: str
    event: str
    at_ms: int
    alert: AlertView


class Delivery(Struct, frozen=True):
    """A message that is to be sent to a receiver, and how often that was tried."""

    number: int
    message: str
    receiver: str
    body: str
    tries: int


class Undelivered(Struct, frozen=True):
    """A message that a receiver did not take, and that is tried no more by itself.

    `event` is what became of the alert `alert`, whose text is `text`. It waited since `since_ms`,
    was tried `tries` times, the last time at `left_ms`, when `answer` came of it.
    """

    number: int
    receiver: str
    alert: int
    event: str
    text: str
    since_ms: int
    tries: int
    left_ms: int
    answer: str


def put_down(
    connection: Connection, message: AlertMessage, receiver: str, alert: int, now_ms: int
) -> None:
    """Let a receiver be told, unless too much waits for it."""
    waiting = select(func.count()).where(_WAITS, DELIVERIES.c.receiver == receiver)
    if connection.execute(waiting).scalar_one() >= MOST_WAITING:
        return
    body = msgspec.json.encode(message).decode()
    connection.execute(
        insert(DELIVERIES).values(
            message=message.id, receiver=receiver, body=body, alert_id=alert, tries=0,
            next_ms=now_ms, first_ms=now_ms,
        )
    )  # fmt: skip


def due(connection: Connection, receiver: str, now_ms: int, most: int) -> list[Delivery]:
    """What is to be sent to a receiver now, the oldest first."""
    # Nothing is put off for longer than that, but by a clock that was far ahead.
    is_due = ~DELIVERIES.c.next_ms.between(now_ms + 1, now_ms + LONGEST_MS)
    this = (_WAITS, DELIVERIES.c.receiver == receiver, is_due)
    query = select(DELIVERIES).where(*this).order_by(DELIVERIES.c.id)
    return [
        Delivery(each.id, each.message, each.receiver, each.body, each.tries)
        for each in connection.execute(query.limit(most))
    ]


def sent(connection: Connection, number: int) -> None:
    """A receiver has the message."""
    connection.execute(delete(DELIVERIES).where(DELIVERIES.c.id == number))


def put_off(connection: Connection, number: int, tries: int, next_ms: int, answer: str) -> None:
    """Try again then."""
    _change(connection, number, tries=tries, next_ms=next_ms, answer=answer[:_MOST_ANSWER])


def leave(connection: Connection, delivery: Delivery, tries: int, now_ms: int, answer: str) -> None:
    """Try it no more: people do, once they have looked at the receiver."""
    answer = answer[:_MOST_ANSWER]
    _change(connection, delivery.number, tries=tries, left_ms=now_ms, answer=answer)
    left = select(DELIVERIES.c.id).where(~_WAITS, DELIVERIES.c.receiver == delivery.receiver)
    old = connection.scalars(left.order_by(DELIVERIES.c.id.desc()).offset(MOST_LEFT))
    connection.execute(delete(DELIVERIES).where(DELIVERIES.c.id.in_(list(old))))


def undelivered(connection: Connection, most: int) -> list[Undelivered]:
    """What was left, the newest first."""
    query = select(DELIVERIES).where(~_WAITS).order_by(DELIVERIES.c.id.desc()).limit(most)
    found = []
    for each in connection.execute(query):
        message = msgspec.json.decode(each.body, type=AlertMessage)
        found.append(
            Undelivered(
                each.id, each.receiver, each.alert_id, message.event, message.alert.text,
                each.first_ms or message.at_ms, each.tries, each.left_ms, each.answer,
            )
        )  # fmt: skip
    return found


def send_again(connection: Connection, number: int, now_ms: int) -> str:
    """Try what was left from the beginning; its receiver, empty: there is no such message."""
    receiver = _receiver(connection, number)
    if receiver:
        _change(connection, number, tries=0, next_ms=now_ms, left_ms=None)
    return receiver


def drop(connection: Connection, number: int) -> str:
    """Forget what was left; its receiver, empty: there is no such message."""
    receiver = _receiver(connection, number)
    if receiver:
        sent(connection, number)
    return receiver


def by_receiver(connection: Connection) -> dict[str, Waiting]:
    """What waits and what was left, by the names of receivers that have something."""
    counted: ColumnElement[int] = func.count()
    query = select(DELIVERIES.c.receiver, _WAITS, counted).group_by(DELIVERIES.c.receiver, _WAITS)
    found: dict[str, Waiting] = {}
    for receiver, waits, count in connection.execute(query):
        known = found.get(receiver, Waiting())
        found[receiver] = (
            Waiting(count, known.left) if waits else Waiting(known.waiting, count)
        )  # fmt: skip
    return found


def _receiver(connection: Connection, number: int) -> str:
    query = select(DELIVERIES.c.receiver).where(DELIVERIES.c.id == number, ~_WAITS)
    return str(connection.scalar(query.with_for_update()) or "")


def _change(connection: Connection, number: int, **values: str | int | None) -> None:
    connection.execute(update(DELIVERIES).where(DELIVERIES.c.id == number).values(values))
