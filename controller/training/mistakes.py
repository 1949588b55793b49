"""A dealer's mistakes, each from the record alone or against what the world knows (pure).

What the world did is no mistake; README.md says what is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from controller.rules.actions import Action, Place
from controller.rules.cards import card as card_of
from controller.rules.messages import Amount, Seat, Words, message
from controller.rules.script.steps import DECLINED, DONE
from controller.table import facts as f
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.views.english import show
from controller.training.kinds import EARLY
from controller.training.moments import Moment
from controller.training.world_list import BetsLie, FeltLies, Word

#: Refused, and no mistake: the press was for a picture that changed under the finger.
CROSSED: Final = frozenset({"table-has-moved-on"})
#: The world enters the players' chips itself, and nobody in a training is a pit or a device.
_NOT_THE_DEALERS: Final = frozenset(
    {"place_wager", "remove_wager", "repeat_wagers", "reading", "spot", "pit", "Reload",
     "RemoveDays"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake: its kind, what happened in words, and where: a record of a round (0: between).

    `trouble` is the number of the trouble that it answers, 0: none. `mended`: the dealer noticed it
    and put it right by himself.
    """

    kind: str
    text: str
    round: int
    seq: int
    at_ms: int
    trouble: int = 0
    mended: bool = False


def early_cards(moments: Iterable[Moment]) -> Iterator[Mistake]:
    """Cards that were drawn before the display asked for them."""
    for each in moments:
        if isinstance(each.fact, f.HoldRaised) and each.reason in EARLY:
            yield _at(each, "early card", each.text)


def closed_early(
    moments: Iterable[Moment], bets: Iterable[BetsLie], game: Words
) -> Iterator[Mistake]:
    """Bets that were closed while chips lay there that had not been entered."""
    lay = list(bets)
    for each in moments:
        if not isinstance(each.fact, f.BetsClosed):
            continue
        before = [one for one in lay if one.seq < each.seq]
        entered = {seat for seat, _ in each.fact.wagers}
        missing = sorted(set(before[-1].seats) - entered) if before else []
        if missing:
            seats = tuple(Seat(seat) for seat in missing)
            said = message("bets-closed-before", seats=seats)
            yield _at(each, "bets closed early", show(said, game))


def refused(moments: Iterable[Moment]) -> Iterator[tuple[Moment, str, str]]:
    """What the dealer pressed and the table refused: the moment, the press, the rule's code."""
    for each in moments:
        if not isinstance(each.fact, f.Refused):
            continue
        what, _, source = each.fact.what.partition(":")
        if what not in _NOT_THE_DEALERS:
            yield each, source or what, each.fact.why.code


def refusals(moments: Iterable[Moment]) -> Iterator[Mistake]:
    """Presses that the table refused, but for those that crossed with something else.

    The same again at once, and nothing else between, is one.
    """
    rows: list[list[Moment]] = []
    for each, _, code in refused(moments):
        last = rows[-1][-1] if rows else None
        if code in CROSSED:
            continue
        if last is not None and (last.seq + 1, last.fact) == (each.seq, each.fact):
            rows[-1].append(each)
        else:
            rows.append([each])
    for row in rows:
        said = message("refused-times", text=row[0].text, times=len(row))
        yield _at(row[0], "refused press", show(said) if len(row) > 1 else row[0].text)


def undone(moments: Iterable[Moment]) -> Iterator[Mistake]:
    """Resolutions that the dealer took back."""
    for each in moments:
        if isinstance(each.fact, f.ResolutionUndone):
            yield _at(each, "touched by mistake", each.text, mended=True)


def wrong_words(moments: Sequence[Moment], words: Sequence[Word], game: Words) -> Iterator[Mistake]:
    """Decisions that are on record otherwise than the player said them."""
    for at, each in enumerate(moments):
        done = _decision(each.fact)
        if done is None:
            continue
        place, name, amount = done
        said = _said_before(words, each, place)
        if said is None or (said.said, said.amount) == (name, amount):
            continue
        note = message(
            "said-otherwise", place=place,
            said=_spoken(said.said, said.amount), done=_spoken(name, amount),
        )  # fmt: skip
        yield _at(
            each,
            "wrong decision",
            show(note, game),
            mended=_taken_back(moments[at + 1 :], each.round),
        )


