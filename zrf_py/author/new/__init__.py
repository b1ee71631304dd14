"""Small, playable games to start from, made from a few answers."""
