"""The clocks of a table as a part of its rule sheet: how long players have, and what follows."""

from __future__ import annotations

from controller.rules.messages import Message, message
from controller.rules.sheets.sheet import Section
from controller.table.inputs import WindowTimes
from controller.table.views.english import say

MS_PER_S = 1_000


def clock_sections(times: WindowTimes | None) -> tuple[Section, ...]:
    """One section where any clock is set, none else."""
    lines = [] if times is None else list(_lines(times))
    if times is None or not lines:
        return ()
    return (
        Section(say(message("section-clocks")), (*map(say, lines), say(message("clock-of-table")))),
    )


def _lines(times: WindowTimes) -> list[Message]:
    found: list[Message] = []
    if times.bets_ms:
        found.append(message("clock-bets", time=_time(times.bets_ms)))
    if times.bets_ms and times.last_call_ms:
        found.append(message("clock-last-call", time=_time(times.last_call_ms)))
    if times.bets_ms and times.card_closes:
        found.append(message("clock-card-closes"))
    if times.decision_ms:
        found.append(message("clock-decision", time=_time(times.decision_ms)))
    if times.insurance_ms and times.insurance_ms != times.decision_ms:
        found.append(message("clock-insurance", time=_time(times.insurance_ms)))
    if times.decision_ms or times.insurance_ms:
        found.append(
            message("clock-no-answer", actions=times.no_answer)
            if times.no_answer
            else message("clock-waits")
        )
    return found


def _time(ms: int) -> str:
    return f"{ms / MS_PER_S:g} s"
