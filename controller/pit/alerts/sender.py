"""Sends what waits for receivers of alerts, again and again until they have taken it.

What was tried in vain so often that nobody would read it in time is left, and becomes an alert.
Each receiver has a thread of its own, since it may take long not to answer: whatever else blocks in
the pit (who signs in, the duty to archive) waits for none. A broad `except` stands here: a
receiver's library may raise anything, and the others go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Protocol

from sqlalchemy import Engine

from controller.host.defects import report
from controller.host.tried_again import tried_again
from controller.pit.alerts.deliveries import LONGEST_MS, Delivery, due, leave, put_off, sent
from controller.pit.archive.storage.database import NO_ANSWER, why_none

log: Final = logging.getLogger(__name__)

#: The wait after the first try; each is twice as long as the one before, up to `LONGEST_MS`.
FIRST_MS: Final = 1_000
#: Some five hours.
MOST_TRIES: Final = 40
_LOOK_S: Final = 1.0
_AT_ONCE: Final = 20


class ReceiverRefused(ValueError):
    """A receiver that cannot be used as it is configured; the text says what to change."""


class AlertReceiver(Protocol):
    """A receiver of alerts. `name` is the configuration's."""

    @property
    def name(self) -> str:
        """Its name in the configuration."""

    def send(self, delivery: Delivery, at_ms: int) -> str:
        """Try once, at the pit's wall time; why it was not taken, empty: it was. Blocks."""


class Sender:
    """Sends what waits for receivers; `clock_ms` is the pit's wall time."""

    def __init__(
        self, engine: Engine, receivers: Sequence[AlertReceiver], clock_ms: Callable[[], int]
    ) -> None:
        self._engine = engine
        self._receivers = receivers
        self._clock_ms = clock_ms

    async def run(self, is_on_duty: Callable[[], bool]) -> None:
        """Send while this pit is on duty, until cancelled; a slow receiver delays no other."""
        async with asyncio.TaskGroup() as group:
            for each in self._receivers:
                follow = partial(self._follow, each, is_on_duty)
                what = f"nothing is sent to {each.name}"
                group.create_task(tried_again(what, follow), name=f"alerts to {each.name}")

    async def _follow(self, receiver: AlertReceiver, is_on_duty: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(1, f"tablectl-alerts-{receiver.name}")
        try:
            while True:
                if is_on_duty():
                    try:
                        await loop.run_in_executor(thread, self.send_due, receiver)
                    except NO_ANSWER as error:
                        log.warning("alerts: the database does not answer (%s)", why_none(error))
                await asyncio.sleep(_LOOK_S)
        finally:
            # Nobody waits for a try: its message is in the database until it was taken.
            thread.shutdown(wait=False, cancel_futures=True)

    def send_due(self, receiver: AlertReceiver) -> None:
        """Send what is due to a receiver. Blocks. Raises `DBAPIError`."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            waiting = due(connection, receiver.name, self._clock_ms(), _AT_ONCE)
        for each in waiting:
            why = _tried(receiver, each, self._clock_ms())
            tries = each.tries + 1
            if why:
                log.warning("alert %s did not reach %s: %s", each.message, receiver.name, why)
            with self._engine.begin() as connection:
                if not why:
                    sent(connection, each.number)
                elif tries < MOST_TRIES:
                    wait_ms = min(FIRST_MS * 2**each.tries, LONGEST_MS)
                    put_off(connection, each.number, tries, self._clock_ms() + wait_ms, why)
                else:
                    leave(connection, each, tries, self._clock_ms(), why)
            if why:
                # The others would wait as long for an answer.
                return


def _tried(receiver: AlertReceiver, delivery: Delivery, at_ms: int) -> str:
    """Why it was not taken; empty: it was."""
    try:
        return receiver.send(delivery, at_ms)
    except Exception as error:  # noqa: BLE001  (see the head of this file)
        # Never its text: it may be an address, which can be a secret of its own.
        return report(f"nothing could be sent to {receiver.name}", error)
