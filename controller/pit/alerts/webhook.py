"""Alerts sent by HTTP, signed as Standard Webhooks says (standardwebhooks.com, version 1.0.0).

A receiver gets each message at least once, under one `webhook-id` however often it is tried: what
has an id that is known already is to be passed over.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import logging
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from controller.pit.alerts.settings import Webhook
from controller.pit.alerts.store import Delivery, due, put_off, sent

log: Final = logging.getLogger(__name__)

#: The wait after the first try; each is twice as long as the one before, up to `LONGEST_MS`.
FIRST_MS: Final = 1_000
LONGEST_MS: Final = 10 * 60_000
#: Some five hours.
MOST_TRIES: Final = 40
_TIMEOUT_S: Final = 10
_LOOK_S: Final = 1.0
_AT_ONCE: Final = 20
_SHORTEST: Final = 24
_PREFIX: Final = "whsec_"


class SecretRefused(ValueError):
    """A secret that cannot be used; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Receiver:
    """Who is told, and what messages are signed with."""

    name: str
    url: str
    secret: bytes = field(repr=False)


def read_secrets(webhooks: Iterable[Webhook], base: Path) -> tuple[Receiver, ...]:
    """The receivers, with their secrets read from files beside the configuration.

    Raises `SecretRefused`.
    """
    return tuple(Receiver(each.name, each.url, _secret(each, base)) for each in webhooks)


def _secret(webhook: Webhook, base: Path) -> bytes:
    named = f"alerts.webhooks: secret_file of {webhook.name}"
    try:
        text = (base / webhook.secret_file).read_text(encoding="utf-8").strip()
        is_coded = text.startswith(_PREFIX)
        coded = text.removeprefix(_PREFIX)
        secret = base64.b64decode(coded, validate=True) if is_coded else text.encode()
    except (OSError, UnicodeDecodeError) as error:
        raise SecretRefused(f"{named} cannot be read ({error}): the pit must find it") from error
    except ValueError as error:
        raise SecretRefused(f"{named} is no base64 after {_PREFIX}: copy it anew") from error
    if len(secret) < _SHORTEST:
        raise SecretRefused(f"{named} has {len(secret)} bytes: use {_SHORTEST} or more")
    return secret


def signature(secret: bytes, message: str, at_s: int, body: bytes) -> str:
    """The value of `webhook-signature`: HMAC-SHA256 over id, time and body."""
    signed = b"%b.%d.%b" % (message.encode(), at_s, body)
    return "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Nobody but the receiver that is configured gets the message."""


class Sender:
    """Sends what waits for receivers; `clock_ms` is the pit's wall time."""

    def __init__(
        self, engine: Engine, receivers: tuple[Receiver, ...], clock_ms: Callable[[], int]
    ) -> None:
        self._engine = engine
        self._receivers = receivers
        self._clock_ms = clock_ms
        self._opener = urllib.request.build_opener(_NoRedirect())

    async def run(self, is_on_duty: Callable[[], bool]) -> None:
        """Send while this pit is on duty, until cancelled; a slow receiver delays no other."""
        async with asyncio.TaskGroup() as group:
            for each in self._receivers:
                group.create_task(self._follow(each, is_on_duty), name=f"alerts to {each.name}")

    async def _follow(self, receiver: Receiver, is_on_duty: Callable[[], bool]) -> None:
        while True:
            if is_on_duty():
                try:
                    await asyncio.to_thread(self.send_due, receiver)
                except DBAPIError as error:
                    log.warning("alerts: the database does not answer (%s)", error.orig)
            await asyncio.sleep(_LOOK_S)

    def send_due(self, receiver: Receiver) -> None:
        """Send what is due to a receiver. Blocks. Raises `DBAPIError`."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            waiting = due(connection, receiver.name, self._clock_ms(), _AT_ONCE)
        for each in waiting:
            why = self._send(receiver, each)
            tries = each.tries + 1
            if why:
                log.warning("alert %s did not reach %s: %s", each.message, receiver.name, why)
            with self._engine.begin() as connection:
                if why and tries < MOST_TRIES:
                    wait_ms = min(FIRST_MS * 2**each.tries, LONGEST_MS)
                    put_off(connection, each.number, tries, self._clock_ms() + wait_ms)
                else:
                    sent(connection, each.number)
            if why:
                # The others would wait as long for an answer.
                return

    def _send(self, receiver: Receiver, delivery: Delivery) -> str:
        """Why the receiver did not take it; empty: it did."""
        body, at_s = delivery.body.encode(), self._clock_ms() // 1_000
        headers = {
            "Content-Type": "application/json",
            "webhook-id": delivery.message,
            "webhook-timestamp": str(at_s),
            "webhook-signature": signature(receiver.secret, delivery.message, at_s, body),
        }
        request = urllib.request.Request(receiver.url, body, headers, method="POST")  # noqa: S310
        try:
            with self._opener.open(request, timeout=_TIMEOUT_S):
                return ""
        except urllib.error.HTTPError as error:
            error.close()
            return f"it answered {error.code}"
        except (OSError, HTTPException) as error:
            return str(error) or type(error).__name__
