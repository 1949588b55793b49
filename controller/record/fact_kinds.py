"""The kinds of facts that this software knows, each with its version.

A record names both (`CardDealt/1`), so what comes from newer software is recognized as newer and
never taken for damage. A kind's version is raised by adding to `RAISED` how an older line becomes
today's: no version can be raised without its older records being read on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

from controller.table.facts import Fact

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
"""From the fields of a fact, as JSON, of one version to those of the next."""

#: What raised a kind's version: the upgrade from version 1, from version 2, ... to the next.
RAISED: Final[Mapping[type, tuple[Upgrade, ...]]] = {}

_NAME: Final = re.compile(r"([A-Z][A-Za-z]*)/([1-9][0-9]*)")


class FactKinds:
    """Kinds of facts with their versions: those of this software, or in a test another's.

    `names` has each kind's name with its version, as records carry it.
    """

    def __init__(self, kinds: Iterable[type], raised: Mapping[type, tuple[Upgrade, ...]]) -> None:
        self._upgrades = {kind.__name__: raised.get(kind, ()) for kind in kinds}
        self.names: Final[dict[type, str]] = {
            kind: f"{kind.__name__}/{1 + len(self._upgrades[kind.__name__])}" for kind in kinds
        }

    def is_newer(self, name: str) -> bool:
        """Whether that is a kind or a version which only newer software can have written."""
        found = _NAME.fullmatch(name)
        if found is None:
            return False
        known = self._upgrades.get(found[1])
        return known is None or int(found[2]) > 1 + len(known)

    def upgraded(self, name: str, fact: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """An older fact by today's name and fields; None if `name` is of no older version."""
        found = _NAME.fullmatch(name)
        upgrades = self._upgrades.get(found[1], ()) if found else ()
        if found is None or not 1 <= int(found[2]) <= len(upgrades):
            return None
        for upgrade in upgrades[int(found[2]) - 1 :]:
            fact = upgrade(fact)
        return f"{found[1]}/{1 + len(upgrades)}", fact


KINDS: Final = FactKinds(get_args(Fact), RAISED)
