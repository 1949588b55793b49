"""Wrong tries, and how long the next one waits.

A try of a browser in which the user has signed in before is counted under that browser alone: what
strangers do keeps no known browser out. Strangers' tries are counted under the account they are
for, all together, and under the address they come from. The first `FREE` cost nothing; each
further one makes the next wait twice as long, up to `LONGEST_MS`. A count is forgotten
`FORGOTTEN_MS` after its last try.

The bound: against one account strangers have `FREE`, some ten while the wait grows, and then 96
tries a day, however many addresses they have. A browser that was taken over has `BROWSER_TRIES`,
then it is a stranger. What an attacker can do: make a person in a browser that is new to the pit
wait. A passkey, or a link from an engineer, signs in nevertheless: nobody can guess those.

A try is counted before it is judged: a hundred at once are a hundred.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Final

from sqlalchemy import Connection, delete, insert, select, text, update

from controller.pit.accounts.schema import TRIES

FREE: Final = 5
FIRST_MS: Final = 1_000
LONGEST_MS: Final = 15 * 60_000
FORGOTTEN_MS: Final = 24 * 3_600_000
BROWSER_TRIES: Final = 10
#: PostgreSQL's advisory lock of whoever counts a try: SQLite's writers go one at a time anyway.
_COUNTING: Final = 0x7461626C6504
#: An address is shared: an office behind one may err more often than one person.
ADDRESS_FREE: Final = 20
#: Before the names of what codes of a second factor are counted under.
SECOND: Final = "second "


def of_account(login: str) -> str:
    """Strangers' tries for one account, whether there is one or not."""
    return f"account {login}"


def of_address(address: str) -> str:
    """Tries of one address; of IPv6, of the network that one customer has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return f"address {address}"
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return f"address {parsed.ipv4_mapped}"
        return f"address {parsed.exploded[:19]}"
    return f"address {parsed}"


def of_browser(secret: bytes) -> str:
    """Tries of a browser that is known."""
    return f"browser {secret.hex()}"


def wait_after(wrong: int, free: int) -> int:
    """How long the next try waits, in ms, after so many wrong ones."""
    over = wrong - free
    return 0 if over < 0 else min(FIRST_MS * 2 ** min(over, 20), LONGEST_MS)


def waiting(wait_ms: int) -> str:
    """The text for somebody who has to wait."""
    minutes = -(-wait_ms // 60_000)
    seconds = -(-wait_ms // 1_000)
    wait = f"{minutes} minutes" if minutes > 1 else f"{seconds} second{'s' * (seconds != 1)}"
    return (
        f"Too many wrong tries. Try again in {wait}, or sign in in a browser that you have used "
        "here before: that one does not wait."
    )


def begin(connection: Connection, now_ms: int, counted: dict[str, int]) -> int:
    """Count a try under each of these names (with how many are free), or say how long it waits.

    Returns 0 where it may be judged: it counts as a wrong one until `right` is called.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _COUNTING})
    connection.execute(delete(TRIES).where(TRIES.c.last_ms < now_ms - FORGOTTEN_MS))
    rows = {
        each.counted: each
        for each in connection.execute(select(TRIES).where(TRIES.c.counted.in_(counted)))
    }
    # A clock that was put back keeps nobody out for longer than the longest wait.
    waits = [min(each.until_ms - now_ms, LONGEST_MS) for each in rows.values()]
    if (longest := max(waits, default=0)) > 0:
        return int(longest)
    for name, free in counted.items():
        wrong = rows[name].wrong + 1 if name in rows else 1
        values = {
            "wrong": wrong, "last_ms": now_ms, "until_ms": now_ms + wait_after(wrong, free),
        }  # fmt: skip
        if name in rows:
            connection.execute(update(TRIES).where(TRIES.c.counted == name).values(**values))
        else:
            connection.execute(insert(TRIES).values(counted=name, **values))
    return 0


def wrong_tries(connection: Connection, name: str) -> int:
    """How many wrong tries are counted under a name."""
    found = connection.scalar(select(TRIES.c.wrong).where(TRIES.c.counted == name))
    return int(found or 0)


def forget_account(connection: Connection, login: str) -> None:
    """Forget what strangers tried for one account."""
    account = of_account(login)
    connection.execute(delete(TRIES).where(TRIES.c.counted.in_((account, SECOND + account))))


def right(connection: Connection, forgotten: str, taken_back: str | None) -> None:
    """The try was right: what was counted under one name is forgotten.

    Of `taken_back` this try alone is: with an account of his own nobody clears an address.
    """
    connection.execute(delete(TRIES).where(TRIES.c.counted == forgotten))
    if taken_back is not None:
        connection.execute(
            update(TRIES).where(TRIES.c.counted == taken_back, TRIES.c.wrong > 0)
            .values(wrong=TRIES.c.wrong - 1, until_ms=0)
        )  # fmt: skip
