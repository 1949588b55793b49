"""How people are shown whose ids the books have: names stand in the tables' own directories."""

from __future__ import annotations

import json

from controller.table.roles import NOBODY_NAMED, PersonId, called


def person_words(person: str) -> str:
    """Somebody, by id."""
    return called(PersonId(person), NOBODY_NAMED)


def people(text: str) -> tuple[str, ...]:
    """Those whose ids a row has as a list."""
    return tuple(person_words(each) for each in json.loads(text))
