"""`[people]` of a pit: the tables that take their people from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from controller.bus.messages import TABLE
from controller.config.pit_section import PitKey
from controller.people.document import MOST_GOOD_MS
from drivers.settings.checks import Wrong, refuse

_DAY_MS: Final = 86_400_000
_TableName = Annotated[str, Field(pattern=f"^{TABLE.pattern}$")]


@dataclass(frozen=True, slots=True)
class PeopleSettings:
    """`[people]`: for how many days a directory is good, and the key of each table (hex).

    `tables` are by name, each as `tablectl person key` prints it there. A directory is made anew
    when half of its days are over. Raises `SettingsError`.
    """

    good_days: float = 14
    tables: dict[_TableName, PitKey] = field(default_factory=dict)

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        most = MOST_GOOD_MS // _DAY_MS
        if not 0.01 <= self.good_days <= most:
            yield Wrong("good_days", f"good_days is {self.good_days}: choose 0.01 to {most}")

    @property
    def good_ms(self) -> int:
        """For how long a directory is good, in ms."""
        return round(self.good_days * _DAY_MS)
