"""Who may use the table: the API token, staff and their PINs."""
