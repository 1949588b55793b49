"""Puts a table together from its configuration and runs it: the one place that knows all parts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import uvicorn

from controller.access import TokenError
from controller.config import Config
from controller.journal import JournalBusy
from controller.service import SetupRefused

if TYPE_CHECKING:
    pass

log = logging.getLogger(__name__)

SCANNER: Final = "scanner"
#: How long the web may take to let its viewers go when the service stops.
WEB_STOP_S: Final = 2


class CannotStart(Exception):
    """The table cannot start as configured; the text says what to change."""


class _Web(uvicorn.Server):
    """Uvicorn inside our loop: signals are ours."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run_table(config: Config, *, allow_simulated: bool) -> int:
    """Run the table until it is told to stop. Raises `CannotStart`; returns the exit status."""
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        return asyncio.run(_run(config, allow_simulated=allow_simulated))
    except (TokenError, JournalBusy, SetupRefused) as error:
        raise CannotStart(str(error)) from error
