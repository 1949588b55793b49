"""Calibrates the camera of the shoe: the plane of the cards, one deck captured, a check of it."""
