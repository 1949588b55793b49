"""Simulated dealer and players, and a visitor in the dealer's seat."""
