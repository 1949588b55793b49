"""Who may use a table: the API token, and the directory of people."""
