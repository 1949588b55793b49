"""The database of a pit: opened by its URL, its tables, and the steps that bring it up to date."""
