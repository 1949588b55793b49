"""Where somebody was signed in is kept for a while after it is over, and no longer."""

from __future__ import annotations

from sqlalchemy import select

from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import SESSIONS
from controller.pit.accounts.sessions import KEPT_MS
from tests.pit.accounts.known import BEGAN_MS, KnownAccounts


def kept(known: KnownAccounts) -> list[tuple[int, int]]:
    """Of each session its user, and how long after the beginning it began, in ms."""
    s = SESSIONS.c
    with known.engine.connect() as connection:
        rows = connection.execute(select(s.user_id, s.made_ms).order_by(s.id)).all()
    return [(user, made_ms - BEGAN_MS) for user, made_ms in rows]


def test_with_a_sign_in_ones_sessions_of_long_ago_are_forgotten(known: KnownAccounts) -> None:
    aino = known.add("Aino", PitRole.VIEWER)
    bo = known.add("Bo", PitRole.VIEWER)
    lasts_ms = known.accounts.lifetime.whole_ms
    known.clock.now_ms += KEPT_MS + lasts_ms
    known.sign_in("Aino")
    later = KEPT_MS + lasts_ms
    assert kept(known) == [(aino, 0), (bo, 0), (aino, later)], "none is over for so long"
    known.clock.now_ms += 1
    again = known.sign_in("Aino")
    assert kept(known) == [(bo, 0), (aino, later), (aino, later + 1)]
    assert known.accounts.recognize(again.session) is not None
