"""A record read again: states, rounds, reports, the export, and whether all of it holds."""
