"""A part of a service that fails by a defect of ours rests, and is tried again: the others go on.

Where what it fails of stands in a file or in the database, a new start would find it there again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from controller.host.defects import report

#: So long it rests.
AGAIN_S: Final = 5.0


async def tried_again(
    what: str,
    run: Callable[[], Coroutine[Any, Any, None]],
    rests: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Run a part until it is over, or cancelled; `what` is said of it in the log where it fails,
    and `rests` is called before it rests.
    """
    while True:
        running = asyncio.ensure_future(run())
        try:
            await asyncio.wait((running,))
        finally:
            running.cancel()
            await asyncio.wait((running,))
        error = None if running.cancelled() else running.exception()
        if isinstance(error, Exception):
            report(what, error)
            if rests is not None:
                await rests()
        elif error is not None:
            raise error
        elif not running.cancelled():
            return
        await asyncio.sleep(AGAIN_S)
