"""How a table's software is released, installed, updated, and brought back."""
