"""Rows, columns and outcomes of a strategy in the reader's language.

Files have them as the rules report them (`hard 16`, `low 7 / high 17`, `up 10`), in English in
every language.
"""

from __future__ import annotations

from typing import Final

from controller.odds.charts.words import UP
from controller.rules.actions import Action, Outcome
from controller.rules.messages import Message, Words, message
from controller.rules.sheets.sheet import text_of

#: Behind a hand that is a pair and may be split.
PAIR: Final = " (pair)"
_BETWEEN: Final = " / "
_KINDS: Final = {
    "hard": message("total-hard"),
    "soft": message("total-soft"),
    "low": message("total-low"),
    "high": message("total-high"),
}
_OUTCOMES: Final = {
    Outcome.WIN.value: message("odds-outcome-win"),
    Outcome.LOSE.value: message("odds-outcome-lose"),
    Outcome.PUSH.value: message("odds-outcome-push"),
    Outcome.SURRENDER.value: message("odds-outcome-surrender"),
}
_ACTIONS: Final = {each.value: each for each in Action}


def hand_in_words(reported: str) -> str:
    """A player's hand, or the question of a side bet: `hard 16 (pair)`, `insurance?`."""
    if reported.endswith(PAIR):
        return text_of(message("odds-pair", hand=hand_in_words(reported.removesuffix(PAIR))))
    action = _ACTIONS.get(reported.removesuffix("?"))
    if action is not None:
        return text_of(message("odds-asked", action=action))
    return _BETWEEN.join(map(_total, reported.split(_BETWEEN)))


def dealer_in_words(reported: str) -> str:
    """What the dealer has: a total, or the card that is up."""
    if reported.startswith(UP):
        return text_of(message("odds-dealer-shows", rank=reported.removeprefix(UP)))
    return hand_in_words(reported)


def outcome_in_words(name: str, words: Words) -> str:
    """How hands end; a bonus by the name that its game gives it in this language."""
    if name in _OUTCOMES:
        return text_of(_OUTCOMES[name])
    codes = [code for code, english in words.reasons.items() if english == name]
    return text_of(Message(codes[0]), words) if codes else name


def _total(part: str) -> str:
    kind, _, points = part.partition(" ")
    if kind not in _KINDS or not points:
        return part
    return text_of(message("odds-total", word=_KINDS[kind], points=points))
