"""The head of a record as people note it: on the sheet of a shift, outside of the table's disk.

Whoever owns the disk can put back a whole record with its anchor, and no copy may be there to prove
it. A head that was written down at the end of a shift can: the record must contain it later.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from controller.record.head_anchor import Head, Mark

#: So much of a hash is noted: 64 bits that nobody makes another record for.
_DIGITS: Final = 16
_FORM: Final = re.compile(r"(\d{4}-\d\d-\d\d):([1-9]\d{0,17}):([0-9a-f]{16})")


class NotedHead(NamedTuple):
    """A head in its short form, `DAY:SEQ:HASH`: the day, its last record, that record's hash."""

    day: str
    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.day}:{self.seq}:{self.hash}"

    def is_of(self, day: str, mark: Mark) -> bool:
        """Whether that record of that day is the one that was noted."""
        return self == noted(Head(day, mark))


def noted(head: Head) -> NotedHead:
    """The head of a record in its short form."""
    return NotedHead(head.day, head.mark.seq, head.mark.hash.hex()[:_DIGITS])


def parse_head(text: str) -> NotedHead:
    """A head as it was noted, `DAY:SEQ:HASH`. Raises `ValueError`."""
    found = _FORM.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError(f"{text!r} is no head: 2026-11-22:1204:1a2b3c4d5e6f7081 is one")
    return NotedHead(found[1], int(found[2]), found[3])
