"""What is reported of a defect of ours: its kind and where it was raised, never its text.

A text of Python's own may hold a card that lies face down: `KeyError` names the key.
"""

from __future__ import annotations

import logging
import traceback

log = logging.getLogger(__name__)


def report(what: str, error: Exception) -> str:
    """Log where `error` was raised; returns what may be shown of it. Of several, the first."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    kind = type(error).__name__
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s: %s at\n%s", what, kind, where)
    return f"{what} ({kind}): look at the service's log"
