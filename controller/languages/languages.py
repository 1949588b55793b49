"""Which languages there are, and where each is found."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, TypeAlias

from controller.languages.catalogue import read_catalogue
from controller.languages.translation import Translation
from controller.table.views.english import ENGLISH

#: A language's code (ISO 639-1).
Code: TypeAlias = Literal["en", "fi", "sv", "de", "es", "lv"]

#: What a language is called in its own words.
LANGUAGES: Final[dict[Code, str]] = {
    "en": "English", "fi": "suomi", "sv": "svenska", "de": "Deutsch", "es": "español",
    "lv": "latviešu",
}  # fmt: skip


class UnknownLanguage(ValueError):
    """There is no such language: the text says which there are."""

    def __init__(self, code: str) -> None:
        known = ", ".join(LANGUAGES)
        super().__init__(f"there is no language {code[:20]!r}: choose one of {known}")


@cache
def language(code: str) -> Translation | None:
    """The language `code`; None for English, which needs no catalogue.

    Raises `UnknownLanguage`, and `CatalogueDamaged` for a catalogue that cannot be read.
    """
    if code not in LANGUAGES:
        raise UnknownLanguage(code)
    return None if code == "en" else Translation(read_catalogue(code), ENGLISH)
