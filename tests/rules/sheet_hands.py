"""Hands by which the tables of a rule sheet are read back."""

from __future__ import annotations

from controller.rules.hands import Total
from controller.rules.sheets.sheet import Kind


def total_kind(total: Total) -> Kind:
    return ("soft" if total.soft else "hard"), total.points
