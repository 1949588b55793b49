"""Judges of players at a distance: their seats, their time, and the delay of what they see."""
