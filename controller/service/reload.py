"""Takes over a configuration that was read anew: between rounds, and on record."""

from __future__ import annotations

from controller.rules.messages import message
from controller.service.loop import Service
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Reload, Setup
from controller.table.state.state import State
from controller.table.views.english import say


def is_between_rounds(state: State | None) -> bool:
    """Whether a setup may change: no round is in play and no bet lies."""
    return state is not None and state.in_play is None and not state.betting.wagers


class NotTakenOver(Exception):
    """The table does not take a configuration; the text says why."""


async def take_over(service: Service, setup: Setup, alarms: AlarmTimes) -> None:
    """Returns once the table runs by these, which may be rounds later. Raises `NotTakenOver`."""
    async for _ in service.changes():
        if not is_between_rounds(service.state):
            continue
        reply = await service.submit(Reload(setup, alarms), None, None)
        if reply.refused is None:
            return
        # A bet that came first is waited for. Anything else would be refused again and again.
        if is_between_rounds(service.state):
            raise NotTakenOver(say(reply.refused))
    raise NotTakenOver(say(message("service-is-stopping")))
