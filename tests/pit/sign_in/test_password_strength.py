"""How good a password is, asked for while it is typed."""

from __future__ import annotations

from typing import Any

import pytest
import zxcvbn.matching
from fastapi import FastAPI

from controller.pit.accounts.passwords import PasswordRefused, check_new, strength
from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import PASSWORD, KnownAccounts
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio
WEAK = ("short", "passwordpassword", "Aino Virtanen casino", "x" * 129)


async def test_it_is_said_before_anything_is_set(known: KnownAccounts, app: FastAPI) -> None:
    _, code = known.people.add("Aino Virtanen", frozenset({PitRole.FLOOR}))
    browser = Browser(app)
    page = await browser.get(f"/set-up/{code}")
    assert 'id="score"' in page.text
    found = {}
    for each in (*WEAK, PASSWORD):
        answer = await browser.post(f"/set-up/{code}/strength", {"Accept": "*/*"}, password=each)
        assert answer.status_code == 200
        found[each] = answer.json()
    assert [each["score"] >= 3 for each in found.values()] == [False] * 4 + [True]
    assert found["short"] == {"score": 0, "said": "The password has 5 characters: use 12"}
    assert found[PASSWORD] == {"score": 4, "said": "Very good"}
    done = await browser.post(f"/set-up/{code}", password=PASSWORD, again=PASSWORD)
    assert done.status_code == 303, "no look used the link up, and none set a password"


async def test_whoever_has_no_link_is_told_nothing(app: FastAPI) -> None:
    answer = await Browser(app).post("/set-up/none/strength", {"Accept": "*/*"}, password=PASSWORD)
    assert answer.status_code == 404
    assert "score" not in answer.text


@pytest.mark.parametrize("password", [*WEAK, PASSWORD])
def test_what_is_said_is_what_is_enforced(password: str) -> None:
    found = strength(password, "Aino Virtanen")
    if found.is_enough:
        check_new(password, "Aino Virtanen")
    else:
        with pytest.raises(PasswordRefused) as refused:
            check_new(password, "Aino Virtanen")
        assert str(refused.value) == found.said


@pytest.mark.parametrize(
    "password",
    ["ß" * 72, "ΐ" * 128, "Straße " * 10 + "ab", "weiß nicht " * 7],
    ids=lambda each: ascii(each[:4]),
)
def test_letters_that_fold_to_several_are_letters(password: str) -> None:
    """It was an error of ours: the password became longer than what judges it takes."""
    assert strength(password, "Aino Virtanen").said


@pytest.mark.parametrize("password", ["4@8({[<369&#!1|0$5+7%2" * 5, "c({[<4@1|!7$5+69" * 8])
def test_no_password_takes_seconds_to_judge(password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of signs that may be read as letters each way was tried, four seconds long: whoever had a
    link kept a core busy by typing.
    """
    looked_up, match = list[int](), zxcvbn.matching.dictionary_match

    def counted(said: str, _ranked_dictionaries: Any) -> object:
        looked_up.append(len(said) * (len(said) + 1) // 2)
        return match(said, _ranked_dictionaries)

    monkeypatch.setattr(zxcvbn.matching, "dictionary_match", counted)
    assert strength(password, "Aino Virtanen").score == 4
    assert 0 < sum(looked_up) < 200_000, "parts of it, each looked up in five lists"
