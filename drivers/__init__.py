"""How the table touches the world: bytes, edges and pixels in; lights, sounds and pages out."""
