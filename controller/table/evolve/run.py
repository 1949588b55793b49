"""What facts about the running service change: its start, its devices, and PINs that were wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.rules.messages import Message
from controller.table import facts as f
from controller.table.evolve.shoe import Changes
from controller.table.growing import changed
from controller.table.state.parts import WRONG_PINS_KEPT, ServiceRun, WrongPinsNoted
from controller.table.state.state import State


def _service_started(state: State, fact: f.ServiceStarted, at_ms: int) -> Changes:
    run = ServiceRun(
        fact.software, fact.decisions, fact.card_sources, fact.simulated, fact.alarms,
        fact.print_key,
    )  # fmt: skip
    commands = changed(state.commands, {"named": None})
    # Its clock may be that of a machine that was started, and counts from 0 again.
    after = changed(state.aftermath, {"held_until_ns": 0})
    return {"run": run, "commands": commands, "aftermath": after}


def _alarm_times_set(state: State, fact: f.AlarmTimesSet, at_ms: int) -> Changes:
    return {"run": changed(state.run, {"alarm_times": fact.alarms})}


def _device_up(state: State, fact: f.DeviceUp, at_ms: int) -> Changes:
    return _device(state, fact.device, None)


def _device_down(state: State, fact: f.DeviceDown, at_ms: int) -> Changes:
    return _device(state, fact.device, fact.why)


def _device(state: State, device: str, why: Message | None) -> Changes:
    return {"run": changed(state.run, {"devices": {**state.run.devices, device: why}})}


def _wrong_pins(state: State, fact: f.WrongPins, at_ms: int) -> Changes:
    noted = WrongPinsNoted(fact.person, fact.wrong, fact.locked_s, at_ms)
    newest = (*state.people.wrong_pins, noted)[-WRONG_PINS_KEPT:]
    return {"people": changed(state.people, {"wrong_pins": newest})}


#: Which function says what a fact of the service's run changes.
RUN_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.ServiceStarted: _service_started,
    f.AlarmTimesSet: _alarm_times_set,
    f.DeviceUp: _device_up,
    f.DeviceDown: _device_down,
    f.WrongPins: _wrong_pins,
}
