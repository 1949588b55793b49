"""The page of a calibration on a web server of its own, for as long as the calibration runs."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator

from calibration.page import PageGuide
from calibration.page_app import create_page
from controller.assembly.cannot_start import CannotStart
from controller.assembly.web import WEB_STOP_S, bind
from controller.web.server.connections import REQUEST_SLOTS, Connections
from controller.web.server.server import WebServer
from controller.web.static_files import DRAWING

__all__ = ("CannotStart", "served")


@contextlib.asynccontextmanager
async def served(guide: PageGuide, port: int) -> AsyncIterator[str]:
    """Serve the page at `port` of this machine (0: any); its address with the key that opens it.

    Raises `CannotStart` where the port cannot be taken.
    """
    key = secrets.token_urlsafe(16)
    listening = bind("127.0.0.1", port)
    with contextlib.closing(listening):
        app = create_page(guide, key, DRAWING)
        web = WebServer(app, Connections(REQUEST_SLOTS), WEB_STOP_S)
        serving = asyncio.create_task(web.serve(sockets=[listening]))
        await web.up.wait()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/?key={key}"
        # A page that is open gets the last word, and hangs up.
        web.should_exit = True
        await serving
