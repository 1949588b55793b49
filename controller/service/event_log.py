"""What changes at the table, for the service's log: holds, alarms, rounds, the gaming day.

The record is the truth; this is for whoever reads the log of a night. It names reasons and
numbers, never a card.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from controller.service.loop import Service
from controller.table.state.state import State

log = logging.getLogger(__name__)


def where(service: Service) -> dict[str, str | int]:
    """Where the table is: its name, the round in play and the seat whose turn it is."""
    found: dict[str, str | int] = {"table": service.setup.table}
    state = service.state
    if state is not None and state.in_play is not None:
        found["round"] = state.in_play.number
        hand = getattr(state.step, "hand", None)
        if hand is not None and hand.place.seat:
            found["seat"] = hand.place.seat
    return found


async def log_changes(service: Service) -> None:
    """Log what changes until the service closes."""
    before = service.state
    async for _ in service.changes():
        after = service.state
        if after is not None and after is not before:
            for level, line in changes(before, after):
                log.log(level, line)
            before = after


def changes(before: State | None, after: State) -> Iterator[tuple[int, str]]:
    """The log lines for the change between two states: level and text."""
    known = {each.number: each for each in before.holds} if before else {}
    there = {each.number: each for each in after.holds}
    for number, hold in there.items():
        if number not in known:
            yield logging.WARNING, f"hold {number} is open: {hold.reason.value}"
    for number, hold in known.items():
        if number not in there:
            yield logging.INFO, f"hold {number} is released: {hold.reason.value}"
    levels = {each.number: each.level for each in before.alarms} if before else {}
    for alarm in after.alarms:
        if alarm.number in levels and levels[alarm.number] is not alarm.level:
            called = f"{alarm.trouble.value} {alarm.about}"
            yield logging.WARNING, f"alarm {alarm.number} calls further: {called}"
    if before is None:
        return
    if after.counts.rounds != before.counts.rounds:
        yield logging.INFO, f"round {after.counts.rounds} began"
    elif before.in_play is not None and after.in_play is None:
        yield logging.INFO, f"round {before.in_play.number} is over"
    if after.terms.setup_seq != before.terms.setup_seq:
        seq = after.terms.setup_seq
        yield logging.WARNING, f"the table runs by another setup from record {seq} on"
    if before.day and after.day and before.day.label != after.day.label:
        yield logging.INFO, f"gaming day {before.day.label} is closed, {after.day.label} begins"
