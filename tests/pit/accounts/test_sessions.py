"""Where somebody was signed in is kept for a while after it is over, and no longer."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, select

from controller.pit.accounts import sessions
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.accounts.schema import SESSIONS
from controller.pit.accounts.sessions import KEPT_MS, Lifetime
from tests.pit.accounts.known import BEGAN_MS, HERE, KnownAccounts


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


def test_a_session_that_ends_while_it_is_looked_up_is_over_at_the_next_request(
    known: KnownAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read of it before it ended is not believed for two seconds more."""
    session = known.enters(known.add("Aino", PitRole.VIEWER)).session
    really = sessions.recognize

    def ended_meanwhile(
        connection: Connection, secret: str, now_ms: int, lifetime: Lifetime
    ) -> tuple[Identity, int] | None:
        found = really(connection, secret, now_ms, lifetime)
        connection.close()
        if found is not None:
            known.accounts.end_session(found[0].session, found[0], HERE)
        return found

    monkeypatch.setattr(sessions, "recognize", ended_meanwhile)
    assert known.accounts.recognize(session) is not None, "it was there when it was asked for"
    assert known.accounts.recognize(session) is None
