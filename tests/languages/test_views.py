"""No sentence of a view goes past the catalogue: in Greek letters, none of it is English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from controller.languages.translation import Translation
from controller.rules.games.registry import GAMES, game
from controller.rules.spoken import speaking
from controller.table.views.chips_view import chips_view
from controller.table.views.ledger_view import ledger_list
from controller.table.views.public import public
from tests.languages.pseudo import pseudo_language
from tests.pages.dealer_display.every_picture import pictures, standing
from tests.pages.pictures.moments import NAMES
from tests.pages.pictures.pit import as_json
from tests.support.forms import is_long_form

#: What is for machines, and what people typed: codes, commands and names, in any language alike.
CODES: Final = frozenset({
    "about", "action", "bus", "button", "code", "command", "currency", "index", "key", "light",
    "mark", "method", "name", "needs", "options", "outcome", "phase", "pit_acts", "reason",
    "software", "table", "tone", "trouble", "verdict",
})  # fmt: skip
#: What has no translation: names of games and people, an amount's currency, a build's number.
NAMES_OF: Final = re.compile(
    "|".join(
        [re.escape(game(each).title) for each in GAMES]
        + [rf"{each}(/\d+)?" for each in GAMES]
        + [*NAMES.values(), "EUR", r"\d\.\d+\.\d+(\S*)", "T1"]
    )
)
WORD: Final = re.compile("[A-Za-z]{2,}")


def english_in(value: object, path: str = "") -> Iterator[str]:
    """Whatever is still English in a view, with its place."""
    if isinstance(value, dict):
        for name, each in value.items():
            # Of a key it is a code: whom it takes.
            if name not in CODES and not (name == "who" and "command" in value):
                yield from english_in(each, f"{path}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from english_in(each, path)
    elif isinstance(value, str) and WORD.search(NAMES_OF.sub("", value)):
        yield f"{path[1:]}: {value}"


def test_the_dealer_display_says_nothing_past_the_catalogue() -> None:
    language = pseudo_language()
    every = 1 if is_long_form() else 30
    for shown in pictures(full=False, language=language, every=every):
        if shown.name != "safe":
            assert list(english_in(shown.view)) == [], shown.name


def test_no_other_view_says_anything_past_the_catalogue() -> None:
    language: Translation = pseudo_language()
    with speaking(language):
        for name, state in standing().items():
            for view in (public(state, NAMES), chips_view(state, NAMES), ledger_list(state)):
                assert list(english_in(as_json(view))) == [], name
