"""A service that Apprise reaches is told in words until it takes them; no log has its password."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.pit.alerts.apprise_receiver import in_words
from controller.pit.alerts.deliveries import AlertMessage
from controller.pit.alerts.receivers import read_receivers
from controller.pit.alerts.schema import DELIVERIES
from controller.pit.alerts.sender import ReceiverRefused, Sender
from controller.pit.alerts.settings import AlertSettings, AppriseService
from controller.pit.alerts.store import answer
from controller.pit.house_time import HouseTime
from controller.pit.wall.alert_view import AlertView
from tests.pit.alerts.alerting import Alerting
from tests.pit.alerts.http_receiver import ReceiverServer
from tests.pit.wall.statuses import hold

#: Apprise asks for a module that Python 3.13 no longer has, and does without it there.
pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore:'imghdr':DeprecationWarning")]
CHAT = AppriseService("chat", Path("chat.address"))
PASSWORD = "tops3cret"


def at(folder: Path, address: str) -> AlertSettings:
    (folder / CHAT.address_file).write_text(address + "\n")
    return AlertSettings(apprise=(CHAT,))


@pytest.mark.leaky_ok("Apprise keeps a pool of threads for the whole process")
async def test_people_read_what_became_of_an_alert(
    engine: Engine, tmp_path: Path, server: ReceiverServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    address = f"json://pit:{PASSWORD}@127.0.0.1:{server.server_port}/in"
    (chat,) = read_receivers(at(tmp_path, address), tmp_path)
    pit = Alerting(engine, tmp_path, apprise=(CHAT,), offline_s=0)
    sender = Sender(engine, (chat,), pit.clock)
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    server.answers = [500]
    for wait_s in (0, 0, 1):
        pit.now_ms += wait_s * 1_000
        sender.send_due(chat)
    assert len(server.got) == 2, "tried again, and taken once"
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(180)
    with engine.begin() as connection:
        answer(connection, 1, "Aino", "", pit.settings, pit.now_ms)
    pit.hear("T1")
    await pit.after(0)
    sender.send_due(chat)
    notices = [json.loads(body) for _, body in server.got[1:]]
    assert [(each["title"], each["type"]) for each in notices] == [
        ("T1: the floor must act", "warning"),
        ("T1: nobody answered, the pit boss must act", "failure"),
        ("T1: Aino has it in hand", "info"),
        ("T1: it is over", "success"),
    ]
    assert notices[0]["message"] == "A card was read twice\nSince 2026-11-18 11:04 UTC. Alert 1."
    with engine.connect() as connection:
        assert list(connection.execute(select(DELIVERIES))) == []
    assert "did not reach chat" in caplog.text
    assert PASSWORD not in caplog.text
    assert PASSWORD not in repr(chat)


def test_people_are_told_times_of_the_house() -> None:
    since_ms = 1_763_463_840_000  # 2025-11-18 11:04 UTC
    alert = AlertView(
        1, "held", "T1", "A card was read twice", "floor", since_ms, 1, 0, "", None, None
    )
    _, said = in_words(AlertMessage("1", "opened", since_ms, alert), HouseTime("Europe/Helsinki"))
    assert said == "A card was read twice\nSince 2025-11-18 13:04 Europe/Helsinki. Alert 1."


@pytest.mark.parametrize(
    "address", ["", "nonsense://x", "json://a.example json://b.example", "json://"]
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ReceiverRefused, match="no address that Apprise knows"):
        read_receivers(at(tmp_path, address), tmp_path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReceiverRefused, match="address_file of chat cannot be read"):
        read_receivers(AlertSettings(apprise=(CHAT,)), tmp_path)


def test_without_apprise_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    assert read_receivers(AlertSettings(), tmp_path) == (), "nobody needs it who names no service"
    with pytest.raises(ReceiverRefused, match=r"pip install 'tablectl\[apprise\]'"):
        read_receivers(at(tmp_path, "json://a.example"), tmp_path)
