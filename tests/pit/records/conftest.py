"""A pit's accounts and pages for each test."""

from __future__ import annotations

from tests.pit.sign_in.conftest import app, known

__all__ = ["app", "known"]
