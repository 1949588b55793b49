"""The audit of the pit: which acts it has, its chained rows, and how they are searched."""
