"""Drawing of positions: all pictures of a position are made from one `Scene`."""
