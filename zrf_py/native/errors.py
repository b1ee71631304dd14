"""Exceptions of the native engine; importing this module does not load LLVM."""


class NoRoom(Exception):
    """A query needs more room than the native arrays have."""


class TooLarge(Exception):
    """The game does not fit into the native arrays."""
