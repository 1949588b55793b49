"""How long a dealer took to answer, by what the display asked (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.views.english import show
from controller.training.moments import Moment

#: The kinds of prompts that name a hand or a number, in words that name none.
_CALLED: Final[Mapping[str, Message]] = {
    "card-to": message("asks-card-to"),
    "card-face-down-to": message("asks-card-face-down"),
    "hand-must": message("asks-forced-card"),
    "dealer-draws": message("asks-dealer-draws"),
    "hand": message("asks-choice"),
    "hand-shows": message("asks-cards-shown"),
    "place-bets": message("asks-close-bets"),
    "place-antes": message("asks-close-bets"),
    "pay-hand": message("asks-pay"),
    "pay-from-the-pot": message("asks-pay-pot"),
    "take-from": message("asks-take"),
    "take-half-of": message("asks-take-half"),
    "hand-pushes": message("asks-push"),
    "burn-a-card": message("asks-burn"),
    "burn-cards": message("asks-burn-cards"),
    "seat-doubles": message("asks-double"),
    "seat-splits": message("asks-split"),
    "seat-insures": message("asks-insurance"),
    "seat-adds": message("asks-further-chips"),
}


#: A device that was away is back, or the service.
BACK: Final = (f.DeviceUp, f.ServiceStarted)


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """How often a kind of prompt was answered, and how long that took, in milliseconds.

    `p50_ms` is the middle one, of an even number the lower of the two; `worst_seq` the record of
    the slowest, of round `worst_round`.
    """

    kind: str
    name: str
    count: int
    p50_ms: int
    worst_ms: int
    worst_seq: int
    worst_round: int


def answer_times(
    moments: Iterable[Moment], pauses: Iterable[tuple[int, int | None]] = ()
) -> tuple[AnswerTimes, ...]:
    """The times of each kind of prompt, the slowest kind first.

    What was asked while the world stood still for a while (`pauses`) is left out.
    """
    found: dict[str, list[Moment]] = {}
    for each in _answered(moments, pauses):
        found.setdefault(each.asked.code if each.asked else "", []).append(each)
    times = (_times(kind, answered) for kind, answered in found.items())
    return tuple(sorted(times, key=lambda each: (-each.p50_ms, each.kind)))


@dataclass(frozen=True, slots=True)
class AllAnswers:
    """The same over all kinds: how many answers, the middle one, the slowest and what was asked."""

    count: int = 0
    p50_ms: int = 0
    worst_ms: int = 0
    worst: str = ""


def all_answers(
    moments: Iterable[Moment],
    times: Iterable[AnswerTimes],
    pauses: Iterable[tuple[int, int | None]] = (),
) -> AllAnswers:
    """All answers in one, of the kinds in `times`; nothing where there were none."""
    kinds = tuple(times)
    if not kinds:
        return AllAnswers()
    waits = sorted(each.waited_ms or 0 for each in _answered(moments, pauses))
    slowest = max(kinds, key=lambda each: each.worst_ms)
    return AllAnswers(len(waits), _middle(waits), slowest.worst_ms, slowest.name)


def _answered(
    moments: Iterable[Moment], pauses: Iterable[tuple[int, int | None]]
) -> Iterator[Moment]:
    """The moments that answer something, and no pause falls into."""
    spans = tuple(pauses)
    for each in _could_answer(moments):
        if each.asked is None or each.waited_ms is None:
            continue
        if not _pauses_in(each.at_ms - each.waited_ms, each.at_ms, spans):
            yield each


def _middle(waits: Sequence[int]) -> int:
    """The middle one of what is sorted, of an even number the lower of the two."""
    return waits[(len(waits) - 1) // 2]


def _could_answer(moments: Iterable[Moment]) -> Iterator[Moment]:
    """The same, waited for from when the dealer could answer: a device that was away is back, and
    to close the bets the last chips lie there, which are the players'.
    """
    chips_ms = back_ms = 0
    for each in moments:
        if isinstance(each.fact, f.WagerPlaced | f.WagerRemoved):
            chips_ms = each.at_ms
        elif isinstance(each.fact, BACK):
            back_ms = each.at_ms
        if each.waited_ms is None:
            yield each
            continue
        could_ms = max(back_ms, chips_ms if isinstance(each.fact, f.BetsClosed) else 0)
        yield each._replace(waited_ms=max(0, min(each.waited_ms, each.at_ms - could_ms)))


def _pauses_in(since_ms: int, until_ms: int, pauses: Iterable[tuple[int, int | None]]) -> bool:
    return any(began < until_ms and (ended is None or ended > since_ms) for began, ended in pauses)


def _times(kind: str, answered: list[Moment]) -> AnswerTimes:
    waits = sorted(each.waited_ms or 0 for each in answered)
    worst = max(answered, key=lambda each: each.waited_ms or 0)
    first = answered[0].asked
    called = _CALLED.get(kind)
    name = show(called) if called else first.lead if first else kind
    return AnswerTimes(kind, name, len(waits), _middle(waits), waits[-1], worst.seq, worst.round)
