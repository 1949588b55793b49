"""Simulated devices, below the drivers."""
