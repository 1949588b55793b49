"""The second copy, backups, and a record held against them."""
