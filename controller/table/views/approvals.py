"""Who stood for what changed a round: holds that were released, and corrections."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.messages import Message, message
from controller.table.facts import HoldReleased, Record, RoundCorrected
from controller.table.irregularities.holds import RESOLUTION_LABELS
from controller.table.roles import NOBODY_NAMED, Person, PersonId, Role, called
from controller.table.state import State
from controller.table.views.english import say
from controller.table.views.replay import ReplayNote


def approval(
    before: State | None, record: Record, number: int, names: Mapping[PersonId, str] = NOBODY_NAMED
) -> ReplayNote | None:
    """What a record says of people who stood for a change of round `number`; None: nothing.

    `before` is the state before the record, which still has the hold that it releases.
    """
    fact = record.fact
    if isinstance(fact, RoundCorrected) and fact.number == number:
        said = message("replay-corrected")
    elif isinstance(fact, HoldReleased) and (said_of := _released(before, fact, number)):
        said = said_of
    else:
        return None
    return ReplayNote(record.at_ms, say(_with_people(said, fact.by, fact.reason, names)))


def _released(before: State | None, fact: HoldReleased, number: int) -> Message | None:
    """The release of a hold that was about the round, or raised while it was in play."""
    hold = before.hold(fact.number) if before is not None else None
    if before is None or hold is None:
        return None
    in_play = before.in_play.number if before.in_play else 0
    if number != (hold.round or in_play):
        return None
    title = before.procedures.rows[hold.reason].title
    return message(
        "replay-released", hold=title, resolution=RESOLUTION_LABELS[fact.resolution].text
    )


def _with_people(
    said: Message, by: tuple[Person, ...], reason: str, names: Mapping[PersonId, str]
) -> Message:
    if by:
        said = message(
            "replay-by", said=said, people=tuple(person_message(each, names) for each in by)
        )
    return message("replay-reason", said=said, reason=reason) if reason else said


def person_message(person: Person, names: Mapping[PersonId, str]) -> Message:
    """Somebody by name, or by id where the directory has none, in the role of then."""
    name = called(person.id, names)
    if person.role is Role.FLOOR:
        return message("person-floor", name=name)
    return message("person-dealer", name=name)
