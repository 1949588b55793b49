"""A receiver that fails twice has the message then, under one id, signed anew each time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.pit.alerts import webhook
from controller.pit.alerts.deliveries import Delivery
from controller.pit.alerts.schema import DELIVERIES
from controller.pit.alerts.sender import ReceiverRefused, Sender
from controller.pit.alerts.settings import AppriseService, Webhook
from controller.pit.alerts.webhook import read_webhooks
from tests.pit.alerts.alerting import Alerting
from tests.pit.alerts.http_receiver import ReceiverServer
from tests.pit.wall.statuses import hold
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SECRET = b"0123456789abcdef01234567"


async def test_it_is_tried_until_it_is_taken(
    engine: Engine, tmp_path: Path, server: ReceiverServer
) -> None:
    (tmp_path / "secret").write_text("whsec_" + base64.b64encode(SECRET).decode())
    hook = Webhook("pager", f"http://127.0.0.1:{server.server_port}/in", Path("secret"))
    pit = Alerting(engine, tmp_path, webhooks=(hook,))
    sender = Sender(engine, receivers := read_webhooks((hook,), tmp_path), pit.clock)
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    server.answers = [500, 302]
    for wait_s in (0, 0, 1, 0, 1, 1, 9):
        pit.now_ms += wait_s * 1_000
        sender.send_due(receivers[0])
    assert len(server.got) == 3
    assert len({headers["webhook-id"] for headers, _ in server.got}) == 1
    for headers, body in server.got:
        at = headers["webhook-timestamp"]
        signed = f"{headers['webhook-id']}.{at}.".encode() + body
        expected = base64.b64encode(hmac.digest(SECRET, signed, hashlib.sha256)).decode()
        assert headers["webhook-signature"] == f"v1,{expected}"
    notice = json.loads(server.got[-1][1])
    assert (notice["event"], notice["id"]) == ("opened", server.got[0][0]["webhook-id"])
    alert = notice["alert"]
    assert (alert["table"], alert["who"], alert["text"]) == ("T1", "floor", "A card was read twice")
    assert alert["since_ms"] < pit.now_ms
    pit.hear("T1")
    await pit.after(0)
    # Another replica sends what is left, from the database.
    Sender(engine, receivers, pit.clock).send_due(receivers[0])
    assert json.loads(server.got[-1][1])["event"] == "ended"
    with engine.connect() as connection:
        assert list(connection.execute(select(DELIVERIES))) == []


async def test_what_a_clock_that_was_far_ahead_put_off_is_sent_once_it_is_right(
    engine: Engine, tmp_path: Path, server: ReceiverServer
) -> None:
    (tmp_path / "secret").write_text("whsec_" + base64.b64encode(SECRET).decode())
    hook = Webhook("pager", f"http://127.0.0.1:{server.server_port}/in", Path("secret"))
    right_ms = (pit := Alerting(engine, tmp_path, webhooks=(hook,))).now_ms
    pit.now_ms += 5 * 365 * 86_400_000
    sender = Sender(engine, receivers := read_webhooks((hook,), tmp_path), pit.clock)
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    server.answers = [500]
    for _ in range(2):
        sender.send_due(receivers[0])
    assert len(server.got) == 1, "it is put off for a second"
    pit.now_ms = right_ms
    sender.send_due(receivers[0])
    assert len(server.got) == 2
    with engine.connect() as connection:
        assert list(connection.execute(select(DELIVERIES))) == []


class RaisingReceiver:
    """A receiver whose library raises whatever it likes."""

    name = "chat"
    address = "https://chat.example/token-of-it"

    def send(self, _delivery: Delivery, _at_ms: int) -> str:
        raise UnicodeError(self.address)


async def test_a_receiver_that_fails_with_anything_is_tried_again(
    engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = AppriseService("chat", Path("address"))
    pit = Alerting(engine, tmp_path, apprise=(service,))
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    sender = Sender(engine, (RaisingReceiver(),), pit.clock)
    for _ in range(2):
        sender.send_due(RaisingReceiver())
        pit.now_ms += 1_000
    with engine.connect() as connection:
        (waiting,) = connection.execute(select(DELIVERIES))
    assert (waiting.tries, waiting.left_ms) == (2, None)
    assert waiting.answer.startswith("nothing could be sent to chat (UnicodeError)")
    assert "token-of-it" not in caplog.text


def test_a_secret_is_refused_in_words(tmp_path: Path) -> None:
    hook = Webhook("pager", "https://pager.example/in", Path("secret"))
    for text, said in (
        ("short", "use 24 or more"),
        ("whsec_ü", "base64"),
        (None, "cannot be read"),
    ):
        (tmp_path / "secret").unlink(missing_ok=True)
        if text is not None:
            (tmp_path / "secret").write_text(text)
        with pytest.raises(ReceiverRefused, match=said):
            read_webhooks((hook,), tmp_path)


@contextmanager
def dripping(seconds: float) -> Iterator[int]:
    """The port of a receiver that answers with a byte now and then, for so long at most."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 204 No Content\r\nX-Slow: ")
                end_s = time.monotonic() + seconds
                while time.monotonic() < end_s and not over.wait(0.02):
                    try:
                        connection.sendall(b"x")
                    except OSError:
                        return  # the pit has let go
                connection.sendall(b"\r\n\r\n")

        over = threading.Event()
        thread = threading.Thread(target=drip)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            over.set()
            thread.join()


def test_a_receiver_that_answers_byte_by_byte_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "TIMEOUT_S", 0.3)
    with dripping(PATIENCE_S) as port:
        pager = webhook.WebhookReceiver("pager", f"http://127.0.0.1:{port}/in", SECRET)
        why = pager.send(Delivery(1, "m", "pager", "{}", 0), 1)
    assert why == "no whole answer came in 0.3 s"
