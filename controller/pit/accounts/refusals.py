"""What the gate refuses, on the audit: somebody without the role, a page of another site, a token
that is none. A flood makes few rows: of one thing the 1st, 10th, 100th … within an hour, and of
one who asks thirty at most.

Refused addresses stand there as the pit declares them: nothing that somebody typed.
"""

from __future__ import annotations

from typing import Final

from controller.pit.accounts import tries
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity

_HOUR_MS: Final = 3_600_000
#: Rows within an hour of one who asks; of all tokens that are nobody's together.
MOST_ROWS: Final = 30
#: What is counted within an hour; further addresses are counted as one.
MOST_COUNTED: Final = 2_000
_OTHERS: Final = "others"


class SeldomRows:
    """Which of many equal refusals is written down. Times are wall ms, or of any one clock."""

    def __init__(self) -> None:
        self._hour = -1
        self._counted: dict[tuple[str, str], int] = {}
        self._rows: dict[str, int] = {}

    def due(self, who: str, what: str, now_ms: int) -> int:
        """The how many-eth it is within its hour where a row is due, otherwise 0."""
        hour = now_ms // _HOUR_MS
        if hour != self._hour:
            self._hour = hour
            self._counted.clear()
            self._rows.clear()
        key = (who, what)
        if key not in self._counted and len(self._counted) >= MOST_COUNTED:
            key = (_OTHERS, _OTHERS)
        count = self._counted[key] = self._counted.get(key, 0) + 1
        if not _is_power_of_ten(count) or self._rows.get(key[0], 0) >= MOST_ROWS:
            return 0
        self._rows[key[0]] = self._rows.get(key[0], 0) + 1
        return count


class Refusals:
    """Writes down what is refused. Every method may block, and raise `DBAPIError`."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._seldom = SeldomRows()

    def of_known(self, why: AuditAct, who: Identity, what: str, address: str) -> None:
        """Somebody asked for a route, by its declared name, and was let no further."""
        count = self._seldom.due(str(who.user), f"{why.value} {what}", self._accounts.clock_ms())
        self._add(count, who.name, why, what, address)

    def of_token(self, token: str, address: str) -> str:
        """A token let nobody in: what to tell whoever sent it."""
        found = self._accounts.token(token)
        if found is None:
            who, about, said = "", "unknown token", "This token is none of the pit's"
            asks, what = "", tries.of_address(address)
        else:
            who = about = found[0].name
            said = "This token has ended: an engineer makes another on /users"
            asks, what = str(found[0].user), AuditAct.REFUSED_TOKEN.value
        count = self._seldom.due(asks, what, self._accounts.clock_ms())
        self._add(count, who, AuditAct.REFUSED_TOKEN, about, address)
        return said

    def _add(self, count: int, who: str, act: AuditAct, about: str, address: str) -> None:
        if not count:
            return
        often = about if count == 1 else f"{about} ({count} times within an hour)"
        with self._accounts.engine.begin() as connection:
            record_act(connection, self._accounts.clock_ms(), who, act, often, address)


def _is_power_of_ten(count: int) -> bool:
    while count % 10 == 0:
        count //= 10
    return count == 1
