"""Drawing of positions: one `Scene` per position, from which every picture is made."""
