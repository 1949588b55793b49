"""A language beside English: its catalogue, and how it writes cards, places, amounts and numbers.

What its catalogue lacks is said in English: better than nothing, and no table stops for a word.
"""

from __future__ import annotations

from typing import Final

from controller.languages.catalogue import ACTION, CARD, DEVICE, FORM, PAGE, WORD, Catalogue
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Place
from controller.rules.cards import Card
from controller.rules.hands import Total
from controller.rules.messages import Amount, Language, Seat, Value, Words
from controller.rules.money import Odds, amount_text

#: What may follow a place's name in a template: the case that the sentence needs.
CASES: Final = ("", "of", "to", "at")
#: Forms of a noun after a number, in CLDR's order, by how many forms a language writes.
_PLURALS: Final = {2: ("one", "other"), 3: ("zero", "one", "other")}


class Translation(Language):
    """A language with a catalogue of its own."""

    def __init__(self, catalogue: Catalogue, english: Language) -> None:
        """`english` has the words of what the catalogue lacks."""
        super().__init__(self._value, english.catalogue, code=str(catalogue.locale))
        # The name of a section of the configuration stays what it is.
        self._messages = {
            code: template.replace("[{device}]", "[{device:code}]")
            for code, template in catalogue.messages.items()
        }
        self._others = catalogue.others
        self._locale = catalogue.locale
        symbols = catalogue.locale.number_symbols["latn"]
        self._separators = str.maketrans({",": symbols["group"], ".": symbols["decimal"]})

    @property
    def page_texts(self) -> dict[str, str]:
        """What the pages themselves say, by the English text; devices and moves of players, too."""
        devices = {name: _in_case(forms, "") for name, forms in self._others[DEVICE].items()}
        return {**devices, **self._others[ACTION], **self._others[PAGE]}

    def template(self, code: str, words: Words) -> str | None:
        """The translated template of a message; the English one where there is none."""
        return self._messages.get(code) or super().template(code, words)

    def text(self, context: str, english: str) -> str:
        """The translation of a text without a code; the English one where there is none."""
        return self._others[context].get(english, english)

    def number_of(self, count: int, forms: list[str]) -> str:
        """A number with its noun in the form that the language puts after it."""
        names = _PLURALS[len(forms)]
        form = self._locale.plural_form(count)
        return f"{count} {forms[names.index(form if form in names else names[-1])]}"

    def _value(self, value: Value, spec: str, words: Words) -> str:
        """As `controller.rules.english.write`, and a place in the case that the sentence needs."""
        text = self._text(value, spec, words)
        if spec == "key":
            return self._form("“{key}”").format(key=_capital(text))
        if spec in ("capital", "sentence", "title"):
            ended = spec != "sentence" or text.endswith((".", "?", "!"))
            return _capital(text) + ("" if ended else ".")
        if spec == "lower" and self.code != "de":  # its nouns keep their capital
            return text[:1].lower() + text[1:]
        return text

    def _text(self, value: Value, spec: str, words: Words) -> str:
        if isinstance(value, Card):
            return self._card(value, spec, words)
        if isinstance(value, Amount):
            return amount_text(value.minor).translate(self._separators)
        if isinstance(value, Odds):
            return self._form("{pays} to {per}").format(pays=value.pays, per=value.per)
        if isinstance(value, Seat) and spec == "word":
            return self._word(words.seat if value.number != DEALER_SEAT else words.dealer, "")
        if isinstance(value, Seat | Place):
            return self._place(value, spec if spec in CASES else "", words)
        if isinstance(value, Action):
            text = value.value.replace("-", " ")
            return self._others[ACTION].get(text, text)
        if isinstance(value, Total):
            kind = "total-bust" if value.bust else "total-soft" if value.soft else "total-hard"
            return f"{self.template(kind, words)} {value.points}"
        if isinstance(value, str) and spec == "number":
            return value.translate(self._separators)
        if isinstance(value, str) and spec != "code":
            known = self._others[DEVICE].get(value)
            return value if known is None else _in_case(known, spec if spec in CASES else "")
        if isinstance(value, int) and spec == "halves":
            return f"{value / 2:g}".translate(self._separators)
        return str(value)

    def _card(self, value: Card, spec: str, words: Words) -> str:
        if spec == "code":
            return value.code
        names = self._others[CARD]
        if spec == "rank":
            return names.get(value.rank_name, value.rank_name)
        if spec != "name":
            return value.label(words.index_style)
        rank, _, suit = value.name.partition(" of ")
        if not suit:
            return names.get(rank, rank)
        template = names.get("{rank} of {suit}", "{rank} of {suit}")
        return _capital(template.format(rank=names.get(rank, rank), suit=names.get(suit, suit)))

    def _word(self, english: str, case: str) -> str:
        return _in_case(self._others[WORD].get(english, english), case)

    def _place(self, value: Seat | Place, case: str, words: Words) -> str:
        seat, hand = value if isinstance(value, Place) else (value.number, 1)
        if seat == DEALER_SEAT:
            return self._word(words.dealer, case)
        named = f"{self._word(words.seat, case)} {seat}"
        if hand == SIDE_BET:
            template = _in_case(self._form("the side bet of {seat}"), case)
            return template.format(seat=f"{self._word(words.seat, 'of')} {seat}")
        if hand > 1:
            return self._form("{seat}, hand {hand}").format(seat=named, hand=hand)
        return named

    def _form(self, english: str) -> str:
        return self._others[FORM].get(english, english)


def _in_case(forms: str, case: str) -> str:
    """One of the four forms of a word; a word with one form has no others."""
    found = forms.split("|")
    return found[CASES.index(case)] if len(found) == len(CASES) else found[0]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
