"""A table's people whom the pit sends, where its configuration says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from controller.access.people_keeper import PeopleKeeper
from controller.access.sent_files import Overdue, SentSettings
from controller.access.sent_people import SentPeople
from controller.config.configuration import Config
from controller.people.document import PeopleMark
from controller.record.disk_space import watch
from controller.service.loop import Service
from controller.service.ports import DirectoryView
from controller.table.alarms import PEOPLE

if TYPE_CHECKING:
    from controller.bus.link import BusLink

#: What is wrong with the directory is looked at this often.
LOOK_S: Final = 2.0
#: A key of a pit is shown by so many of its first digits.
KEY_SHOWN: Final = 8


def sent_settings(config: Config) -> SentSettings | None:
    """Where the pit's directory is kept, and whose it is; None: the table's people are its own."""
    people = config.people
    if people is None or people.directory is None:
        return None
    names = people.sent_names_file
    assert names is not None
    return SentSettings(
        config.table.name, people.directory, people.keys, people.key_file, names, people.file,
        Overdue(people.overdue),
    )  # fmt: skip


def sent_people(config: Config, clock_ms: Callable[[], int]) -> SentPeople | None:
    """The people whom the pit sends; None: the table's people are its own. Raises `PeopleError`."""
    settings = sent_settings(config)
    return None if settings is None else SentPeople(settings, clock_ms)


def directory_view(people: SentPeople, link: BusLink | None) -> DirectoryView | None:
    """What is shown of the directory in force; `link` is the line over which the next one comes."""
    document = people.in_force
    if document is None:
        return None
    head, since_ms = document.head, None if link is None else link.since_ms
    return DirectoryView(
        head.serial, head.issued_ms, head.good_until_ms, len(document.people),
        document.by[:KEY_SHOWN], since_ms, link is None,
    )  # fmt: skip


async def keep_people(keeper: PeopleKeeper | None, service: Service, link: BusLink | None) -> None:
    """Begin with the directory that is there, and take those that are brought, until cancelled;
    what is wrong with it is reported to the table, and the status page says which it is.
    """
    if keeper is None:
        return
    state = service.state
    known = state.pit.directory if state is not None else None
    recorded = None if known is None else PeopleMark(known.serial, known.digest)
    await keeper.begin(recorded)
    problems = watch(service.offer, {PEOPLE: keeper.people.problem}, LOOK_S)
    async with asyncio.TaskGroup() as group:
        group.create_task(keeper.run(), name="people")
        group.create_task(problems, name="people look")
        while True:
            if (shown := directory_view(keeper.people, link)) != service.beside.directory:
                service.show_beside(replace(service.beside, directory=shown))
            await asyncio.sleep(LOOK_S)
