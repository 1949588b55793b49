"""Rounds as they are really dealt, by the million, and the odds of them."""
