"""What the pit has of a person: given to them as a file, and erased."""
