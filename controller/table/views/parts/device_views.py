"""How each device is: for a technician on the status page, for the dealer on the display."""

from __future__ import annotations

from controller.devices.displays import DeviceView
from controller.table.alarms import PIT_ALONE
from controller.table.queries.device_failures import reported, trouble
from controller.table.state.state import State
from controller.table.views.english import say


def device_views(state: State) -> tuple[DeviceView, ...]:
    """How each device is, for a technician; card sources that have not come up yet are down."""
    return tuple(
        DeviceView(name, why is None, say(why) if why is not None else "")
        for name, why in reported(state)
    )


def dealer_device_views(state: State) -> tuple[DeviceView, ...]:
    """How each device is, for the dealer: what to do with hands, if there is anything to do."""
    return tuple(
        DeviceView(name, why is None, say(trouble(name, why).sentence) if why is not None else "")
        for name, why in reported(state)
        if name not in PIT_ALONE
    )
