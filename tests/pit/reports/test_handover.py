"""A shift is handed over by one person and taken over by another; what was signed stays."""

from __future__ import annotations

from html import unescape

import pytest
from sqlalchemy import insert, select

from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.alerts.causes import Cause
from controller.pit.alerts.settings import AlertKind, AlertSettings
from controller.pit.alerts.store import alerts, judge
from controller.pit.archive.retired import put_back, retire
from controller.pit.archive.storage.schema import ROUNDS
from controller.pit.reports.handover.handover import (
    DISPUTED,
    NOTE_CHARS,
    NotSigned,
    draft,
    take,
)
from controller.pit.reports.handover.schema import HANDOVERS
from controller.pit.sign_in.gate import PROVEN_MS
from controller.table.irregularities.holds import Reason
from tests.pit.reports.conftest import PlayedPit

pytestmark = pytest.mark.anyio


#: Holds by which nobody says that a round was paid or played wrongly: those of readers, devices
#: and packs, and slips of the dealer that are put right on the spot.
NOT_DISPUTED = {
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE, Reason.FOREIGN,
    Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.TWIN, Reason.RECOUNT,
    Reason.OUT_OF_CARDS, Reason.SHOE_OFF, Reason.PACK_SIZE, Reason.TAKEN_BACK, Reason.NOT_ASKED,
    Reason.FACE_UP, Reason.KEPT_REFUSED, Reason.WRONG_SPOT, Reason.SKIPPED, Reason.EXPOSED,
    Reason.PLAYER_LEFT, Reason.DEVICE, Reason.DAMAGED, Reason.REVISION,
}  # fmt: skip


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_of_a_hold_is_a_dispute_or_is_none(reason: Reason) -> None:
    """A new reason is in neither: whoever adds it says which it is."""
    assert (reason.value in DISPUTED) is not (reason in NOT_DISPUTED)


@pytest.fixture
def now_ms(pit: PlayedPit) -> int:
    """The pit's clock stands at the end of what was played."""
    pit.known.clock.now_ms = pit.table.now_ms
    return pit.table.now_ms


async def test_both_sign_and_the_audit_says_so(pit: PlayedPit, now_ms: int) -> None:
    goes, comes = pit.enters("Fia", PitRole.FLOOR), pit.enters("Bo", PitRole.PIT_BOSS)
    page = unescape((await goes.get("/handover")).text)
    with pit.known.engine.connect() as connection:
        void = connection.scalar(select(ROUNDS.c.number).where(ROUNDS.c.void))
    assert f'<a href="/rounds/T1/{void}">' in page
    assert "the rack is open, shift 2" in page
    assert "made void" in page
    response = await goes.post("/handover", note="Seat 3 at T1 asks for the manager")
    assert response.status_code == 303
    own = await goes.post("/handover/1")
    assert own.status_code == 422
    assert "somebody else signs" in unescape(own.text)
    second = await comes.post("/handover", note="")
    assert "waits for whoever takes over: it comes first" in second.text
    page = unescape((await comes.get("/handover")).text)
    assert "Seat 3 at T1 asks for the manager" in page
    assert (await comes.post("/handover/1")).status_code == 303
    assert "was taken over already" in (await comes.post("/handover/1")).text
    shown = draft(pit.known.engine, now_ms)
    assert [(each.given_name, each.taken_name) for each in shown.newest] == [("Fia", "Bo")]
    # The next one begins where this one ended.
    assert shown.since_ms == now_ms
    assert not shown.shown.disputed
    with pit.known.engine.connect() as connection:
        assert first_wrong_row(connection) is None
        rows = [(each.who, each.act, each.about) for each in newest_rows(connection, 2)]
    assert rows == [("Bo", "took_shift", "handover 1"), ("Fia", "gave_shift", "handover 1")]


async def test_what_cannot_be_signed_is_refused(pit: PlayedPit, now_ms: int) -> None:
    goes, reads = pit.enters("Fia", PitRole.FLOOR), pit.enters("Aud", PitRole.AUDITOR)
    long = await goes.post("/handover", note="x" * (NOTE_CHARS + 1))
    assert long.status_code == 422
    assert "use 2000 at most" in long.text
    assert (await reads.get("/handover")).status_code == 200
    assert (await reads.post("/handover", note="")).status_code == 403
    assert draft(pit.known.engine, now_ms).newest == ()
    nobody = Identity(99, "Nobody", frozenset({PitRole.FLOOR}))
    with pytest.raises(NotSigned, match="no such handover"):
        take(pit.known.engine, nobody, 7, now_ms, "192.0.2.7")


