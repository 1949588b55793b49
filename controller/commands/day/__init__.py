"""Commands about the gaming day of a running table, and the sheet of a shift."""
