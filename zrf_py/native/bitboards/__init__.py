"""Bitboards: blocks as operations on sets of squares, so that one instruction serves all pieces at once."""
