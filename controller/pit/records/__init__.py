"""What the archive has and what is wrong with it, as people see it, and what they say of it."""
