"""Whoever stands at the bench, as far as every calibration asks the same."""

from __future__ import annotations


def agree(line: str) -> str | None:
    """Whoever agrees to everything that is not about the device itself."""
    return "y" if line.startswith("All good. Write it") else None
