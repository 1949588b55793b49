"""The periodic health checks of a running table: disk, copies, closed days, drift, software."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.config.sections import RecordSection
from controller.devices.inputs import Condition, Health
from controller.record.days.closed_days import ClosedDays
from controller.record.disk_space import COPY, DAYS, DISK, PICTURES, Check, Disk, watch
from controller.record.software import Software
from controller.service.loop import Service
from controller.table.queries.device_failures import SOFTWARE

#: How soon a table goes on once its new software is confirmed.
SOFTWARE_EVERY_S: Final = 1.0


async def check_record(service: Service, record: RecordSection, more: Mapping[str, Check]) -> None:
    """The disk, the second copy, what has drifted: watched like devices."""
    checks: dict[str, Check] = {
        DISK: Disk(record.folder, record.min_free_mb), DAYS: ClosedDays(record.folder), **more,
    }  # fmt: skip
    if record.second_copy is not None:
        checks[COPY] = service.copy_problem
    if service.evidence is not None:
        checks[PICTURES] = service.evidence.problem
    await watch(service.offer, checks, record.check_s)


async def check_software(service: Service, software: Software | None) -> None:
    """What `tablectl-update` has written about the release: each second, since people wait."""
    if software is not None:
        await watch(service.offer, {SOFTWARE: software}, SOFTWARE_EVERY_S)


async def report_trial(service: Service, software: Software | None) -> None:
    """Report new software on trial before any other input: until then play would be accepted."""
    if software is not None and software.on_trial:
        await service.offer(Health(SOFTWARE, Condition.DOWN, software()))
