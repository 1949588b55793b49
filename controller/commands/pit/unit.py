"""What a pit's unit may reach: a drop-in with the addresses of broker, database and others.

And anywhere, where its pages are served beyond this machine, or alerts go to names of the Internet,
or people sign in by a provider that has one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.commands.drivers.reach import addresses, allowed, is_address
from controller.commands.drivers.units import UNITS
from controller.config.bus_section import is_loopback
from controller.pit.server.settings import PitConfig

SERVICE: Final = "tablectl-pit.service"
DROP_IN: Final = "10-servers.conf"
_PATH: Final = f"{UNITS}/{SERVICE}.d/{DROP_IN}"
_HEADER: Final = (
    "# Written by `tablectl pit --install`, from the servers that the configuration names.\n"
    "# Own changes go into another file (systemctl edit).\n"
)


def files(config: PitConfig, root: Path = Path("/")) -> dict[str, str]:
    """The text of the drop-in, by its path below the machine's `root`.

    What lies there counts where a server's name cannot be looked up now.
    """
    hosts = list(config.bus.hosts)
    if (server := config.archive.server) is not None:
        hosts.append(server)
    lines = ["[Service]"]
    outside = {(urlsplit(each.url).hostname or "", 443) for each in config.alerts.webhooks}
    outside |= set(config.oidc.servers) if config.oidc is not None else set()
    hosts += outside
    # Browsers come from anywhere; who may do what is decided by the sign-in. The addresses of a
    # service on the Internet change, and nobody would miss the alert that no longer goes out.
    is_open = not is_loopback(config.web.host) or bool(config.alerts.apprise)
    if is_open or not all(is_loopback(each) or is_address(each) for each, _ in outside):
        lines.append("IPAddressAllow=any")
    elif reached := addresses(hosts, known=allowed(root / _PATH)):
        lines.append(f"IPAddressAllow={' '.join(reached)}")
    return {_PATH: _HEADER + "\n".join(lines) + "\n"}
