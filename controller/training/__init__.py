"""A dealer's training: its report, from the table's record and the list of what the world did."""
