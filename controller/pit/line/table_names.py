"""Which table a message of the bus is of: by its subject, of as many tables as a pit may have."""

from __future__ import annotations

import logging
from typing import Final

from controller.bus.messages import table_of
from controller.bus.parser import HeardMessage

log: Final = logging.getLogger(__name__)

#: Ten times the tables of a large pit. Each that is heard has a tile, a cursor and findings: names
#: that a broker makes up would fill memory and database.
MOST_TABLES: Final = 10_000
#: Each of a table's messages has one of three subjects.
_MOST_SUBJECTS: Final = 3 * MOST_TABLES


class TableNames:
    """The tables that were heard since the pit began, `most` of them."""

    def __init__(self, most: int = MOST_TABLES) -> None:
        self._most = most
        self._names: set[str] = set()
        self._subjects: dict[bytes, str] = {}
        self._passed_over = 0

    def of(self, message: HeardMessage) -> str | None:
        """The table under whose subject a message came; None: it is none of a table, or of one
        more than there may be.
        """
        known = self._subjects.get(message.subject)
        return known if known is not None else self._look(message.subject)

    def _look(self, subject: bytes) -> str | None:
        try:
            table = table_of(subject.decode())
        except ValueError as error:  # no text, or none of a table
            self._pass_over(str(error))
            return None
        if table not in self._names:
            if len(self._names) >= self._most:
                self._pass_over(f"{table} is one table more than the {self._most} of a pit")
                return None
            self._names.add(table)
        if len(self._subjects) < _MOST_SUBJECTS:
            self._subjects[subject] = table
        return table

    def _pass_over(self, why: str) -> None:
        """Say why; of thousands a second the 1st, 10th, 100th and so on."""
        self._passed_over += 1
        if str(self._passed_over).strip("0") == "1":
            log.warning("bus: a message was passed over, number %s: %s", self._passed_over, why)
