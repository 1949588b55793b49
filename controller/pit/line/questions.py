"""A question to a table over the bus, and why there may be no answer."""

from __future__ import annotations

from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from controller.bus.connection import BusClient


class NobodyThere(Exception):
    """No table listens there."""


class NoAnswer(Exception):
    """Nothing came back: whether the table had the question is not known."""


class NotLet(Exception):
    """The broker's configuration does not let the pit ask that."""


async def asked(client: BusClient, subject: str, body: bytes, wait_s: float) -> bytes:
    """A table's answer. Raises `NobodyThere`, `NoAnswer`."""
    if not client.is_connected:
        raise NobodyThere
    try:
        answer = await client.request(subject, body, timeout=wait_s)
    except NoRespondersError as error:
        raise NobodyThere from error
    except (NatsError, OSError, TimeoutError) as error:
        raise NoAnswer from error
    return answer.data
