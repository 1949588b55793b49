"""One cause, one alert: opened once, counted, taken further, answered, ended by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, insert, select, update

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import newest_rows, record_act
from controller.pit.accounts.schema import TOKENS, TRIES, USERS
from controller.pit.alerts.schema import ALERTS, DELIVERIES
from controller.pit.alerts.settings import Webhook
from controller.pit.alerts.store import alerts, answer, hand_on
from controller.pit.archive.books.schema import LEAKS, SHOES
from controller.pit.archive.findings.finding_rows import add_finding, settle
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.archive.retired import retire
from controller.pit.archive.storage.schema import TABLES
from tests.pit.alerts.alerting import Alerting
from tests.pit.wall.statuses import alarm, hold, news

pytestmark = pytest.mark.anyio


@pytest.fixture
def pit(engine: Engine, tmp_path: Path) -> Alerting:
    return Alerting(engine, tmp_path)


async def test_a_storm_of_200_tables_is_one_alert_that_ends_by_itself(pit: Alerting) -> None:
    many = [f"T{each}" for each in range(200)]
    await pit.after(0)
    pit.hear(*many)
    assert await pit.after(20) == []
    found = await pit.after(60)
    assert found == ["offline:*"]
    row = pit.rows()[0]
    assert row.count == 200
    assert row.text.startswith("200 tables are offline: T0, T1, T10")
    pit.hear(*many[1:])
    assert await pit.after(1) == ["offline:*"]
    assert pit.rows()[0].count == 1
    pit.hear(*many)
    assert await pit.after(1) == []
    assert len(pit.rows()) == 1


async def test_a_pit_without_the_bus_says_that_and_of_no_table_that_it_is_offline(
    pit: Alerting,
) -> None:
    await pit.after(0)
    pit.hear("T1", "T2")
    pit.why = "the connection is lost"
    assert await pit.after(1) == []
    assert await pit.after(60) == ["bus"]
    pit.why = ""
    assert await pit.after(1) == []
    pit.hear("T1")
    assert await pit.after(29) == []
    pit.hear("T1")
    assert await pit.after(2) == ["offline:T2"]


async def test_a_table_that_cannot_be_read_calls_for_that_and_is_not_said_to_be_offline(
    pit: Alerting,
) -> None:
    await pit.after(0)
    pit.hear("T1")
    found: list[str] = []
    for _ in range(40):
        pit.wall.hear_unread("T1", "it says too much")
        pit.wall.draw()
        found = await pit.after(1)
    assert found == ["offline:T1"]
    assert [each.text for each in pit.rows()] == [
        "What T1 says of itself cannot be read: it says too much"
    ]
    pit.hear("T1")
    assert await pit.after(1) == []


async def test_a_table_that_is_out_of_service_calls_nobody(pit: Alerting) -> None:
    """Whatever was wrong with it: its line, its record, its pack."""
    await pit.after(0)
    pit.hear("T1", "T2")
    with pit.engine.begin() as connection:
        for table in ("T1", "T2"):
            gap = ArchiveFinding(FindingKind.GAP, 7, "records did not come")
            add_finding(connection, table, gap, pit.now_ms)
    found = await pit.after(60)
    assert found == ["offline:T1", "offline:T2", "record:T1:gap", "record:T2:gap"]
    pit.wall.retire(frozenset({"T1"}))
    assert await pit.after(6) == ["offline:T2", "record:T2:gap"]


async def test_a_table_that_was_closed_may_be_switched_off(pit: Alerting) -> None:
    await pit.after(0)
    pit.hear("T1", closed=True)
    assert await pit.after(600) == []


async def test_it_goes_to_the_next_until_somebody_answers(pit: Alerting) -> None:
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    assert await pit.after(0) == ["held:T1"]
    rows = []
    for _ in range(4):
        pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
        await pit.after(179)
        rows.append(pit.rows()[0].step)
    assert rows == [0, 1, 1, 1]
    with pit.engine.begin() as connection:
        first = answer(connection, 1, "Aino", "192.0.2.7", pit.settings, pit.now_ms)
        second = answer(connection, 1, "Eero", "192.0.2.8", pit.settings, pit.now_ms)
        acts = [each.act for each in newest_rows(connection, 9)]
    assert first is not None
    assert second is not None
    assert (first.answered_by, second.answered_by) == ("Aino", "Aino")
    assert (first.who, first.text) == ("pit boss", "A card was read twice")
    assert acts == ["answered_alert"]


@pytest.mark.parametrize(("back_s", "steps"), [(0.5, [0, 0, 1]), (5 * 365 * 86_400, [1, 1, 1])])
async def test_a_clock_that_was_far_ahead_keeps_no_alert_from_going_further(
    pit: Alerting, back_s: float, steps: list[int]
) -> None:
    """Clocks of two pits that are a little apart make none go further too soon."""
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    pit.now_ms -= int(back_s * 1_000)
    found = []
    for wait_s in (0, 100, 201):
        pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
        await pit.after(wait_s)
        found.append(pit.rows()[0].step)
    assert found == steps


async def test_one_that_was_answered_goes_no_further(pit: Alerting) -> None:
    pit.signs_in("Aino")
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    with pit.engine.begin() as connection:
        answer(connection, 1, "Aino", "192.0.2.7", pit.settings, pit.now_ms)
    await pit.after(pit.settings.again_s - 1)
    assert (pit.rows()[0].step, pit.rows()[0].answered_by) == (0, "Aino")
    pit.hear("T1")
    held = [each for each in await pit.after(1) if each.startswith("held")]
    assert held == []
    with pit.engine.begin() as connection:
        assert answer(connection, 1, "Eero", "", pit.settings, pit.now_ms) is None


async def _held_in_hand(pit: Alerting) -> list[Any]:
    """A hold of which Aino, who is signed in, says that she has it."""
    pit.signs_in("Aino")
    held = [hold(since_ms=pit.now_ms - 121_000)]
    await pit.after(0)
    pit.hear("T1", holds=held)
    await pit.after(0)
    with pit.engine.begin() as connection:
        answer(connection, 1, "Aino", "192.0.2.7", pit.settings, pit.now_ms)
    return held


@pytest.mark.parametrize("why", ["she left", "time", "another"])
async def test_what_nobody_sees_to_any_more_is_nobodys_and_goes_further(
    pit: Alerting, why: str
) -> None:
    held = await _held_in_hand(pit)
    later_s = 600
    if why == "she left":
        pit.signs_out()
    elif why == "time":
        later_s = 900
    else:  # the first one was released, and another one raised, unseen between two looks
        held = [hold(since_ms=pit.now_ms + 300_000)]
    pit.now_ms += later_s * 1_000
    pit.hear("T1", holds=held)
    await pit.after(0)
    (row,) = pit.rows()
    assert (row.answered_by, row.answered_ms, row.step) == ("", None, 0)
    assert row.since_ms == held[0]["since_ms"]
    pit.now_ms += int(pit.settings.escalate_s * 1_000)
    pit.hear("T1", holds=held)
    await pit.after(0)
    assert pit.rows()[0].step == 1, "nobody has answered again: it goes to the next"


async def test_a_trouble_that_a_clock_puts_ahead_of_now_is_no_other_one(pit: Alerting) -> None:
    """The table's clock was set back: what it says began lies ahead, at each look."""
    await _held_in_hand(pit)
    for _ in range(2):
        pit.now_ms += 1_000
        pit.hear("T1", holds=[hold(since_ms=pit.now_ms + 3_000_000)])
        await pit.after(0)
        assert pit.rows()[0].answered_by == "Aino"


