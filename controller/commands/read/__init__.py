"""Reads cards from pictures in files."""
