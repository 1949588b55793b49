"""Word to systemd: ready, alive, stopping (sd_notify(3)); silent where systemd did not start us."""

from __future__ import annotations

import logging
import os
import socket

log = logging.getLogger(__name__)


def sd_notify(message: str) -> None:
    """Send one message (`READY=1`, `WATCHDOG=1`, `STATUS=…`) to the service manager.

    A manager that does not take it, because it starts itself anew or its queue is full, is not
    waited for and stops nothing: it is logged. A manager that misses signs of life acts by itself.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
        try:
            to.sendto(message.encode(), socket.MSG_DONTWAIT, address)
        except OSError as error:
            log.warning("the service manager was not told %s: %s", message, error)


def watchdog_s() -> float | None:
    """How often systemd wants to hear from us, in seconds; None where it does not."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdecimal() else None