async def test_what_is_found_anew_at_each_look_keeps_its_beginning(
    engine: Engine, tmp_path: Path
) -> None:
    pit = Alerting(engine, tmp_path, disk_gb=100_000)
    pit.signs_in("Aino")
    await pit.after(0)
    (row,) = pit.rows()
    with pit.engine.begin() as connection:
        answer(connection, row.id, "Aino", "", pit.settings, pit.now_ms)
    pit.now_ms += 1_000_000
    await pit.after(0)
    (again,) = pit.rows()
    assert (again.answered_by, again.since_ms) == ("", row.since_ms)


async def test_it_is_told_each_time_that_it_was_answered_and_is_nobodys_again(
    engine: Engine, tmp_path: Path
) -> None:
    hook = Webhook("pager", "https://pager.example/", tmp_path / "secret")
    pit = Alerting(engine, tmp_path, webhooks=(hook,))
    held = await _held_in_hand(pit)
    for _ in range(2):
        pit.now_ms += 900_000
        pit.hear("T1", holds=held)
        await pit.after(0)
        with pit.engine.begin() as connection:
            answer(connection, 1, "Aino", "192.0.2.7", pit.settings, pit.now_ms)
    with pit.engine.connect() as connection:
        bodies = connection.execute(select(DELIVERIES.c.body).order_by(DELIVERIES.c.id)).scalars()
        told = [json.loads(each)["event"] for each in bodies]
    assert told == ["opened", "answered", "reopened", "answered", "reopened", "answered"]


