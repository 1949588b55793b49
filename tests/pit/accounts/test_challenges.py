"""Challenges of passkeys: strangers ask for as many as they like, and push nobody's out."""

from __future__ import annotations

import time

import pytest

from controller.pit.accounts.factors.passkeys import CHALLENGE_S, PasskeyRefused, Passkeys
from tests.pit.accounts.known import KnownAccounts

ORIGIN = "https://pit.example"
#: So many were kept once: one more, and a person who was about to confirm was too late.
KEPT_ONCE = 10_000


def test_a_flood_of_them_pushes_nobodys_out(known: KnownAccounts) -> None:
    passkeys = Passkeys(known.accounts)
    _, mine = passkeys.begin_sign_in(ORIGIN)
    for _ in range(KEPT_ONCE + 1):
        passkeys._challenge(0)
    assert len(passkeys._take(mine, 0)) == 32


def test_it_is_for_whoever_asked_for_a_while_and_once(
    known: KnownAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    passkeys = Passkeys(known.accounts)
    challenge, mine = passkeys._challenge(7)
    for secret, user in ((mine, 0), (mine, 8), (f"{mine}0", 7), (mine.replace(".7.", ".8."), 8)):
        with pytest.raises(PasskeyRefused):
            passkeys._take(secret, user)
    with pytest.raises(PasskeyRefused):
        Passkeys(known.accounts)._take(mine, 7)
    assert passkeys._take(mine, 7) == challenge
    passkeys._use(challenge)
    with pytest.raises(PasskeyRefused):
        passkeys._use(challenge)
    later_s = time.monotonic() + CHALLENGE_S + 1
    monkeypatch.setattr("controller.pit.accounts.factors.passkeys.time.monotonic", lambda: later_s)
    with pytest.raises(PasskeyRefused):
        passkeys._take(mine, 7)
    passkeys._use(b"another")
    assert list(passkeys._answered) == [b"another"], "what is over is forgotten"
