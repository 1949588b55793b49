"""Measurements on this machine: `make bench`. Nothing here is a pass or a fail."""
