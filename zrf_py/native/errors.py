"""Exceptions of the native engine; importing this module does not load LLVM."""


class NoRoom(Exception):
    """A query can't be answered natively: the arrays are too small for it, or the package's source has changed."""


class TooLarge(Exception):
    """The game does not fit into the native arrays."""
