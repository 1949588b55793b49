"""Keeps descriptors for the record and the devices, whatever is connected to the web."""

from __future__ import annotations

import resource
from typing import Final

#: What everything but the web may have open at a time: record and its copy, ports, cameras, pins,
#: the guard, and room to open each of them anew.
OWN: Final = 128


class TooFewDescriptors(Exception):
    """The system allows too few descriptors; the text says what to change."""


def reserve_descriptors(connections: int) -> None:
    """Let the process have as many descriptors as `connections` and all else take.

    Raises `TooFewDescriptors` where the system does not allow that many.
    """
    needed = connections + OWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    except (ValueError, OSError):
        raise TooFewDescriptors(
            f"{needed} descriptors are needed, {soft} are allowed: lower web.max_viewers, or raise"
            " LimitNOFILE= of the service's unit (a shell's `ulimit -n`)"
        ) from None
