"""The enforced rules as text, told by asking what enforces them."""
