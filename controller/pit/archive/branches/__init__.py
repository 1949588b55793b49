"""Two histories of one table: which one stands, where they part, and taking the archive back."""
