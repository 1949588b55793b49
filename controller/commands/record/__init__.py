"""Commands about a record: whether it holds, what it says, its copies."""
