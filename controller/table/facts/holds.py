"""Facts of holds, of cards that left unseen or are entered by hand, and of alarms."""

from __future__ import annotations

from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.rules.sealed import Sealed
from controller.table.alarms import Level
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person
from controller.table.shoe.recount import SeatCount


@frozen
class HoldRaised:
    """The table stops. `card` is what was read, if anything; `message` says what is known of it.

    `round` is the one that it is about, 0 where it is about the table as it stands. `evidence`
    names the picture of the card; `open`: it lies face up, so the picture may be shown. `order` is
    its place among the open holds, which are settled in the order in which cards left: that of the
    hold from whose settlement it came; 0: its own number, the last.
    """

    number: int
    reason: Reason
    message: Message
    card: Sealed | None = None
    source: str = ""
    round: int = 0
    evidence: str = ""
    open: bool = False
    order: int = 0


@frozen
class CardNamed:
    """People said which card lies there; it is placed once they say the same again.

    `hold` is the one from which it is entered; 0: the card that is turned. It stays sealed: until
    it is placed it is nothing.
    """

    hold: int
    card: Sealed


@frozen
class HoldReleased:
    """A hold was settled by one of its lawful resolutions.

    `by` names who gave their PIN, `reason` is what they said; empty at a table without roles.
    """

    number: int
    resolution: Resolution
    by: tuple[Person, ...] = ()
    reason: str = ""


@frozen
class CardLeftUnread:
    """A card left the shoe that is not known: its reader `source` was away, by what the beam saw.

    `source` is empty where more holds were open than people can work through.
    """

    source: str


@frozen
class FeltCounted:
    """People counted the cards on the felt for hold `hold`, before a number was shown to them.

    `cards` were counted and `shown` stood on the display; `seats` is the same seat by seat, where
    they counted so.
    """

    hold: int
    cards: int
    shown: int
    seats: tuple[SeatCount, ...] = ()


@frozen
class ResolutionChosen:
    """One of the lawful resolutions of an open hold was chosen; the facts after it are its effect.

    `by` names who gave their PIN, `reason` is what they said; empty at a table without roles.
    """

    number: int
    resolution: Resolution
    by: tuple[Person, ...] = ()
    reason: str = ""


@frozen
class ResolutionUndone:
    """The resolution that was chosen last was a mistake: hold `number` is as it was before it.

    `by` and `reason` as in `ResolutionChosen`.
    """

    number: int
    resolution: Resolution
    by: tuple[Person, ...] = ()
    reason: str = ""


@frozen
class AlarmEscalated:
    """Nobody settled what an alarm is about in time: it calls further, or calls again."""

    alarm: int
    level: Level


@frozen
class AlarmAcknowledged:
    """Alarms are known and quiet for now; nothing is settled by it.

    By the floor they wait until they call again; otherwise their time runs on.
    """

    alarms: tuple[int, ...]
    floor: bool
    by: tuple[Person, ...] = ()


@frozen
class AlarmAnswered:
    """A hold that stays open is being worked on: the time of its alarm starts again."""

    alarm: int
