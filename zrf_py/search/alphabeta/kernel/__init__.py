"""Native kernel of the alpha-beta search."""
