"""What a hostile provider changes in the claims of a token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Change = Callable[[dict[str, Any]], None]


def put(**changed: Any) -> Change:
    """Put these claims, made of the others where they are functions; None: leave one out."""

    def change(claims: dict[str, Any]) -> None:
        for name, value in changed.items():
            if value is None:
                del claims[name]
            else:
                claims[name] = value(claims) if callable(value) else value

    return change
