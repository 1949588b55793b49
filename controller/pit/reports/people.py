"""How people are shown whose ids the books have: by the pit's own directory, as far as it has them.

Those of tables with people of their own are shown by id: their names stand at those tables.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from controller.table.roles import NOBODY_NAMED, PersonId, called


def person_words(person: str, names: Mapping[PersonId, str]) -> str:
    """Somebody, by name where the pit knows one."""
    known = PersonId(person)
    return names.get(known) or called(known, NOBODY_NAMED)


def people(text: str, names: Mapping[PersonId, str]) -> tuple[str, ...]:
    """Those whose ids a row has as a list."""
    return tuple(person_words(each, names) for each in json.loads(text))
