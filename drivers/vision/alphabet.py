"""What an index may say: each text's rank and the styles that print it."""

from __future__ import annotations

from enum import Enum
from typing import Final

from controller.rules.cards import DECK_52, Card, IndexStyle, Rank, Suit


class PrintedStyle(Enum):
    """The letters or numbers that a deck's makers print for Ace, Jack, Queen and King.

    Finnish 1 11 12 13; Anglo A J Q K; Nordic A or E, Kn, D, K; German A B D K; French A or 1,
    V D R; Russian the first letters of Tuz, Valet, Dama, Korol. Where no style is chosen a card is
    Finnish or Anglo, and the letters of the others are no cards.
    """

    FINNISH = "finnish"
    ANGLO = "anglo"
    NORDIC = "nordic"
    GERMAN = "german"
    FRENCH = "french"
    RUSSIAN = "russian"


#: By the texts that the networks know; of letters that look alike in both alphabets the Latin one.
_COURTS: Final = {
    PrintedStyle.FINNISH: {
        "1": Rank.ACE, "11": Rank.JACK, "12": Rank.QUEEN, "13": Rank.KING,
    },
    PrintedStyle.ANGLO: {"A": Rank.ACE, "J": Rank.JACK, "Q": Rank.QUEEN, "K": Rank.KING},
    PrintedStyle.NORDIC: {
        "A": Rank.ACE, "E": Rank.ACE, "Kn": Rank.JACK, "D": Rank.QUEEN, "K": Rank.KING,
    },
    PrintedStyle.GERMAN: {"A": Rank.ACE, "B": Rank.JACK, "D": Rank.QUEEN, "K": Rank.KING},
    PrintedStyle.FRENCH: {
        "A": Rank.ACE, "1": Rank.ACE, "V": Rank.JACK, "D": Rank.QUEEN, "R": Rank.KING,
    },
    PrintedStyle.RUSSIAN: {"T": Rank.ACE, "B": Rank.JACK, "Д": Rank.QUEEN, "K": Rank.KING},
}  # fmt: skip
#: The styles that may come where none is chosen.
_UNCHOSEN: Final = (PrintedStyle.FINNISH, PrintedStyle.ANGLO)
_NUMBERS: Final = {str(number): Rank(number) for number in range(2, 11)}
_RANKS: Final = {
    **_NUMBERS, **{text: rank for courts in _COURTS.values() for text, rank in courts.items()}
}  # fmt: skip
_CARDS: Final = {(each.rank, each.suit): each for each in DECK_52}


def rank_of(text: str) -> Rank:
    """The rank that an index text stands for, whatever its style; `KeyError` for any other."""
    return _RANKS[text]


def is_printed(text: str, style: PrintedStyle | None) -> bool:
    """Whether decks of this style print the text; None is Finnish or Anglo.

    What is no rank (JOKER, nothing) is printed in every style.
    """
    styles = _UNCHOSEN if style is None else (style,)
    return text not in _RANKS or text in _NUMBERS or any(text in _COURTS[each] for each in styles)


def style_of(text: str) -> PrintedStyle | None:
    """Finnish or Anglo, where the text is printed by one of them alone; else None."""
    styles = [each for each in _UNCHOSEN if text in _COURTS[each]]
    return styles[0] if styles else None


def label_of(card: Card, style: PrintedStyle | None) -> str:
    """Short text for people, as the deck prints it: `13♠`, `Kn♥`, `Joker`."""
    if card.suit is None or style in (None, *_UNCHOSEN):
        return card.label(IndexStyle(style.value) if style else IndexStyle.ANGLO)
    letters = {rank: text for text, rank in reversed(_COURTS[style].items())}
    return letters.get(card.rank, str(int(card.rank))) + card.suit.symbol


def card_of(text: str, suit: str) -> Card:
    """The card whose index says `text` and shows the suit of this letter."""
    return _CARDS[rank_of(text), Suit(suit)]
