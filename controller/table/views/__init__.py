"""Pictures of a state: the scene, the public view, replays, and their words."""
