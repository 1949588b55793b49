"""Each trouble that the world made, and how the dealer answered it (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from controller.rules.messages import message
from controller.table import facts as f
from controller.table.irregularities.holds import STAYS_OPEN, Reason
from controller.table.views.english import say, show
from controller.training.hold_answers import (
    DOES,
    VOIDS,
    is_about,
    is_right,
    numbers_of,
    settleable_ms,
    settled_at,
    standing,
)
from controller.training.kinds import TroubleKind, trouble_kind
from controller.training.mistakes import Mistake
from controller.training.moments import Moment
from controller.training.world_list import MadeTrouble

RIGHT: Final = "right"
WRONG: Final = "wrong"
OPEN: Final = "open"

_ENDS: Final = (f.RoundEnded, f.RoundVoided)
#: Wishes that the record can give in to; by others a card is drawn.
_WISHES_TO_REFUSE: Final = ("pay_wish", "late_chips")
#: Who has begun to go on cannot hear it in time.
REACTION_MS: Final = 1_500


@dataclass(frozen=True, slots=True)
class JudgedTrouble:
    """A trouble: what the world `did`, the display `asked`, the dealer `answered`, the `verdict`.

    `verdict` is right, wrong, or open where it is not over; `why` says what is right where it was
    not. `took_ms` is from the display's question to its settlement, None where it asked nothing.
    `seq` is the record at which it shows, `round` the round, 0 between rounds.
    """

    number: int
    kind: str
    did: str
    round: int
    seq: int
    asked: str
    answered: tuple[str, ...]
    verdict: str
    why: str
    took_ms: int | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged trouble; `first` and `last` are the records between which mistakes belong to it.

    `procedure` is where it was answered otherwise than is right, None where it was not.
    """

    trouble: JudgedTrouble
    first: int
    last: int
    procedure: Moment | None = None


def judge(
    troubles: Iterable[MadeTrouble], moments: Sequence[Moment], mistakes: Sequence[Mistake]
) -> list[Judgement]:
    """Every trouble judged, in order; `mistakes` are those that are known without it."""
    taken: set[int] = set()
    return [_judged(each, moments, mistakes, taken) for each in troubles]


def _judged(
    trouble: MadeTrouble, moments: Sequence[Moment], mistakes: Sequence[Mistake], taken: set[int]
) -> Judgement:
    kind = trouble_kind(trouble.kind)
    after = [each for each in moments if each.seq > trouble.seq]
    if kind.wish:
        return _wish(trouble, kind, after, mistakes)
    if kind.until:
        return _reported(trouble, kind, after, mistakes, taken)
    window, over = _until(after, lambda each: isinstance(each.fact, _ENDS))
    raised = next((each for each in window if _is_of(each, kind, taken)), None)
    if raised is None:
        return _silent(trouble, kind, window, mistakes, over=over)
    rest = [each for each in after if each.seq > raised.seq]
    return _held(trouble, kind, raised, rest, mistakes, taken)


def _is_of(moment: Moment, kind: TroubleKind, taken: set[int]) -> bool:
    fact = moment.fact
    return isinstance(fact, f.HoldRaised) and fact.reason in kind.holds and fact.number not in taken


def _until(after: Sequence[Moment], ends: Callable[[Moment], bool]) -> tuple[list[Moment], bool]:
    """The moments up to the first that `ends` them, it included; whether there is one."""
    for at, each in enumerate(after):
        if ends(each):
            return list(after[: at + 1]), True
    return list(after), False


def _silent(
    trouble: MadeTrouble,
    kind: TroubleKind,
    window: list[Moment],
    mistakes: Sequence[Mistake],
    *,
    over: bool,
) -> Judgement:
    """The table asked nothing: it goes on by itself. A hidden card is entered at its reveal."""
    voided = next((each for each in window if isinstance(each.fact, VOIDS)), None)
    last = window[-1].seq if window else trouble.seq
    entered = bool(kind.answers) and any(
        each.kind == "wrong card" and trouble.seq < each.seq <= last for each in mistakes
    )
    bad = voided is not None or entered
    verdict = WRONG if bad else RIGHT if over else OPEN
    shown = _shown(window, trouble)
    answered = _answers(window) if voided else (show(message("dealt-on")),) if over else ()
    judged = JudgedTrouble(
        trouble.number, trouble.kind, say(kind.did), _round(trouble, window), shown,
        show(message("asked-nothing")), answered, verdict, say(kind.right) if bad else "", None,
    )  # fmt: skip
    return Judgement(judged, trouble.seq, last, voided)


