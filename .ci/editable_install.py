"""Build hook: an editable install has the simulated world, so it has its pin factory, too.

gpiozero finds factories by their entry point. In a table's release it would name a module that is
not there, and a production service has no use for simulated pins.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EditableInstall(BuildHookInterface):
    """Adds the entry points of the simulated pins."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built; `version` is `editable` or `standard`."""
        if version == "editable":
            self.metadata.core.entry_points["gpiozero_pin_factories"] = {
                "tablectl_sim": "sim_hw.devices.pin_factory:SimFactory",
                "tablectl_gpio_sim": "sim_hw.devices.kernel_pins:KernelPins",
            }
