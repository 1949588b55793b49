"""The gaming day as the table knows it: its label, its planned end, what the next takes over."""
