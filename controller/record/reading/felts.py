"""The felt of a round after each of its records, told by these records alone. Pure.

What became of the hands stands in the facts: no rule is asked, and no state before the round is
needed. So an archive tells rounds, which keeps records and no states. A card that stayed face down
shows its back: no opening is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from controller.devices.felt_view import GameWords, HandView
from controller.record.reading.replay import UNFIT
from controller.rules.cards import IndexStyle
from controller.rules.frozen import frozen
from controller.rules.games.registry import UnknownGame
from controller.rules.games.registry import game as game_called
from controller.rules.messages import Amount
from controller.table import facts as f
from controller.table.evolve.round import begun_round, corrected_round, step_of
from controller.table.facts import Record
from controller.table.growing import changed
from controller.table.recorded.round import RecordedRound
from controller.table.recorded.steps import RecordedStep
from controller.table.state.phases import Impossible
from controller.table.views.english import show
from controller.table.views.parts.hands import hand_views, one_hand_view
from controller.table.views.replay import step_text, turn_before
from controller.table.views.scene import pot_of, words_view


class NotTold(ValueError):
    """The records do not say a round that this software can lay out; the text says why."""


@frozen
class FeltAfter:
    """The hands after record `seq` of a round.

    `text` and `why` say what happened where the record is a step of it, and are empty where it is
    its beginning, its end or a correction. `pot` is what lies in it, empty without one.
    """

    seq: int
    text: str
    why: str
    hands: tuple[HandView, ...]
    dealer: HandView
    pot: str


@frozen
class ToldRound:
    """A round felt by felt, and the game's words for its seats and its dealer.

    `button` is the seat that deals where the deal passes, else 0.
    """

    words: GameWords
    button: int
    felts: tuple[FeltAfter, ...]


class _Moment(NamedTuple):
    """The round after a record; `step` is the one that the record added, None: none."""

    seq: int
    played: RecordedRound
    step: RecordedStep | None


_BEGINS: Final = (f.BetsClosed, f.DummyBegan)
_STEPS: Final = (
    f.CardDealt, f.CardDealtDown, f.CardTurned, f.DealerPeeked, f.Decided, f.WagerAdded,
    f.WagerDeclined, f.HandSettled,
)  # fmt: skip
_ENDS: Final = (f.RoundEnded, f.RoundVoided)


def told(
    records: Iterable[Record], number: int, index: IndexStyle = IndexStyle.FINNISH
) -> ToldRound:
    """Round `number` of records that begin with it; what corrects or voids it later included.

    Cards are named in the style `index`. Raises `NotTold`.
    """
    try:
        moments = tuple(_moments(records, number))
        if not moments:
            raise NotTold(f"the records do not begin with round {number}")
        return _laid_out(moments, index)
    except (Impossible, UnknownGame) as error:
        raise NotTold(str(error)) from error
    except UNFIT as error:
        if isinstance(error, NotTold):
            raise
        # Of Python's own errors the kind alone: the text may name a card that lies face down.
        raise NotTold(f"they do not follow from each other ({type(error).__name__})") from None


def _moments(records: Iterable[Record], number: int) -> Iterator[_Moment]:
    """The round after each record that changed it."""
    played: RecordedRound | None = None
    for record in records:
        fact: Any = record.fact
        step = None
        if played is None:
            if not isinstance(fact, _BEGINS) or fact.number != number:
                return
            played = begun_round(fact, record.at_ms)
        elif isinstance(fact, _STEPS) and not played.ended_ms:
            step = step_of(fact, record.at_ms)
            played = played.with_step(step)
        elif getattr(fact, "number", None) != number:
            continue
        elif isinstance(fact, f.RoundCorrected):
            played = corrected_round(played, fact)
        elif isinstance(fact, _ENDS):
            played = _over(played, fact, record.at_ms)
        elif not isinstance(fact, f.SettledRoundVoided):
            continue
        yield _Moment(record.seq, played, step)


def _over(played: RecordedRound, fact: f.RoundEnded | f.RoundVoided, at_ms: int) -> RecordedRound:
    net = fact.net if isinstance(fact, f.RoundEnded) else 0
    return changed(played, {"ended_ms": at_ms, "net": net})


def _laid_out(moments: tuple[_Moment, ...], index: IndexStyle) -> ToldRound:
    first = moments[0].played
    game = game_called(first.game)
    words = game.words._replace(index_style=index)
    felts = []
    for at, (seq, played, step) in enumerate(moments):
        following = moments[at + 1].step if at + 1 < len(moments) else None
        turn = None if following is None else turn_before(following)
        text, why = ("", "") if step is None else step_text(words, step, played.felt)
        felts.append(
            FeltAfter(
                seq, text, why, hand_views(played.felt, turn, index),
                one_hand_view(played.felt.dealer, turn, index),
                show(Amount(pot_of(played.felt.hands))) if game.vying else "",
            )
        )  # fmt: skip
    button = first.wagers[-1][0] if game.vying else 0
    return ToldRound(words_view(words, joker=False), button, tuple(felts))
