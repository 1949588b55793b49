"""Takes over a configuration that was read anew: between rounds, and on record."""

from __future__ import annotations

from dataclasses import replace

from controller.service.loop import Service
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Reload, Setup
from controller.table.state import State


def is_between_rounds(state: State) -> bool:
    """Whether a setup may change: no round is in play and no bet lies."""
    return state.in_play is None and not state.betting.wagers


async def take_over(service: Service, setup: Setup, alarms: AlarmTimes) -> None:
    """Returns once the table runs by these, which may be rounds later."""
    async for _ in service.changes():
        if service.state is not None and is_between_rounds(service.state):
            reply = await service.submit(Reload(setup, alarms), None, None)
            if reply.accepted:
                service.start = replace(service.start, setup=setup, alarms=alarms)
                return
