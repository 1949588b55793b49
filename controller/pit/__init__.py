"""The pit: many tables, seen together; it knows what they publish, and no table knows it."""
