"""Cameras, streams and recorded files: opened, locked, read back, their frames judged."""
