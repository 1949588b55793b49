"""One person who plays at a distance, and why something that a person asked for is not done."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass, field
from typing import Any, Final

#: What is true of the process that serves a person, and not of the person.
_OF_A_PROCESS: Final = ("lines", "unseen_since_s")


class NotDone(ValueError):
    """What a person asked for cannot be done; the text says why, and what can.

    `template` is the text in English, `values` what stands in its braces: the page says it in the
    language of the table.
    """

    def __init__(self, template: str, **values: str | int) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template = template
        self.values = values


@dataclass(slots=True)
class Guest:
    """A person. `seat` is None for who has none and bets behind `behind`; `lines` are open pages.

    `bought` is the play money that was had besides; `further` what was bet in the round beside the
    first bet.
    """

    player: str
    name: str
    secret: str = field(repr=False)
    seat: int | None = None
    behind: int = 1
    bought: int = 0
    further: int = 0
    lines: int = 0
    unseen_since_s: float = 0.0
    away: bool = False
    leaving: bool = False

    def to_keep(self) -> dict[str, Any]:
        """All of it but for what is true of this process alone."""
        return {name: value for name, value in asdict(self).items() if name not in _OF_A_PROCESS}


def alike(name: str) -> str:
    """The same for names that look alike: letters of other widths, other cases, wide spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