async def test_a_note_that_is_not_signed_stands_there_still(pit: PlayedPit, now_ms: int) -> None:
    goes, other = pit.enters("Fia", PitRole.FLOOR), pit.enters("Bo", PitRole.PIT_BOSS)
    long = await goes.post("/handover", note="a <b>\r\n" + "x" * NOTE_CHARS)
    assert long.status_code == 422
    assert "a &lt;b&gt;" in long.text
    assert "x" * NOTE_CHARS in long.text
    # As many characters as the page lets anybody type, of which ends of lines are some.
    lines = "\r\n".join(["x" * 99] * (NOTE_CHARS // 100))
    assert (await goes.post("/handover", note=lines)).status_code == 303
    (given,) = draft(pit.known.engine, now_ms).newest
    assert given.note == lines.replace("\r\n", "\n")
    assert 'data-signed-by="' in (await goes.get("/handover")).text
    assert 'data-signed-by="' not in (await other.get("/handover")).text


async def test_a_note_is_written_once_it_can_be_signed(pit: PlayedPit, now_ms: int) -> None:
    goes = pit.enters("Fia", PitRole.FLOOR)
    assert "<textarea" in (await goes.get("/handover")).text
    pit.known.clock.now_ms = now_ms + PROVEN_MS
    page = (await goes.get("/handover")).text
    assert "<textarea" not in page
    assert 'href="/prove?next=/handover"' in page


async def test_alerts_are_handed_over_with_who_has_them_in_hand(
    pit: PlayedPit, now_ms: int
) -> None:
    goes, comes = pit.enters("Fia", PitRole.FLOOR), pit.enters("Bo", PitRole.PIT_BOSS)
    found = [
        Cause("offline:T1", AlertKind.OFFLINE, "T1", "The table is offline", now_ms),
        Cause("disk", AlertKind.DISK, "", "The pit's disk is full", now_ms),
    ]

    def look() -> None:
        with pit.known.engine.begin() as connection:
            judge(connection, found, lambda *_: False, AlertSettings(), now_ms)

    look()
    assert (await goes.post("/alerts/answer", alert="1")).status_code == 303
    page = unescape((await goes.get("/handover")).text)
    assert "The table is offline (Fia has it in hand)" in page
    assert "The pit's disk is full (nobody has it in hand: the engineer must act)" in page
    await goes.post("/handover", note="")
    await comes.post("/handover/1")
    look()
    with pit.known.engine.connect() as connection:
        now = {each.table: each.answered_by for each in alerts(connection, AlertSettings())}
        acts = [(each.who, each.act, each.about) for each in newest_rows(connection, 2)]
    assert now == {"T1": "Bo", "": ""}, "whoever takes over has it in hand"
    assert acts == [
        ("Bo", "took_alert", "alert 1, offline T1, of Fia"), ("Bo", "took_shift", "handover 1")
    ]  # fmt: skip
    # What was signed says who had it then.
    assert "(Fia has it in hand)" in unescape((await comes.get("/handover")).text)


def test_a_handover_that_older_software_signed_is_shown(pit: PlayedPit, now_ms: int) -> None:
    with pit.known.engine.begin() as connection:
        connection.execute(
            insert(HANDOVERS).values(
                since_ms=0, given_ms=now_ms, given_user=1, given_name="Fia", note="",
                shown='{"open":[],"disputed":[],"money":[]}', taken_name="",
            )
        )  # fmt: skip
    (newest,) = draft(pit.known.engine, now_ms).newest
    assert (newest.shown.alerts, newest.shown.by_pit) == ((), ())


async def test_whoever_comes_reads_which_table_was_taken_out_of_service(
    pit: PlayedPit, now_ms: int
) -> None:
    """It is on no wall, and nothing calls for it: only here the next one would learn of it."""
    with pit.known.engine.begin() as connection:
        retire(connection, "T1", "Bo", "sold; the rack is in the cage", now_ms - 1)
        retire(connection, "T9", "Bo", "in another shift", 1)
    goes, comes = pit.enters("Fia", PitRole.FLOOR), pit.enters("Bo", PitRole.PIT_BOSS)
    page = unescape((await goes.get("/handover")).text)
    assert "taken out of service by Bo: sold; the rack is in the cage" in page
    assert "in another shift" not in page
    await goes.post("/handover", note="")
    pit.known.clock.now_ms += 1
    assert "the rack is in the cage" in unescape((await comes.get("/handover")).text)
    await comes.post("/handover/1")
    assert not draft(pit.known.engine, now_ms + 2).shown.by_pit
    with pit.known.engine.begin() as connection:
        assert put_back(connection, "T1")
