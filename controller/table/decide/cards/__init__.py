"""Judges of what leaves the shoe: readings, cards that nobody saw, and the end of a shoe."""
