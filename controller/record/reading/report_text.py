"""A round as lines for people, and times as text."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from controller.devices.felt_view import HandView
from controller.record.reading.round_report import RoundReport
from controller.rules.actions import Place
from controller.rules.cards import card
from controller.rules.games.registry import game
from controller.rules.messages import Words
from controller.table.views.english import show
from controller.table.views.logbook import LogLine, span_message


def as_text(found: RoundReport) -> Iterator[str]:
    """A round as lines for people; times are those of the table's zone, which is said."""
    shown = found.replay
    void = ", void" if found.void else ""
    dummy = ", without bets" if shown.dummy else ""
    yield f"Round {shown.number} of {shown.game}{dummy}{void}; times of {found.zone}"
    log = deque(shown.log)
    for step in shown.steps:
        while log and log[0].at_ms <= step.at_ms:
            yield _logged(log.popleft(), found.zone)
        why = f" ({step.why})" if step.why else ""
        picture = f" [picture {step.picture}]" if step.picture else ""
        at = wall_text(step.at_ms, found.zone)
        yield f"{at}  {step.text}{why}, {_took(step.took_ms)}{picture}"
    for each in log:
        yield _logged(each, found.zone)
    if shown.steps:
        words = game(shown.rules.partition("/")[0]).words
        yield "On the felt:"
        for hand in (*shown.steps[-1].hands, shown.steps[-1].dealer):
            yield f"  {_felt(hand, words)}"
    for hidden in found.opened:
        kind = card(hidden.card).label(found.index) if hidden.card else "not read"
        yield f"Hidden: {kind} {hidden.where} (record {hidden.seq})"


def _logged(found: LogLine, zone: str) -> str:
    """A line of the logbook: set off from the steps by its marks."""
    picture = f" [picture {found.picture}]" if found.picture else ""
    return f"{wall_text(found.at_ms, zone)}  [{', '.join(found.marks)}] {found.text}{picture}"


def _took(ms: int) -> str:
    return f"after {show(span_message(ms))}"


def _felt(hand: HandView, words: Words) -> str:
    who = show(Place(hand.seat, hand.hand), words)
    cards = " ".join(each.label or "face down" for each in hand.cards)
    result = ", ".join(each for each in (hand.total, hand.note, hand.result, hand.net) if each)
    return f"{who}: {cards}{f' ({result})' if result else ''}"


def wall_time(at_ms: int, zone: str) -> datetime:
    """A wall time in an IANA time zone."""
    return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone))


def wall_text(at_ms: int, zone: str) -> str:
    """The same as text, to the millisecond and with its offset from UTC."""
    return wall_time(at_ms, zone).isoformat(" ", "milliseconds")


def clock(at_ms: int) -> str:
    """A wall time in UTC, to the millisecond."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03d}Z"
