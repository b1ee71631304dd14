"""What is seen of a position: one scene, from which every picture is made."""
