"""What both `decide` and the views ask of a state, so that what is offered is what is taken."""
