"""The table's line to the pit's bus, where its configuration names one."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import msgspec

from controller.access.people_keeper import PeopleKeeper
from controller.config.configuration import Config
from controller.record.build import build
from controller.record.disk_space import watch
from controller.record.files.signing import default_key_path, signer
from controller.service.loop import Service
from controller.service.status_view import status
from controller.table.alarms import BUS

if TYPE_CHECKING:
    from controller.bus.forwarder import Forwarder

#: The line is looked at this often.
LOOK_S: Final = 5.0


class BusRefused(Exception):
    """The bus cannot be reached as configured, whatever its servers do; the text says what to
    change.
    """


def check_bus(config: Config) -> None:
    """Raises `BusRefused` where something of this machine is missing for `[bus]`."""
    section = config.bus
    if section is None:
        return
    if find_spec("nats") is None:
        raise BusRefused(
            "[bus] needs nats-py: install the extra `bus` (pip install 'tablectl[bus]')"
        )
    if why := section.unusable():
        raise BusRefused(why)


def line_to(
    config: Config, service: Service, keeper: PeopleKeeper | None = None
) -> Forwarder | None:
    """What forwards the table's record, and brings people to `keeper`; None without `[bus]`.

    Raises `BusRefused`.
    """
    if config.bus is None:
        return None
    check_bus(config)
    from controller.bus.command_desk import CommandDesk  # noqa: PLC0415  (of the same extra)
    from controller.bus.forwarder import Forwarder  # noqa: PLC0415  (nats-py is an extra)
    from controller.bus.people_line import PeopleLine  # noqa: PLC0415  (of the same extra)
    from controller.bus.picture_desk import PictureDesk  # noqa: PLC0415  (of the same extra)

    encode = msgspec.json.Encoder().encode

    def shown() -> tuple[int, bytes]:
        now = status(service)
        return now.seq, encode(now)

    keys = config.pit.keys if config.pit else ()
    desk = None
    if keys:
        folder = config.record.folder
        sign = signer(folder, config.record.key_file or default_key_path(folder))
        desk = CommandDesk(config.table.name, keys, service, sign)
    people = None if keeper is None else PeopleLine(config.table.name, keeper.take)
    kept = service.evidence.get if service.evidence is not None else _none_kept
    pictures = PictureDesk(config.table.name, config.record.folder, kept)
    return Forwarder(
        config.table.name, config.record.folder, config.bus, status=shown,
        clock_ms=service.clock.wall_ms, software=build(), newest=service.recorder.newest_rows,
        commands=desk, people=people, pictures=pictures,
    )  # fmt: skip


def _none_kept(_name: str) -> bytes | None:
    """Of a table without a camera: what an earlier one saw is not looked for."""
    return None


async def forward(line: Forwarder | None, service: Service) -> None:
    """Forward until cancelled; reports the line's state to the table, which plays on regardless."""
    if line is None:
        return
    async with asyncio.TaskGroup() as group:
        group.create_task(line.run(), name="bus line")
        group.create_task(watch(service.offer, {BUS: line.link.problem}, LOOK_S), name="bus look")
        async for _ in service.changes():
            line.wake()
