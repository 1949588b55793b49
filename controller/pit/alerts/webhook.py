"""Alerts sent by HTTP, signed as Standard Webhooks says (standardwebhooks.com, version 1.0.0).

A receiver gets each message at least once, under one `webhook-id` however often it is tried: what
has an id that is known already is to be passed over.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from controller.pit.alerts.deliveries import Delivery
from controller.pit.alerts.sender import ReceiverRefused
from controller.pit.alerts.settings import Webhook

TIMEOUT_S: Final = 10
_SHORTEST: Final = 24
_PREFIX: Final = "whsec_"


def read_webhooks(webhooks: Iterable[Webhook], base: Path) -> tuple[WebhookReceiver, ...]:
    """The receivers, with their secrets read from files beside the configuration.

    Raises `ReceiverRefused`.
    """
    return tuple(WebhookReceiver(each.name, each.url, _secret(each, base)) for each in webhooks)


def _secret(webhook: Webhook, base: Path) -> bytes:
    named = f"alerts.webhooks: secret_file of {webhook.name}"
    try:
        text = (base / webhook.secret_file).read_text(encoding="utf-8").strip()
        is_coded = text.startswith(_PREFIX)
        coded = text.removeprefix(_PREFIX)
        secret = base64.b64decode(coded, validate=True) if is_coded else text.encode()
    except (OSError, UnicodeDecodeError) as error:
        raise ReceiverRefused(f"{named} cannot be read ({error}): the pit must find it") from error
    except ValueError as error:
        raise ReceiverRefused(f"{named} is no base64 after {_PREFIX}: copy it anew") from error
    if len(secret) < _SHORTEST:
        raise ReceiverRefused(f"{named} has {len(secret)} bytes: use {_SHORTEST} or more")
    return secret


def signature(secret: bytes, message: str, at_s: int, body: bytes) -> str:
    """The value of `webhook-signature`: HMAC-SHA256 over id, time and body."""
    signed = b"%b.%d.%b" % (message.encode(), at_s, body)
    return "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


class _InTime(http.client.HTTPConnection):
    """A connection on which a whole answer comes in time: each single read has that, too, and a
    receiver that sends a byte now and then would keep its thread for ever.
    """

    def getresponse(self) -> http.client.HTTPResponse:
        """The answer, its body apart. Raises `TimeoutError`."""
        over, sock = threading.Event(), self.sock

        def cut() -> None:
            over.set()
            with suppress(OSError):  # the other end was quicker
                sock.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(TIMEOUT_S, cut)
        timer.start()
        try:
            answer = super().getresponse()
            if not over.is_set():
                return answer
            answer.close()  # it ends where it was cut, and may look whole
        except (OSError, HTTPException):
            if not over.is_set():
                raise
        finally:
            timer.cancel()
            timer.join()
        raise TimeoutError(f"no whole answer came in {TIMEOUT_S} s")


class _SecretInTime(_InTime, http.client.HTTPSConnection):
    """The same by TLS."""


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """By a connection that ends in time."""
        return self.do_open(_InTime, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """By a connection that ends in time."""
        return self.do_open(_SecretInTime, req)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Nobody but the receiver that is configured gets the message."""


_OPENER: Final = urllib.request.build_opener(_NoRedirect(), _Http(), _Https())


@dataclass(frozen=True, slots=True)
class WebhookReceiver:
    """A receiver over HTTP, and the key that signs its messages."""

    name: str
    url: str
    secret: bytes = field(repr=False)

    def send(self, delivery: Delivery, at_ms: int) -> str:
        """Why the receiver did not take it; empty: it did."""
        body, at_s = delivery.body.encode(), at_ms // 1_000
        headers = {
            "Content-Type": "application/json",
            "webhook-id": delivery.message,
            "webhook-timestamp": str(at_s),
            "webhook-signature": signature(self.secret, delivery.message, at_s, body),
        }
        request = urllib.request.Request(self.url, body, headers, method="POST")  # noqa: S310
        try:
            with _OPENER.open(request, timeout=TIMEOUT_S):
                return ""
        except urllib.error.HTTPError as error:
            error.close()
            return f"it answered {error.code}"
        except urllib.error.URLError as error:
            return str(error.reason) or type(error.reason).__name__
        except OSError as error:
            return str(error) or type(error).__name__
        except HTTPException as error:
            # What these say may be the address, which can be a secret of its own.
            return f"its answer was no HTTP ({type(error).__name__})"
