"""How many wait for the provider at a time: strangers keep none of those out who are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.pit.sign_in.oidc.refusals import ManyWait

#: That wait at a time, of each kind; and of strangers that share an address.
MOST: Final = 16
MOST_OF_ADDRESS: Final = 4


class Slots:
    """Who waits for the provider: browsers that are known here, and strangers."""

    def __init__(self) -> None:
        self._known = 0
        self._strangers: Counter[str] = Counter()

    @contextmanager
    def one(self, address: str, *, known: bool) -> Iterator[None]:
        """Wait in one. Raises `ManyWait` where there is none."""
        full = self._known >= MOST if known else (
            self._strangers.total() >= MOST or self._strangers[address] >= MOST_OF_ADDRESS
        )  # fmt: skip
        if full:
            raise ManyWait("Too many sign in there at this moment: try again in some seconds.")
        self._add(address, 1, known=known)
        try:
            yield
        finally:
            self._add(address, -1, known=known)

    def _add(self, address: str, count: int, *, known: bool) -> None:
        if known:
            self._known += count
            return
        self._strangers[address] += count
        if not self._strangers[address]:
            del self._strangers[address]
