"""Pydantic's first edition, which lies in the second and which nothing here is made with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_OLD: Final = "pydantic.v1"


@contextmanager
def without_old_pydantic() -> Iterator[None]:
    """While FastAPI makes routes: for each parameter it looks whether it is a model of the first
    edition, loads all of that to find out (23 modules, three megabytes), and does without where it
    is not to be had.
    """
    modules: dict[str, Any] = sys.modules
    if _OLD in modules:
        yield
        return
    modules[_OLD] = None  # as Python has it: an import of it fails
    try:
        yield
    finally:
        del modules[_OLD]  # a driver of others may be made with it
