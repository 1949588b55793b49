"""The report of a training: from the record's moments and the world's list, and nothing else.

Pure: the same record and list give the same report, whenever it is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from controller.rules.games.registry import game as game_called
from controller.rules.messages import Words, message
from controller.table import facts as f
from controller.table.views.english import show
from controller.training.answers import AllAnswers, AnswerTimes, all_answers, answer_times
from controller.training.judged import OPEN, RIGHT, WRONG, JudgedTrouble, Judgement, judge
from controller.training.mistakes import (
    Mistake,
    closed_early,
    early_cards,
    refusals,
    refused,
    undone,
    voids,
    wrong_cards,
    wrong_words,
)
from controller.training.moments import Moment
from controller.training.world_list import WorldList

_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class RefusedPress:
    """How often a press was refused, by the rule's code; `text` is the newest refusal in words."""

    press: str
    code: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What came of a training. Times in milliseconds, wall times since the epoch.

    `rounds` were played to their end, `void` beside them; `played_ms` is from the first open bets
    to the end of the last round, pauses left out, and `pace` what that comes to in rounds an hour
    (None before the first), `target` what is asked for. `trouble` is how much of it there was at
    the end. `over`: the rounds or minutes that were asked for are over. `last_seq` is the newest
    record that was read.
    """

    game: str
    title: str
    seats: int
    seed: int
    trouble: str
    service: str
    began_ms: int
    until_ms: int
    last_seq: int
    over: bool
    rounds: int
    void: int
    played_ms: int
    pace: float | None
    target: float
    early_cards: int
    refused: tuple[RefusedPress, ...]
    answers: tuple[AnswerTimes, ...]
    all_answers: AllAnswers
    troubles: tuple[JudgedTrouble, ...]
    procedures_right: int
    procedures_wrong: int
    mistakes: tuple[Mistake, ...]


def report(moments: Sequence[Moment], world: WorldList) -> TrainingReport:
    """The report of what those records and that list say."""
    began, over = world.began, world.over
    covered = [each for each in moments if over is None or each.seq <= over.seq]
    words = game_called(began.game).words
    mistakes, judged = _judged(covered, world, words)
    ended = [each for each in covered if isinstance(each.fact, f.RoundEnded) and not each.dummy]
    times = answer_times(covered, world.pauses)
    played_ms = _played_ms(covered, ended, world.pauses)
    return TrainingReport(
        game=began.game, title=began.title, seats=began.seats, seed=began.seed,
        trouble=world.trouble_at_end, service=began.service, began_ms=began.at_ms,
        until_ms=covered[-1].at_ms if covered else began.at_ms,
        last_seq=covered[-1].seq if covered else 0,
        over=over is not None, rounds=len(ended),
        void=sum(isinstance(each.fact, f.RoundVoided) for each in covered),
        played_ms=played_ms,
        pace=round(len(ended) * _HOUR_MS / played_ms, 1) if ended and played_ms else None,
        target=began.target,
        early_cards=sum(each.kind == "early card" for each in mistakes),
        refused=_refused(covered), answers=times,
        all_answers=all_answers(covered, times, world.pauses),
        troubles=tuple(each.trouble for each in judged),
        procedures_right=_verdicts(judged, RIGHT), procedures_wrong=_verdicts(judged, WRONG),
        mistakes=mistakes,
    )  # fmt: skip


def _verdicts(judged: Iterable[Judgement], verdict: str) -> int:
    return sum(each.trouble.verdict == verdict for each in judged)


def _judged(
    covered: Sequence[Moment], world: WorldList, words: Words
) -> tuple[tuple[Mistake, ...], list[Judgement]]:
    """All mistakes in order, each with the trouble that it answers; and the troubles judged."""
    found = [
        *chain(
            early_cards(covered), closed_early(covered, world.bets, words), refusals(covered),
            undone(covered),
            wrong_words(covered, world.words, words), wrong_cards(covered, world.felts, words),
        )
    ]  # fmt: skip
    judged = judge(world.troubles, covered, found)
    found += voids(covered, found)
    placed = [replace(each, trouble=_trouble_of(each, judged)) for each in found]
    named = {each.trouble for each in placed if not each.mended}
    for each in judged:
        if each.procedure is not None and each.trouble.number not in named:
            placed.append(_procedure(each, each.procedure))
    return tuple(sorted(placed, key=lambda each: (each.seq, each.kind))), judged


def _trouble_of(mistake: Mistake, judged: Iterable[Judgement]) -> int:
    """The trouble that a mistake answers: the newest wrong one in whose time it was made."""
    numbers = [
        each.trouble.number
        for each in judged
        if each.trouble.verdict == WRONG and each.first < mistake.seq <= each.last
    ]
    return numbers[-1] if numbers else 0


def _procedure(judgement: Judgement, at: Moment) -> Mistake:
    trouble = judgement.trouble
    text = show(
        message("procedure-was-wrong", did=trouble.did, answered=at.text, right=trouble.why)
    )
    return Mistake("wrong procedure", text, trouble.round, at.seq, at.at_ms, trouble.number)


def _refused(covered: Iterable[Moment]) -> tuple[RefusedPress, ...]:
    counted: Counter[tuple[str, str]] = Counter()
    texts: dict[tuple[str, str], str] = {}
    for each, press, code in refused(covered):
        counted[press, code] += 1
        texts[press, code] = each.text
    return tuple(
        RefusedPress(press, code, count, texts[press, code])
        for (press, code), count in sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    )


def _played_ms(
    covered: Sequence[Moment], ended: Sequence[Moment], pauses: Iterable[tuple[int, int | None]]
) -> int:
    """From the first open bets to the end of the last round, without the pauses."""
    since = next((each.at_ms for each in covered if each.betting), None)
    if since is None or not ended:
        return 0
    until = ended[-1].at_ms
    still = sum(
        max(0, min(until, until if end is None else end) - max(since, begin))
        for begin, end in pauses
    )
    return max(0, until - since - still)


__all__ = ["OPEN", "RefusedPress", "TrainingReport", "report"]
