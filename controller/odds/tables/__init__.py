"""A game with its options as tables, by asking its live script."""
