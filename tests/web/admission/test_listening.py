"""A port that two programs took at once is the first one's, and the other says so in a sentence."""

from __future__ import annotations

import contextlib
import socket

import pytest

from controller.assembly.cannot_start import CannotStart
from controller.assembly.web import bind, listen


def test_of_two_that_have_bound_one_port_the_first_that_listens_has_it() -> None:
    """Before either listens the kernel lets both have it: each may be started again at once."""
    with contextlib.closing(bind("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        with contextlib.closing(bind("127.0.0.1", port)) as second:
            listen(first)
            with pytest.raises(CannotStart, match=rf"port {port} of 127\.0\.0\.1 cannot be used"):
                listen(second)
        with socket.create_connection(("127.0.0.1", port), 60):
            pass
        with pytest.raises(CannotStart, match="stop what has it, or choose another"):
            bind("127.0.0.1", port)