def _decision(fact: f.Fact) -> tuple[Place, str, int | None] | None:
    if isinstance(fact, f.Decided):
        return Place(fact.seat, fact.hand), fact.action.value, fact.amount
    if isinstance(fact, f.WagerAdded):
        return Place(fact.seat, fact.hand), DONE.value, None
    if isinstance(fact, f.WagerDeclined):
        return Place(fact.seat, fact.hand), DECLINED.value, None
    return None


def _said_before(words: Iterable[Word], moment: Moment, place: Place) -> Word | None:
    """The player's last word before that record, in its round."""
    found = [
        each
        for each in words
        if (each.round, each.seat, each.hand) == (moment.round, *place) and each.seq < moment.seq
    ]
    return found[-1] if found else None


def _spoken(name: str, amount: int | None) -> str:
    words = {each.value: show(each) for each in Action} | {
        DONE.value: show(message("word-done")),
        DECLINED.value: show(message("word-declined")),
    }
    word = words.get(name, name)
    if amount is None:
        return word
    return show(message("spoken-amount", word=word, amount=Amount(amount)))


def _taken_back(later: Iterable[Moment], round_: int) -> bool:
    """Whether a decision was taken back before anything else of its round was dealt or decided."""
    for each in later:
        if isinstance(each.fact, f.HoldReleased) and each.fact.resolution is Resolution.TAKE_BACK:
            return True
        if isinstance(each.fact, f.RoundFact) or each.round not in (0, round_):
            return False
    return False


def wrong_cards(
    moments: Sequence[Moment], felts: Iterable[FeltLies], game: Words
) -> Iterator[Mistake]:
    """Cards that are on record otherwise than they lay on the felt when their round was over."""
    lay = {each.round: each for each in felts}
    for at, each in enumerate(moments):
        if not isinstance(each.fact, f.RoundEnded) or each.fact.number not in lay:
            continue
        corrected = any(
            isinstance(later.fact, f.RoundCorrected) and later.fact.number == each.fact.number
            for later in moments[at + 1 :]
        )
        dealt = [one for one in moments[:at] if one.round == each.fact.number]
        for place, recorded, lies in _differences(each, lay[each.fact.number]):
            where = _entered(dealt, place, recorded) or each
            said = message(
                "lay-otherwise", place=place,
                lies=_card(lies, game), recorded=_card(recorded, game),
            )  # fmt: skip
            yield _at(where, "wrong card", show(said, game), mended=corrected)


def _differences(ended: Moment, lay: FeltLies) -> Iterator[tuple[Place, str, str]]:
    """Where record and felt differ: the card on record, and the one that lay there ("": none)."""
    by_place = lay.by_place
    recorded = dict(ended.hands)
    for place in sorted({*recorded, *by_place}):
        mine, theirs = recorded.get(place, ()), by_place.get(place, ())
        for nth in range(max(len(mine), len(theirs))):
            one = mine[nth] if nth < len(mine) else None
            other = theirs[nth] if nth < len(theirs) else None
            hidden = "" in (one, other)
            if one != other and not hidden:
                yield place, one or "", other or ""


def _entered(dealt: Sequence[Moment], place: Place, code: str) -> Moment | None:
    """Where the dealer entered that card by hand, at that seat."""
    for each in reversed(dealt):
        match each.fact:
            case f.CardTurned(seat=seat, card=card, nonce=""):
                if (seat, card.code) == (place.seat, code):
                    return each
            case f.CardDealt(source=by, seat=seat, card=card) if by == ENTERED_BY_HAND:
                if (seat, card.code) == (place.seat, code):
                    return each
    return None


def _card(code: str, game: Words) -> str:
    if not code:
        return show(message("card-none"))
    return show(message("card-named", card=card_of(code)), game)


def voids(moments: Iterable[Moment], others: Iterable[Mistake]) -> Iterator[Mistake]:
    """Rounds that were voided though nothing of the dealer's own had gone wrong in them before, and
    no hidden card was seen.
    """
    spoilt = {(each.round, each.seq) for each in others if not each.mended}
    for each in moments:
        if isinstance(each.fact, f.HoldRaised) and each.reason is Reason.EXPOSED:
            spoilt.add((each.round, each.seq))
        if not isinstance(each.fact, f.RoundVoided | f.SettledRoundVoided):
            continue
        number = each.fact.number
        if not any(round_ == number and seq < each.seq for round_, seq in spoilt):
            yield _at(each, "voided", show(message("voided-in-vain", number=number)))


def _at(moment: Moment, kind: str, text: str, *, mended: bool = False) -> Mistake:
    return Mistake(kind, text, moment.round, moment.seq, moment.at_ms, mended=mended)