def _reported(
    trouble: MadeTrouble,
    kind: TroubleKind,
    after: list[Moment],
    mistakes: Sequence[Mistake],
    taken: set[int],
) -> Judgement:
    """Something that the dealer has to report: to go on without a word is wrong."""
    window, over = _until(after, lambda each: isinstance(each.fact, kind.until))
    raised = next((each for each in window if _is_of(each, kind, taken)), None)
    if raised is not None:
        rest = [each for each in after if each.seq > raised.seq]
        return _held(trouble, kind, raised, rest, mistakes, taken)
    went_on = window[-1] if over else None
    bad = went_on is not None and went_on.at_ms - trouble.at_ms >= REACTION_MS
    judged = JudgedTrouble(
        trouble.number, trouble.kind, say(kind.did), _round(trouble, window),
        _shown(window, trouble), show(message("asked-nothing")),
        (went_on.text,) if went_on else (), WRONG if bad else RIGHT if over else OPEN,
        say(kind.right) if bad else "", None,
    )  # fmt: skip
    last = went_on.seq if went_on else trouble.seq
    return Judgement(judged, trouble.seq, last, went_on if bad else None)


def _held(
    trouble: MadeTrouble,
    kind: TroubleKind,
    raised: Moment,
    after: list[Moment],
    mistakes: Sequence[Mistake],
    taken: set[int],
) -> Judgement:
    """The table stopped over it: by which resolution, and does what was entered lie there?"""
    window, _ = _until(after, lambda each: isinstance(each.fact, _ENDS))
    numbers = numbers_of(raised, window)
    taken |= numbers
    settled = settled_at(window, numbers)
    last = settled.seq if settled else window[-1].seq if window else raised.seq
    done = [each for each in window if each.seq <= last and is_about(each, numbers)]
    wrong = next((each for each in standing(done) if not is_right(each, kind)), None)
    entered = [
        each for each in mistakes if each.kind == "wrong card" and raised.seq < each.seq <= last + 1
    ]
    bad = wrong is not None or bool(entered)
    verdict = WRONG if bad else RIGHT if settled else OPEN
    took = settled.at_ms - settleable_ms(raised, window, settled) if settled else None
    judged = JudgedTrouble(
        trouble.number, trouble.kind, say(kind.did), raised.round or trouble.round, raised.seq,
        raised.text, _answers(done), verdict, say(kind.right) if bad else "", took,
    )  # fmt: skip
    return Judgement(judged, trouble.seq, max(last + 1, trouble.seq), wrong)


def _wish(
    trouble: MadeTrouble, kind: TroubleKind, after: list[Moment], mistakes: Sequence[Mistake]
) -> Judgement:
    """A player wished something: it must not be done until the question of then is answered."""
    granting_is_recorded = trouble.kind in _WISHES_TO_REFUSE
    window, over = _until(after, lambda each: _answers_wish(each, trouble))
    if granting_is_recorded:
        done = next((each for each in window if _gave_in(each, trouble)), None)
    else:
        early = {each.seq for each in mistakes if each.kind == "early card"}
        done = next((each for each in window if each.seq in early), None)
    last = window[-1].seq if window else trouble.seq
    asked = next((each.asked.text for each in window if each.asked is not None), "")
    settled = window[-1] if over and window else None
    verdict = WRONG if done else RIGHT if over else OPEN
    answered = (done.text,) if done else ((settled.text,) if settled else ())
    # Of chips that came too late the display asks nothing.
    asks = trouble.kind != "late_chips"
    took = max(0, settled.at_ms - trouble.at_ms) if settled and asks else None
    shown = done.seq if done else _shown(window, trouble)
    judged = JudgedTrouble(
        trouble.number, trouble.kind, say(kind.did), _round(trouble, window), shown, asked,
        answered, verdict, say(kind.right) if done else "", took,
    )  # fmt: skip
    return Judgement(judged, trouble.seq, last, done if granting_is_recorded else None)


def _answers_wish(moment: Moment, trouble: MadeTrouble) -> bool:
    fact = moment.fact
    if isinstance(fact, _ENDS):
        return True
    if trouble.kind == "early_wish":
        return isinstance(fact, f.BetsClosed)
    return isinstance(fact, f.HandSettled) and trouble.seat in (0, fact.seat)


def _gave_in(moment: Moment, trouble: MadeTrouble) -> bool:
    """Whether the dealer let the record say what the player wished."""
    if isinstance(moment.fact, f.HoldRaised):
        return moment.reason is Reason.PAYOUT and trouble.kind == "pay_wish"
    return isinstance(moment.fact, (*VOIDS, f.RoundCorrected))


def _answers(done: Iterable[Moment]) -> tuple[str, ...]:
    return tuple(each.text for each in done if isinstance(each.fact, DOES) and _says_more(each))


def _says_more(moment: Moment) -> bool:
    """Whether it says more than its release does: what was chosen of a hold that stays open."""
    return not isinstance(moment.fact, f.ResolutionChosen) or moment.reason in STAYS_OPEN


def _shown(window: Sequence[Moment], trouble: MadeTrouble) -> int:
    return window[0].seq if window else trouble.seq


def _round(trouble: MadeTrouble, window: Sequence[Moment]) -> int:
    return trouble.round or next((each.round for each in window if each.round), 0)
