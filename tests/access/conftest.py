"""Hundreds of PINs are judged in this folder: quickly."""

from tests.support.quick_pins import quick_pins

__all__ = ["quick_pins"]
