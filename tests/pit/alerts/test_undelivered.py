"""What forty tries did not deliver is an alert, is listed without a secret, and is sent by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.alerts.deliveries import MOST_LEFT, Delivery, leave
from controller.pit.alerts.schema import DELIVERIES
from controller.pit.alerts.sender import MOST_TRIES, Sender
from controller.pit.alerts.settings import Webhook
from controller.pit.alerts.webhook import WebhookReceiver, read_webhooks
from controller.pit.api.client import PitProblem
from controller.pit.archive.overview import Overview
from controller.pit.server.app import create_pit_app
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.alerts.alerting import Alerting
from tests.pit.alerts.http_receiver import ReceiverServer
from tests.pit.sign_in.pages_of import ORIGIN, Browser
from tests.pit.wall.statuses import hold

pytestmark = pytest.mark.anyio
SECRET = "0123456789abcdef01234567"
LONGEST_S = 600


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnownAccounts]:
    found = known_in(tmp_path)
    yield found
    found.engine.dispose()


class Told:
    """A pit whose pager answers as the test says, and a chat that takes everything."""

    def __init__(self, known: KnownAccounts, folder: Path, server: ReceiverServer) -> None:
        (folder / "secret").write_text(SECRET)
        address = f"http://127.0.0.1:{server.server_port}"
        hooks = tuple(
            Webhook(name, f"{address}/{name}/token-of-it", Path("secret"))
            for name in ("pager", "chat")
        )
        self.pit = Alerting(known.engine, folder, known.clock.now_ms, webhooks=hooks)
        self.receivers = read_webhooks(hooks, folder)
        self.sender = Sender(known.engine, self.receivers, self.pit.clock)
        self.server = server

    def app(self, known: KnownAccounts) -> FastAPI:
        nothing = Overview(0, "", True, (), ())
        return create_pit_app(
            self.pit.wall, lambda: nothing, known.accounts, 10, ORIGIN, alerts=self.pit.settings
        )

    async def in_vain(self, status: int = 500) -> None:
        """The pager is tried as often as it is; what it was sent is taken away."""
        pager = self.receivers[0]
        self.server.answers = [status] * MOST_TRIES
        for _ in range(MOST_TRIES):
            self.sender.send_due(pager)
            self.pit.now_ms += LONGEST_S * 1_000
        assert self.server.answers == []
        self.sender.send_due(pager)


@pytest.fixture
def told(known: KnownAccounts, tmp_path: Path, server: ReceiverServer) -> Told:
    return Told(known, tmp_path, server)


async def held(told: Told) -> None:
    await told.pit.after(0)
    told.pit.hear("T1", holds=[hold(since_ms=told.pit.now_ms - 121_000)])
    await told.pit.after(0)


async def test_what_was_tried_in_vain_stands_there_and_is_sent_by_hand(
    known: KnownAccounts, told: Told
) -> None:
    await held(told)
    began_ms = told.pit.now_ms
    await told.in_vain()
    sent = len(told.server.got)
    assert sent == MOST_TRIES
    # The table is asked for again: it was silent for hours.
    told.pit.hear("T1", holds=[hold(since_ms=began_ms - 121_000)])
    assert "receiver:pager" in await told.pit.after(0)
    app = told.app(known)
    floor = Browser(app, known.enters(known.add("Aino", PitRole.FLOOR)).session)
    (left,) = (await floor.api.alerts()).undelivered
    assert (left.receiver, left.event, left.tries) == ("pager", "opened", MOST_TRIES)
    assert (left.since_ms, left.answer) == (began_ms, "it answered 500")
    page = (await floor.get("/alerts")).text
    for said in ("pager never took a message", "it answered 500", "Send again", "1 not taken"):
        assert said in page, said
    for secret in (SECRET, "token-of-it", str(told.server.server_port)):
        assert secret not in page
        assert secret not in (await floor.http.get("/api/v1/alerts")).text
    viewer = Browser(app, known.enters(known.add("Eero", PitRole.VIEWER)).session)
    assert "Send again" not in (await viewer.get("/alerts")).text
    # Others are told of it, and the pager itself is not.
    told.sender.send_due(told.receivers[1])
    bodies = [body for _, body in told.server.got[sent:]]
    assert any(b"pager never took" in each for each in bodies)
    assert (await floor.post("/alerts/send", message=str(left.number))).status_code == 303
    told.sender.send_due(told.receivers[0])
    again = [headers["webhook-id"] for headers, body in told.server.got if b"opened" in body]
    assert again.count(told.server.got[0][0]["webhook-id"]) > MOST_TRIES
    assert (await floor.api.alerts()).undelivered == ()
    assert (await floor.post("/alerts/send", message=str(left.number))).status_code == 404
    told.pit.now_ms += 6_000
    assert "receiver:pager" not in await told.pit.after(0)
    with known.engine.connect() as connection:
        newest = newest_rows(connection, 1)[0]
    assert (newest.who, newest.act) == ("Aino", "sent_alert_again")
    assert newest.about == f"message {left.number} to pager"


async def test_it_is_forgotten_or_sent_again_by_whoever_answers_alerts(
    known: KnownAccounts, told: Told
) -> None:
    await held(told)
    await told.in_vain(302)
    app = told.app(known)
    floor = Browser(app, known.enters(known.add("Aino", PitRole.FLOOR)).session)
    (left,) = (await floor.api.alerts()).undelivered
    assert (await floor.api.send_alert_again(left.number)).receiver == "pager"
    for wrong in (left.number, 10**12):
        with pytest.raises(PitProblem) as refused:
            await floor.api.send_alert_again(wrong)
        assert refused.value.status == 404
    await told.in_vain()
    assert (await floor.post("/alerts/forget", message=str(left.number))).status_code == 303
    assert (await floor.api.alerts()).undelivered == ()


async def test_how_many_are_on_their_way_and_were_never_taken_is_measured(
    known: KnownAccounts, told: Told
) -> None:
    await held(told)
    await told.in_vain()
    engineer = Browser(told.app(known), known.enters(known.add("Eeva", PitRole.ENGINEER)).session)
    figures = (await engineer.http.get("/metrics")).text
    for line in (
        'tablectl_pit_alert_messages_undelivered{receiver="pager"} 1.0',
        'tablectl_pit_alert_messages_undelivered{receiver="chat"} 0.0',
        'tablectl_pit_alert_messages_waiting{receiver="chat"} 1.0',
    ):
        assert line in figures, line


async def test_an_answer_says_no_address(tmp_path: Path) -> None:
    body = Delivery(1, "m", "pager", "{}", 0)
    for url in ("http://127.0.0.1:9/secret-path", "http://127.0.0.1:9/a\x00secret-path"):
        why = WebhookReceiver("pager", url, SECRET.encode()).send(body, 1)
        assert why
        assert "secret-path" not in why


async def test_of_what_was_left_the_oldest_goes(known: KnownAccounts, told: Told) -> None:
    await held(told)
    with known.engine.begin() as connection:
        (row,) = connection.execute(
            DELIVERIES.select().where(DELIVERIES.c.receiver == "pager")
        ).mappings()
        for number in range(MOST_LEFT + 3):
            values = {**row, "id": 1_000 + number, "message": f"m{number}"}
            connection.execute(DELIVERIES.insert().values(values))
            delivery = Delivery(1_000 + number, f"m{number}", "pager", row["body"], 39)
            leave(connection, delivery, 40, 5_000, "it answered 500")
        left = connection.execute(
            DELIVERIES.select().where(DELIVERIES.c.left_ms.is_not(None))
        ).all()
    assert len(left) == MOST_LEFT
    assert min(each.id for each in left) == 1_003
