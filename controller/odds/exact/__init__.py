"""Exact odds: one player, a fresh shoe, no card put back."""
