"""What a pit's unit may reach: a drop-in with the addresses of broker and database.

And anywhere, where its pages are served beyond this machine.
"""

from __future__ import annotations

from typing import Final

from controller.commands.drivers.reach import addresses
from controller.commands.drivers.units import UNITS
from controller.config.bus_section import is_loopback
from controller.pit.settings import PitConfig

SERVICE: Final = "tablectl-pit.service"
DROP_IN: Final = "10-servers.conf"
_HEADER: Final = (
    "# Written by `tablectl pit --install`, from the servers that the configuration names.\n"
    "# Own changes go into another file (systemctl edit).\n"
)


def files(config: PitConfig) -> dict[str, str]:
    """The text of the drop-in, by its path below the machine's root."""
    hosts = list(config.bus.hosts)
    if (server := config.archive.server) is not None:
        hosts.append(server)
    lines = ["[Service]"]
    if not is_loopback(config.web.host):
        # Browsers come from anywhere; who may do what is decided by the sign-in.
        lines.append("IPAddressAllow=any")
    elif reached := addresses(hosts):
        lines.append(f"IPAddressAllow={' '.join(reached)}")
    return {f"{UNITS}/{SERVICE}.d/{DROP_IN}": _HEADER + "\n".join(lines) + "\n"}
