"""Documents of people: what is refused, and how they are taken."""
