"""What a pit says of a table's people: a document that it signs and seals to that table alone."""
