"""Benchmarks of the pit: the bus, the archive, its books, its pages."""
