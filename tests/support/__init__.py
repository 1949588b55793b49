"""What the tests share: a table that is spoken to in the pit's language."""
