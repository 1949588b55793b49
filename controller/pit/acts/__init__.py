"""Acts at tables from the pit: commands that are signed here, and what the table answers."""
