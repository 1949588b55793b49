"""What may be wrong with a table's record, or with who sends it: named, by table and number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class FindingKind(Enum):
    """What is wrong; the value is its name in the archive."""

    #: Records between the archive's and the table's are not to be had.
    GAP = "gap"
    #: The table has another record than the archive at the same number.
    FORK = "fork"
    #: The table has fewer records than the archive: it was put back to an older backup.
    BEHIND = "behind"
    #: A record is not the one that its hash was made of, or does not follow from the one before.
    BROKEN = "broken"
    #: A message under a table's subject says that it is of another table.
    OTHER_TABLE = "other_table"
    #: Two records go by one table's name.
    TWO_TABLES = "two_tables"
    #: A table's record is archived already, under another name.
    TWO_NAMES = "two_names"
    #: A message that is none of a table's.
    NO_MESSAGE = "no_message"
    #: The chain holds, and this software cannot read the record.
    UNREADABLE = "unreadable"
    #: A directory of people is in force at the table that this pit did not make.
    DIRECTORY = "directory"
    #: The record is archived, and this software cannot keep the table's books of it.
    BOOKS = "books"
    #: What came as the picture of a card is another file than the one that the record names.
    PICTURE = "picture"
    #: The table's clock is far from the pit's.
    CLOCK = "clock"


#: Settled once the table's record goes on from where the archive has it.
SETTLED_BY_RECORDS: Final = frozenset(
    {FindingKind.GAP, FindingKind.FORK, FindingKind.BEHIND, FindingKind.BROKEN}
)

#: Nothing that a table sends ends these: somebody looks into them, and says so.
SETTLED_BY_PEOPLE: Final = frozenset(
    {
        FindingKind.OTHER_TABLE, FindingKind.TWO_TABLES, FindingKind.TWO_NAMES,
        FindingKind.NO_MESSAGE, FindingKind.UNREADABLE, FindingKind.PICTURE,
    }
)  # fmt: skip


#: Two histories of one table: people may say that the table's own is to stand.
PARTED: Final = frozenset({FindingKind.FORK, FindingKind.BEHIND})


@dataclass(frozen=True, slots=True)
class ArchiveFinding:
    """Something wrong. `seq` is the number of the record that it begins with, 0: no record."""

    kind: FindingKind
    seq: int
    text: str


def no_message(error: Exception) -> ArchiveFinding:
    """What came under a table's name is no message of a table."""
    text = f"what came under this table's name is no message of a table: {error}"
    return ArchiveFinding(FindingKind.NO_MESSAGE, 0, text)
