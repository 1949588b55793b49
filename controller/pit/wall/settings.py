"""The section `[wall]` of a pit's configuration: when a table is called late, and who looks after
which tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

#: A floor person cannot keep an eye on more tables than this.
MOST_TABLES: Final = 6


class BadSettings(ValueError):
    """A value of `[wall]` that cannot be used; the text says which, and what is allowed."""


@dataclass(frozen=True, slots=True)
class FloorSection:
    """The tables that one floor person looks after, in a pit."""

    pit: str
    floor: str
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WallSettings:
    """`[wall]`: times in seconds, rounds an hour by game, addresses of the tables' own pages.

    `late_s`: a table that waits longer for a person is late. `dead_spread_s`: an open table where
    nobody has bet for so long is a dead spread. `offline_s`: a table that says nothing for so long
    is offline. `target` is the pace that the house expects of a game, `pages` where a table's own
    status page is, by table.
    """

    late_s: float = 60
    dead_spread_s: float = 300
    offline_s: float = 6
    target: Mapping[str, float] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    sections: tuple[FloorSection, ...] = ()
    _section_of: dict[str, FloorSection] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("late_s", "dead_spread_s", "offline_s"):
            if not getattr(self, name) > 0:
                raise BadSettings(f"wall.{name} is {getattr(self, name)}: use more than 0 seconds")
        for game, pace in self.target.items():
            if not pace > 0:
                raise BadSettings(f"wall.target.{game} is {pace}: use more than 0 rounds an hour")
        for table, page in self.pages.items():
            if urlsplit(page).scheme not in {"http", "https"}:
                raise BadSettings(
                    f"wall.pages.{table} is {page!r}: use an address that begins with http:// or "
                    "https://"
                )
        for section in self.sections:
            if not 1 <= len(section.tables) <= MOST_TABLES:
                raise BadSettings(
                    f"the section of {section.floor} in {section.pit} has {len(section.tables)} "
                    f"tables: give one floor person 1 to {MOST_TABLES}"
                )
        counts = Counter(table for section in self.sections for table in section.tables)
        if twice := sorted(table for table, count in counts.items() if count > 1):
            raise BadSettings(f"{', '.join(twice)} stands in two sections: leave it in one")
        # Asked for each status that comes: a house of a thousand tables has hundreds of sections.
        by_table = {table: section for section in self.sections for table in section.tables}
        object.__setattr__(self, "_section_of", by_table)

    def section(self, table: str) -> FloorSection | None:
        """The section of a table, if it is in one."""
        return self._section_of.get(table)
