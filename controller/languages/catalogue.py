"""A catalogue: the translation of everything that displays say into one language.

A gettext file (`fi.po`), as translators and their tools know it. A message of the table stands in
the context of its code, with the English template as the text to translate; what has no code
stands in one of the contexts below. An entry that is missing, empty or marked fuzzy is none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.rules.frozen import frozen

if TYPE_CHECKING:  # loaded where a language is asked for, and nowhere else
    from babel import Locale

HERE: Final = Path(__file__).parent

#: What the pages themselves say; the English text is its own name.
PAGE: Final = "page"
#: The moves of players: `stand`, `stay low`.
ACTION: Final = "action"
#: What a game calls its dealer and its seats, in four cases: nominative, of, to, at.
WORD: Final = "word"
#: What a device is called, in the same cases: `scanner`, `leds`.
DEVICE: Final = "device"
#: The parts of a card's name, and how they make one.
CARD: Final = "card"
#: What the manual of a table says; the English text is its own name.
MANUAL: Final = "manual"
#: How a place, a key and amounts are written.
FORM: Final = "form"
CONTEXTS: Final = frozenset({PAGE, ACTION, WORD, DEVICE, CARD, MANUAL, FORM})


class CatalogueDamaged(ValueError):
    """A catalogue cannot be read: the text says which, and where."""


@frozen
class Catalogue:
    """The words of one language. `messages` are templates by code, `others` texts by context."""

    locale: Locale
    messages: dict[str, str]
    others: dict[str, dict[str, str]]


def read_catalogue(code: str, folder: Path = HERE) -> Catalogue:
    """The catalogue of the language `code`. Raises `CatalogueDamaged`."""
    from babel import Locale  # noqa: PLC0415  (10 MB of locales)
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415

    path = folder / f"{code}.po"
    try:
        with path.open("rb") as file:
            read = read_po(file, locale=code, abort_invalid=True)
    except (OSError, PoFileError, UnicodeDecodeError) as error:
        raise CatalogueDamaged(f"{path.name} cannot be read: {error}") from error
    messages: dict[str, str] = {}
    others: dict[str, dict[str, str]] = {each: {} for each in CONTEXTS}
    for entry in read:
        if not entry.id or not entry.string or entry.fuzzy:
            continue
        if entry.context in CONTEXTS:
            others[entry.context][str(entry.id)] = str(entry.string)
        elif entry.context:
            messages[entry.context] = str(entry.string)
    return Catalogue(Locale.parse(code), messages, others)
