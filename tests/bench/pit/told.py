"""A process of its own that does what it is told, one order after the other, and answers each."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any


@contextmanager
def told_process(target: Callable[..., None], *args: Any) -> Iterator[Connection]:
    """`target(*args, end)` in a process that begins afresh; it ends when this end is closed."""
    spawned = multiprocessing.get_context("spawn")
    here, there = spawned.Pipe()
    process = spawned.Process(target=target, args=(*args, there))
    process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.join()


async def orders(told: Connection) -> AsyncIterator[Any]:
    """What comes from the other end, until that is closed; the loop goes on meanwhile."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(told.fileno(), came.set)
    try:
        while True:
            await came.wait()
            came.clear()
            while told.poll():
                yield told.recv()
    except EOFError:
        return
    finally:
        loop.remove_reader(told.fileno())