async def test_whoever_takes_a_shift_over_has_in_hand_what_the_one_before_had(
    pit: Alerting,
) -> None:
    held = await _held_in_hand(pit)
    pit.signs_in("Eero")
    with pit.engine.begin() as connection:
        hand_on(connection, "Aino", "Eero", "192.0.2.8", pit.settings, pit.now_ms + 800_000)
        newest = newest_rows(connection, 1)[0]
    assert (newest.who, newest.act) == ("Eero", "took_alert")
    assert newest.about == "alert 1, held T1, of Aino"
    pit.now_ms += 1_000_000
    pit.hear("T1", holds=held)
    await pit.after(0)
    assert pit.rows()[0].answered_by == "Eero", "from when he took it"


async def test_a_restart_and_a_second_replica_open_nothing_twice(
    pit: Alerting, tmp_path: Path
) -> None:
    await pit.after(0)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(1)
    pit.signs_in("Aino")
    with pit.engine.begin() as connection:
        answer(connection, 1, "Aino", "", pit.settings, pit.now_ms)
    # It has heard of no table yet: what is held stays.
    other = Alerting(pit.engine, tmp_path, pit.now_ms)
    assert await other.after(0) == ["held:T1"]
    assert await other.after(5) == ["held:T1"]
    other.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    for each in (pit, other, pit):
        assert await each.after(1) == ["held:T1"]
    assert [each.answered_by for each in pit.rows()] == ["Aino"]
    # Whoever only looks on shows it, and changes nothing.
    other.hear("T1")
    assert await other.after(40, judges=False) == ["held:T1"]
    other.wall.draw()
    assert b'"answered_by":"Aino"' in other.wall.changes(0, None)


async def test_a_pit_that_starts_calls_for_no_table_that_is_out_of_service(pit: Alerting) -> None:
    """Its wall has not been told yet which these are."""
    gap = ArchiveFinding(FindingKind.GAP, 5, "records are missing")
    with pit.engine.begin() as connection:
        for each in ("T1", "T2"):
            add_finding(connection, each, gap, pit.now_ms)
            assert retire(connection, each, "Bo", "sold", pit.now_ms)
    pit.hear("T2")
    assert [key.partition(":")[2].partition(":")[0] for key in await pit.after(1)] == ["T2"]


async def test_findings_of_one_kind_in_many_records_are_one(pit: Alerting) -> None:
    await pit.after(0)
    with pit.engine.begin() as connection:
        for each in range(3):
            fork = ArchiveFinding(FindingKind.FORK, 7, "another record")
            add_finding(connection, f"T{each}", fork, pit.now_ms)
    assert await pit.after(6) == [f"record:T{each}:fork" for each in range(3)]
    with pit.engine.begin() as connection:
        for each in range(10, 16):
            gap = ArchiveFinding(FindingKind.GAP, 7, "records did not come")
            add_finding(connection, f"T{each}", gap, pit.now_ms)
    assert (await pit.after(6))[3:] == ["record:*:gap"]
    with pit.engine.begin() as connection:
        for name in ("T0", "T1", "T2"):
            settle(connection, name, [FindingKind.FORK], pit.now_ms)
    assert await pit.after(6) == ["record:*:gap"]


async def test_a_clock_and_a_full_disk(engine: Engine, tmp_path: Path) -> None:
    pit = Alerting(engine, tmp_path, disk_gb=100_000)
    await pit.after(0)
    pit.wall.hear(news("T1", pit.now_ms + 31_000))
    pit.wall.hear(news("T2", pit.now_ms - 29_000))
    assert await pit.after(0) == ["disk", "clock:T1"]
    assert pit.rows()[1].text == "The table's clock is 31 s fast: set it"


async def test_what_a_table_calls_for_itself(pit: Alerting) -> None:
    def calling(since_s: int, **other: Any) -> dict[str, Any]:
        return alarm(since_ms=pit.now_ms - since_s * 1_000, **other)

    camera = "The shoe's camera has moved"
    await pit.after(0)
    pit.hear("T1", alarms=[calling(119, trouble="device", about="shoe", title=camera)])
    pit.hear("T2", alarms=[calling(500, trouble="hold", about="4")])
    pit.hear("T3", alarms=[calling(500, trouble="device", about="disk", acknowledged=True)])
    assert await pit.after(0) == []
    disk = calling(100, trouble="device", about="disk", title="disk is down")
    moved = calling(120, trouble="device", about="shoe", title=camera)
    pit.hear("T1", alarms=[disk, moved])
    assert await pit.after(0) == ["alarm:T1"]
    assert (pit.rows()[0].text, pit.rows()[0].count) == (camera, 2)
    # Who acknowledges it at the table has answered for everybody.
    pit.hear("T1", alarms=[disk | {"acknowledged": True}, moved | {"acknowledged": True}])
    assert await pit.after(0) == []
    pit.hear("T1", tone="safe")
    assert await pit.after(0) == ["alarm:T1"]
    assert pit.rows()[1].text == "The table has stopped: it can keep no record"


