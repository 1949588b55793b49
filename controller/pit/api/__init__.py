"""What programs ask of a pit: what each route answers, its description, and a typed client."""
