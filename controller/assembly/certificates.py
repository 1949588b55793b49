"""The certificates that a configuration names: which section each is of, and whether it fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from calibration.certificate import CertificateRefused, check
from controller.config.configuration import Config
from controller.config.device_sections import DeviceSettings
from controller.service.timekeeping.calendar import clock_synchronised
from drivers.settings.camera import CameraSettings
from drivers.settings.scanner import ScannerSettings

#: The section of the configuration that each calibration measures and writes.
SECTIONS: Final = {
    "camera": "camera", "codes": "scanner", "leds": "leds", "buttons": "buttons", "beam": "beam",
}  # fmt: skip
#: The name by which a camera's certificate knows the networks that read for it.
NETWORKS: Final = "networks"
NETWORKS_FILE: Final = Path(__file__).parents[2] / "drivers" / "vision" / "models" / "nets.json"


def belongings(settings: DeviceSettings, base: Path) -> dict[str, Path]:
    """What belongs to a device besides its settings, by the names of its certificate."""
    if isinstance(settings, ScannerSettings):
        return {settings.codes: base / settings.codes}
    if isinstance(settings, CameraSettings) and settings.deck is not None:
        return {str(settings.deck): base / settings.deck, NETWORKS: NETWORKS_FILE}
    return {}


def check_certificates(
    config: Config,
    now_ms: int,
    only: str = "",
    synchronised: Callable[[], bool] | None = None,
) -> None:
    """Each certificate that is named (or that of `only`) must fit its device.

    A clock that is behind one of them, and that nothing keeps, is wrong itself: how old a
    certificate is cannot be told then, and it is taken. `synchronised` (None: the system) says
    whether something keeps it. Raises `CertificateRefused`.
    """
    for kind, path in config.certified.items():
        if only not in ("", kind):
            continue
        section = SECTIONS[kind]
        settings = config.devices.section(section)
        if settings is None:
            raise CertificateRefused(
                f"certificates.{kind}: there is no [{section}] for it: remove it"
            )
        check(
            path, kind, settings, now_ms=now_ms, max_age_days=config.certificates.max_age_days,
            synchronised=synchronised or clock_synchronised,
            files=belongings(settings, config.base),
        )  # fmt: skip
