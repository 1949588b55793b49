"""Rendered passages of cards before the shoe's camera, read as at the table: `make passages`."""
