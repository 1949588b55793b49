"""The logbook in words: one line for each entry, the same for page, API, command line, export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from controller.rules.frozen import frozen
from controller.rules.messages import Message, Words, message
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.roles import NOBODY_NAMED, Person, PersonId, Role, called
from controller.table.views.english import say


@frozen
class LogLine:
    """What one record says: `text` is the whole line, the rest its parts as data.

    `code` is the name of what happened, the same in every language, `marks` are what sets it apart
    (hold, alarm, person, entry, refusal, doubt, picture, device, correction, void, aside,
    restart). `by` are the people who gave their PINs, each with the role of then, `reason` is what
    they typed, `took_ms` how long what it ends had lasted (null: it ends nothing). `round` and
    `hold` are 0 where it is about none. `picture` names a picture that may be shown.
    """

    seq: int
    at_ms: int
    code: str
    text: str
    marks: tuple[str, ...] = ()
    round: int = 0
    hold: int = 0
    by: tuple[str, ...] = ()
    reason: str = ""
    took_ms: int | None = None
    picture: str = ""
    times: int = 1


@frozen
class Badge:
    """How many entries of a round have a mark."""

    mark: str
    count: int


def line(
    entry: LogEntry, words: Words = Words(), names: Mapping[PersonId, str] = NOBODY_NAMED
) -> LogLine:
    """An entry in words; people by `names`, else by id."""
    said = entry.said
    people = tuple(person_message(each, names) for each in entry.by)
    if people:
        said = message("log-by", said=said, people=people)
    if entry.reason:
        said = message("log-reason", said=said, reason=entry.reason)
    if entry.took_ms is not None:
        said = message("log-took", said=said, span=span_message(entry.took_ms))
    if entry.times > 1:
        said = message("log-times", said=said, times=entry.times)
    return LogLine(
        entry.seq, entry.at_ms, entry.said.code, say(said, words),
        tuple(each.value for each in entry.marks), entry.round, entry.hold,
        tuple(say(each) for each in people), entry.reason, entry.took_ms, entry.picture,
        entry.times,
    )  # fmt: skip


def badges(entries: Iterable[LogEntry]) -> tuple[Badge, ...]:
    """The marks of a round, each with how often it has it, in the order of `Mark`."""
    found = Counter[Mark]()
    for each in entries:
        found.update(dict.fromkeys(each.marks, each.times))
    return tuple(Badge(each.value, found[each]) for each in Mark if found[each])


def person_message(person: Person, names: Mapping[PersonId, str]) -> Message:
    """Somebody by name, or by id where the directory has none, in the role of then."""
    name = called(person.id, names)
    if person.role is Role.FLOOR:
        return message("person-floor", name=name)
    return message("person-dealer", name=name)


def span_message(ms: int) -> Message:
    """How long something took, in the units that people say it in."""
    if ms < 1_000:
        return message("span-ms", ms=ms)
    seconds = ms // 1_000
    if seconds < 60:
        return message("span-s", s=seconds)
    if seconds < 3_600:
        return message("span-min", min=seconds // 60, s=seconds % 60)
    return message("span-h", h=seconds // 3_600, min=seconds // 60 % 60)
