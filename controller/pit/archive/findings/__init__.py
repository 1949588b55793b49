"""What may be wrong with what a pit has of its tables: named, kept in rows, said on the wall."""
