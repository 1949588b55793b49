"""The contracts of a table's devices, for a driver in a package of its own."""

__version__ = "0.1.0"
