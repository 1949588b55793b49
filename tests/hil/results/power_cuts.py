"""What became of a table's record over cuts of its power."""

from __future__ import annotations

from controller.record.files.head_anchor import parse_head
from tests.hil.stands.stand import Stand


class PowerCuts:
    """Cuts that the table came back from. The end of the record before each is in it afterwards.

    `problems` are what `tablectl verify` said of records that are damaged or without that end;
    `not_on_record` is how many facts a display showed that were not on record.
    """

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self._head = ""
        self.survived = 0
        self.problems: list[str] = []
        self.not_on_record = 0

    async def before(self, shown_seq: int) -> None:
        """Note the end of the record; a display has shown the record of that number."""
        head = parse_head(await self.stand.head())
        self._head = str(head)
        self.not_on_record += max(0, shown_seq - head.seq)

    async def after(self) -> None:
        """The table was cut off and answers again: check its record."""
        verified = await self.stand.verify(self._head)
        if verified.status:
            self.problems.append(verified.said)
        self.survived += 1
