"""Wrong tries: what strangers do keeps no known browser out, and guessing is bounded."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher, Type

from controller.pit.accounts import passwords, tries, users
from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.codes import MOST_BROWSERS
from controller.pit.accounts.passwords import Passwords
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.sessions import Client
from tests.pit.accounts.known import CHEAP, HERE, PASSWORD, KnownAccounts

DAY_MS = 24 * 3_600_000


def guess(
    known: KnownAccounts, name: str, client: Client = HERE, browser: str = ""
) -> SignInRefused:
    with pytest.raises(SignInRefused) as refused:
        known.accounts.sign_in(name, "wrong", client, browser)
    return refused.value


def judged(known: KnownAccounts, name: str, number: int, *, spread: bool) -> bool:
    """Whether a guess was judged, not sent away; `spread`: each from an address of its own."""
    client = Client(f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1") if spread else HERE
    return not guess(known, name, client).wait_s


def test_strangers_have_a_bounded_number_of_guesses_a_day(known: KnownAccounts) -> None:
    """From a new address each time, as soon as the wait is over."""
    now_ms = 0
    days = []
    with known.engine.begin() as connection:
        for day in range(1, 3):
            made = 0
            while now_ms < day * DAY_MS:
                address = tries.of_address(f"198.51.{made % 100}.{day}")
                free = {tries.of_account("aino"): tries.FREE, address: tries.ADDRESS_FREE}
                wait_ms = tries.begin(connection, now_ms, free)
                made += not wait_ms
                now_ms += wait_ms
            days.append(made)
    assert 100 <= days[0] <= 115
    assert days[1] <= 97


def test_a_known_browser_waits_for_no_stranger_and_is_one_after_ten(known: KnownAccounts) -> None:
    known.add("Aino", PitRole.FLOOR)
    mine, stolen = known.sign_in("Aino").browser, known.sign_in("Aino").browser
    for number in range(12):
        judged(known, "Aino", number, spread=True)
    assert guess(known, "Aino").wait_s > 0
    with pytest.raises(SignInRefused, match="in a browser that you have used here before"):
        known.sign_in("Aino")
    mine = known.sign_in("Aino", browser=mine).browser
    for _ in range(tries.BROWSER_TRIES):
        assert not guess(known, "Aino", browser=stolen).wait_s
    assert guess(known, "Aino", browser=stolen).wait_s > 0
    with pytest.raises(SignInRefused, match="Too many"):
        known.sign_in("Aino", browser=stolen)
    known.sign_in("Aino", browser=mine)


def test_many_sign_ins_at_one_desk_leave_the_user_s_other_browsers_known(
    known: KnownAccounts,
) -> None:
    known.add("Aino", PitRole.FLOOR)
    desk, phone = known.sign_in("Aino").browser, known.sign_in("Aino").browser
    for _ in range(MOST_BROWSERS + 2):
        before, desk = desk, known.sign_in("Aino", browser=desk).browser
        assert not known.accounts.knows_browser(before)
    assert known.accounts.knows_browser(desk)
    assert known.accounts.knows_browser(phone)


def test_a_browser_of_one_user_is_a_stranger_to_another(known: KnownAccounts) -> None:
    known.add("Aino", PitRole.FLOOR)
    known.add("Eve", PitRole.VIEWER)
    hers = known.sign_in("Eve").browser
    waits = [guess(known, "Aino", browser=hers).wait_s for _ in range(tries.FREE + 2)]
    assert waits[-1] > 0


def test_an_address_that_tries_many_names_waits_and_its_own_account_clears_nothing(
    known: KnownAccounts,
) -> None:
    known.add("Eve", PitRole.VIEWER)
    waits = []
    for number in range(26):
        waits.append(guess(known, f"name {number}").wait_s)
        if not number % 3 and not waits[-1]:
            known.sign_in("Eve")
    assert waits[0] == 0
    assert waits[-1] > 0
    elsewhere = Client("198.51.100.1")
    assert not guess(known, "name 1", elsewhere).wait_s


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True), ("192.0.2.1", "192.0.2.2", False),
        ("", "", True),
    ],
)  # fmt: skip
def test_an_address_is_what_one_customer_has(one: str, other: str, *, same: bool) -> None:
    assert (tries.of_address(one) == tries.of_address(other)) is same


def test_a_clock_that_jumps_keeps_nobody_out_for_long(known: KnownAccounts) -> None:
    known.add("Aino", PitRole.FLOOR)
    known.clock.now_ms += 365 * DAY_MS
    while not guess(known, "Aino").wait_s:
        pass
    known.clock.now_ms -= 365 * DAY_MS
    assert guess(known, "Aino").wait_s <= tries.LONGEST_MS / 1_000


def test_a_hundred_at_once_are_counted_before_they_are_judged(known: KnownAccounts) -> None:
    """Each is counted when it comes: none learns anything while others are being judged."""
    known.add("Aino", PitRole.FLOOR)
    waiting: list[SignInRefused] = []
    judged_: list[str] = []

    accounts = known.accounts

    def judge(password: str, known: str | None) -> bool:
        assert known is not None
        judged_.append(password)
        if len(judged_) < 100:
            with pytest.raises(SignInRefused) as refused:
                accounts.sign_in("Aino", f"guess {len(judged_)}", HERE)
            if refused.value.wait_s:
                waiting.append(refused.value)
        return False

    known.accounts.passwords.matches = judge  # type: ignore[method-assign]
    with pytest.raises(SignInRefused):
        known.sign_in("Aino", "guess 0")
    assert len(judged_) == tries.FREE
    assert waiting


def test_an_unknown_name_costs_as_much_as_a_known_one(known: KnownAccounts) -> None:
    """The same hash is computed for nobody: one check of Argon2id each."""
    known.add("Aino", PitRole.FLOOR)
    known.people.add("Helmi", frozenset({PitRole.FLOOR}))
    checked: list[str] = []
    guess(known, "nobody")  # what a password of nobody is held against is made at the first check
    hasher = known.accounts.passwords._hasher

    class Counting:
        def verify(self, stored_hash: str, password: str) -> bool:
            checked.append(stored_hash.rpartition("$")[0].rpartition("$")[0])
            return hasher.verify(stored_hash, password)

    known.accounts.passwords._hasher = Counting()  # type: ignore[assignment]
    said = {str(guess(known, name)) for name in ("Aino", "Helmi", "nobody")}
    assert len(checked) == 3
    assert len(set(checked)) == 1, "the same kind and cost"
    assert said == {"The name or the password is wrong."}


def test_the_products_own_hashes_are_argon2id_at_rfc_9106s_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As it is delivered: the tests of the pit make it cheap.
    monkeypatch.setattr(passwords, "PasswordHasher", PasswordHasher)
    made = Passwords()
    assert made._nobody.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert made._hasher.type is Type.ID


def test_a_password_is_taken_whole() -> None:
    made = Passwords(CHEAP)
    stored_hash = made.hash(PASSWORD, "Aino")
    assert made.matches(PASSWORD, stored_hash)
    for other in (PASSWORD + " ", PASSWORD[:-1], PASSWORD.upper(), "", "a" * 100_000):
        assert not made.matches(other, stored_hash)
    assert not made.matches("", None)
    assert not made.matches(PASSWORD, "no hash")


def test_a_hash_that_costs_too_little_is_renewed_when_its_password_is_right(
    known: KnownAccounts,
) -> None:
    known.add("Aino", PitRole.FLOOR)
    dear = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)
    known.accounts.passwords = Passwords(dear)
    with pytest.raises(SignInRefused):
        known.sign_in("Aino", "wrong")
    assert "t=1" in stored_hash(known)
    known.sign_in("Aino")
    renewed = stored_hash(known)
    assert "t=2" in renewed
    known.sign_in("Aino")
    assert stored_hash(known) == renewed, "it costs as much as it should"


def test_a_password_that_is_set_meanwhile_is_not_put_back(known: KnownAccounts) -> None:
    number = known.add("Aino", PitRole.FLOOR)
    with known.engine.begin() as connection:
        users.renew_password(connection, number, "the hash before", "another")
    known.sign_in("Aino")


def stored_hash(known: KnownAccounts) -> str:
    with known.engine.connect() as connection:
        return str(connection.exec_driver_sql("SELECT password FROM users").scalar_one())
