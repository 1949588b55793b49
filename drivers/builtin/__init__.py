"""The drivers that come with the table, a `Driver` each, as the door has them."""
