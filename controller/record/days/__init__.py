"""From one gaming day to the next, and what becomes of those that are closed."""
