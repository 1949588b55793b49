"""A language that nobody speaks: English in Greek letters, so that what is English shows."""

from __future__ import annotations

import re
from typing import Final

from babel import Locale

from controller.languages.catalogue import CONTEXTS, Catalogue
from controller.languages.translation import Translation
from controller.table.views.english import ENGLISH
from tests.languages.english_texts import english_texts

_GREEK: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αβψδεφγηιξκλμνοπϙρστθωςχυζΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠϘΡΣΤΘΩϡΧΥΖ",
)
_VALUE: Final = re.compile(r"\{[^}]*\}")
_WORDS_IN_A_VALUE: Final = re.compile(r"(?<=:)(or|and|[^}]*\|[^}]*)(?=\})")


def greek(text: str) -> str:
    """The text in Greek letters; what stands for a value stays."""
    found, at = "", 0
    for value in _VALUE.finditer(text):
        found += text[at : value.start()].translate(_GREEK)
        found += _WORDS_IN_A_VALUE.sub(lambda each: each[0].translate(_GREEK), value[0])
        at = value.end()
    return found + text[at:].translate(_GREEK)


def pseudo_language() -> Translation:
    """A whole translation into it; numbers are written as in Finnish."""
    messages: dict[str, str] = {}
    others: dict[str, dict[str, str]] = {each: {} for each in CONTEXTS}
    for context, english, _ in english_texts():
        if context in CONTEXTS:
            others[context][english] = greek(english)
        else:
            messages[context] = greek(english)
    return Translation(Catalogue(Locale.parse("fi"), messages, others), ENGLISH)
