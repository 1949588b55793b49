"""A pause of the world, as short as it is asked to be."""

from __future__ import annotations

import asyncio
from typing import Final

#: A sleep of the event loop takes a millisecond at the least: what is shorter takes no time.
SHORTEST_S: Final = 0.0005


async def pause(for_s: float) -> None:
    """Let `for_s` go by; others have their turn even where that is no time."""
    await asyncio.sleep(for_s if for_s >= SHORTEST_S else 0)
