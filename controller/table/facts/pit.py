"""Facts of what the pit asked for over the bus."""

from __future__ import annotations

from controller.rules.frozen import frozen
from controller.table.roles import PersonId


@frozen
class PitAsked:
    """`who` of the pit `pit`, there a `role`, asked for `act`: what follows by the same cause came
    of it. A refusal follows where it was not taken.
    """

    act: str
    who: PersonId
    role: str
    pit: str


@frozen
class DirectoryInstalled:
    """From here on the pit's directory `serial` says who may act at the table: `people` of them.

    `digest` is that of the document as the pit signed it, `roster` that of its ids and roles alone
    (`controller.people.document`): whoever has these can show who could act. Times are wall ms.
    """

    serial: int
    digest: str
    roster: str
    people: int
    issued_ms: int
    good_until_ms: int


@frozen
class PlayClosed:
    """The table takes no bets from here on."""


@frozen
class PlayOpened:
    """The table takes bets again."""


@frozen
class NoteSent:
    """The pit sent a message to the dealer's display; its number is that of this record."""

    text: str


@frozen
class FillAnnounced:
    """A fill of so much (minor units) was asked for: the dealer reads of it, as of a message."""

    amount: int


@frozen
class NoteRead:
    """The dealer has read the message of that number."""

    note: int