async def test_a_table_that_warns_of_its_pack_or_its_win_is_no_second_alert(pit: Alerting) -> None:
    await pit.after(0)
    warns = [
        alarm(trouble="pack", about="A", title="Pack A may not be whole"),
        alarm(trouble="device", about="odds", title="Results are off"),
    ]
    pit.hear("T1", alarms=warns)
    assert await pit.after(0) == ["pack:T1", "win:T1"]
    _store_books(pit, SHOE | {"seq": 3, "at_ms": pit.now_ms, "verdict": "discrepant"})
    pit.hear("T1", alarms=warns)
    assert await pit.after(6) == ["pack:T1", "win:T1"]
    assert pit.rows()[0].text.startswith("A shoe did not add up")


async def test_wrong_tries_name_nobody(pit: Alerting) -> None:
    with pit.engine.begin() as connection:
        row = {"counted": "account aino", "wrong": 50, "last_ms": pit.now_ms, "until_ms": 0}
        connection.execute(insert(TRIES).values(row))
    assert await pit.after(0) == ["sign_in"]
    assert "aino" not in pit.rows()[0].text


SHOE = {
    "table_id": 1, "day": "2026-11-23", "number": 1, "pack": "A", "scanned": True,
    "cards_left": 0, "missing": 2, "unread": 0, "many": "[]", "few": "[]", "clean": False,
}  # fmt: skip


def _store_books(pit: Alerting, shoe: dict[str, object], *leaks: dict[str, object]) -> None:
    """The books of table T1 have these."""
    table = {
        "id": 1, "name": "T1", "identity": b"", "seq": 1, "hash": b"", "at_ms": 1,
        "archived_ms": 1,
    }  # fmt: skip
    columns = {each.name: None for each in TABLES.columns if not each.nullable}
    spare = {name: "" for name in columns if name not in table} | {"round": 0}
    with pit.engine.begin() as connection:
        connection.execute(insert(TABLES).values(spare | table))
        connection.execute(insert(SHOES).values(shoe))
        for each in leaks:
            connection.execute(insert(LEAKS).values(each))


async def test_a_pack_and_a_win_by_the_newest_word_of_the_books(pit: Alerting) -> None:
    at_ms = pit.now_ms
    leak = {
        "table_id": 1, "seq": 4, "day": "2026-11-23", "at_ms": at_ms, "round": 3, "dealer": "",
        "for_players": True,
    }  # fmt: skip
    _store_books(pit, SHOE | {"seq": 3, "at_ms": at_ms, "verdict": "discrepant"}, leak)
    assert await pit.after(0) == ["pack:T1", "win:T1"]
    assert "2 cards missing" in pit.rows()[0].text
    with pit.engine.begin() as connection:
        newer = {"seq": 5, "at_ms": at_ms, "verdict": "discrepant", "missing": 1}
        connection.execute(insert(SHOES).values(SHOE | newer))
    assert await pit.after(6) == ["pack:T1", "win:T1"]
    assert "a card missing" in pit.rows()[0].text
    with pit.engine.begin() as connection:
        connection.execute(
            insert(SHOES).values(SHOE | {"seq": 9, "at_ms": at_ms + 1, "verdict": "proven"})
        )
    assert await pit.after(6) == ["win:T1"]
    assert await pit.after(24 * 3_600) == []


async def test_a_clock_that_is_set_makes_no_table_offline_and_hides_none(pit: Alerting) -> None:
    await pit.after(0)
    pit.hear("T1", "T2")
    await pit.after(1)
    pit.set_ms = 3_600_000
    assert await pit.after(1) == [], "an hour did not pass"
    pit.hear("T1")
    pit.set_ms = -3_600_000
    assert await pit.after(25) == []
    pit.hear("T1")
    assert await pit.after(4) == ["offline:T2"], "30 s after it was heard last"
    pit.why = "the connection is lost"
    await pit.after(1)
    pit.set_ms = -7_200_000
    assert await pit.after(10) == ["bus"]


