"""What a web server needs of the machine, a table's and a pit's alike: its port, and open files."""

from __future__ import annotations

from controller.assembly.cannot_start import CannotStart
from controller.assembly.web import bind
from controller.commands.doctor.finding import CheckFinding, bad, good, not_yet
from controller.web.server.descriptors import TooFewDescriptors, reserve_descriptors
from controller.web.settings import WebSettings


def web_port(host: str, number: int, *, running: bool) -> CheckFinding:
    """Whether the port can be bound; not while the service is `running`, which has it."""
    what = f"port {number} of {host}"
    if running:
        return not_yet("web.port", what, "The service runs and has it")
    try:
        bind(host, number).close()
    except CannotStart as error:
        return bad("web.port", what, str(error), "ss -ltnp")
    return good("web.port", what)


def open_files(max_viewers: int, unit: str) -> CheckFinding:
    """Whether `unit` may open a file for each connection of so many viewers."""
    try:
        reserve_descriptors(WebSettings("-", max_viewers=max_viewers).max_connections)
    except TooFewDescriptors as error:
        return bad("descriptors", "open files", str(error), f"systemctl edit {unit}")
    return good("descriptors", "open files")
