"""Everything that the records of a table say: its state, in parts, and its phases."""
