"""The port that a web listens at: a table's and a pit's alike."""

from __future__ import annotations

import socket
from typing import Final

from controller.web.server.arrivals import stamp_arrivals

#: Connections that wait to be accepted.
BACKLOG: Final = 128


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that is bound to that port (0: any). Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    stamp_arrivals(listening)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


def start_listening(bound: socket.socket) -> None:
    """Let connections come in at a socket of `bound_socket`; they wait until they are accepted.

    Raises `OSError`: of two programs that have bound one port the first that listens has it.
    """
    bound.listen(BACKLOG)


def cannot_listen(host: str, port: int, error: OSError) -> str:
    """What is said where it is not to be had."""
    return (
        f"port {port} of {host} cannot be used ({error.strerror}): "
        "stop what has it, or choose another web.port"
    )
