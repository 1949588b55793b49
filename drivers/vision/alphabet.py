"""What an index may say: each text's rank and the style that prints it."""

from __future__ import annotations

from typing import Final

from controller.rules.cards import DECK_52, Card, IndexStyle, Rank, Suit

_FINNISH: Final = {"1": Rank.ACE, "11": Rank.JACK, "12": Rank.QUEEN, "13": Rank.KING}
_ANGLO: Final = {"A": Rank.ACE, "J": Rank.JACK, "Q": Rank.QUEEN, "K": Rank.KING}
_BOTH: Final = {str(number): Rank(number) for number in range(2, 11)}
_RANKS: Final = {**_FINNISH, **_ANGLO, **_BOTH}
_CARDS: Final = {(each.rank, each.suit): each for each in DECK_52}


def rank_of(text: str) -> Rank:
    """The rank that an index text stands for; raises `KeyError` for any other text."""
    return _RANKS[text]


def style_of(text: str) -> IndexStyle | None:
    """The style that prints this text; None where both do."""
    if text in _FINNISH:
        return IndexStyle.FINNISH
    return IndexStyle.ANGLO if text in _ANGLO else None


def card_of(text: str, suit: str) -> Card:
    """The card whose index says `text` and shows the suit of this letter."""
    return _CARDS[rank_of(text), Suit(suit)]
