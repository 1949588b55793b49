"""Handovers between shifts of the pit: what is open, and who signed it."""
