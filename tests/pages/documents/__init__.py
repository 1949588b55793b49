"""Documents of a table: its rules, its odds and its manual, as the API makes them."""