async def test_an_archive_that_stands_still_is_one_alert_beside_the_bus(pit: Alerting) -> None:
    await pit.after(0)
    pit.still = ArchiveStandstill(pit.now_ms, "the pit that archives is silent")
    assert await pit.after(29) == []
    assert await pit.after(1) == ["archive"]
    row = pit.rows()[0]
    assert (row.kind, row.table_name, row.since_ms) == ("archive", "", pit.now_ms - 30_000)
    assert row.text == "No record is archived (the pit that archives is silent)"
    pit.why = "the connection is lost"
    assert await pit.after(1) == []
    assert await pit.after(20) == ["bus"], "one cause, one alert"
    pit.still, pit.why = None, ""
    assert await pit.after(1) == []


async def test_a_machines_token_is_an_alert_before_it_ends_and_until_there_is_another(
    pit: Alerting,
) -> None:
    made = {"secret": b"x", "user_id": 1, "made_ms": pit.now_ms}
    user = {"id": 1, "login": "reports", "name": "reports", "roles": "machine", "made_ms": 0}
    with pit.engine.begin() as connection:
        connection.execute(insert(USERS).values(user))
        connection.execute(insert(TOKENS).values(made))
    assert await pit.after(351 * 86_400 - 1) == []
    began_ms = pit.now_ms + 1_000
    assert await pit.after(6) == ["token:1"]
    row = pit.rows()[0]
    assert (row.kind, row.table_name, row.since_ms) == ("token", "", began_ms)
    assert row.text == "The token of reports ends in 13 days: make another on Users"
    texts = []
    for later_s in (12 * 86_400, 86_400, 86_400):
        assert await pit.after(later_s) == ["token:1"]
        texts.append(pit.rows()[0].text)
    assert texts == [
        "The token of reports ends in a day: make another on Users",
        "The token of reports ends within a day: make another on Users",
        "The token of reports has ended: make another on Users",
    ]
    with pit.engine.begin() as connection:
        connection.execute(update(TOKENS).values(made_ms=pit.now_ms))
    assert await pit.after(6) == []


async def test_a_pit_that_wants_no_word_of_tokens_gets_none(engine: Engine, tmp_path: Path) -> None:
    pit = Alerting(engine, tmp_path, token_days=0)
    user = {"id": 1, "login": "reports", "name": "reports", "roles": "machine", "made_ms": 0}
    with pit.engine.begin() as connection:
        connection.execute(insert(USERS).values(user))
        connection.execute(insert(TOKENS).values(secret=b"x", user_id=1, made_ms=pit.now_ms))
    assert await pit.after(400 * 86_400) == []


async def test_who_is_refused_for_a_role_again_and_again_is_an_alert(pit: Alerting) -> None:
    def refuse(name: str, times: int) -> None:
        with pit.engine.begin() as connection:
            for each in range(times):
                about = f"GET /{each}"
                record_act(connection, pit.now_ms, name, AuditAct.REFUSED_ROLE, about, "192.0.2.7")

    pit.signs_in("Aino")
    pit.signs_in("Eero")
    refuse("Aino", 9)
    refuse("Eero", 9)
    assert await pit.after(0) == []
    refuse("Aino", 1)
    assert await pit.after(6) == ["refused:Aino"]
    row = pit.rows()[0]
    assert (row.kind, row.count) == ("refused", 10)
    assert row.text == "Aino asks for what another role may do, again and again: look at the audit"
    assert await pit.after(86_400) == [], "a day later that is over"


async def test_what_newer_software_calls_for_is_seen_and_keeps_no_other_from_being_judged(
    pit: Alerting,
) -> None:
    """An older release was put back over its database: nobody judged alerts any more."""
    values = {
        "key": "ghost", "kind": "ghost", "table_name": "T1", "text": "It walks", "since_ms": 1,
        "opened_ms": 1, "count": 1, "step": 0, "step_ms": 1, "answered_by": "",
    }  # fmt: skip
    with pit.engine.begin() as connection:
        connection.execute(insert(ALERTS).values(values))
    await pit.after(0)
    pit.why = "the connection is lost"
    assert await pit.after(1) == ["ghost"]
    assert await pit.after(60) == ["ghost", "bus"]
    pit.why = ""
    assert await pit.after(1) == ["ghost"]
    with pit.engine.begin() as connection:
        (shown,) = alerts(connection, pit.settings)
        assert (shown.kind, shown.text, shown.who) == ("ghost", "It walks", "engineer")
        assert answer(connection, shown.number, "Aino", "", pit.settings, pit.now_ms) is not None
    assert await pit.after(1) == ["ghost"]
