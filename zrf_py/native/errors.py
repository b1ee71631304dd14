"""Exceptions of the native engine; importing this module does not load LLVM."""


class NoRoom(Exception):
    """A query can't be answered natively: it or the game is too large, or the source of zrf_py has changed."""


class TooLarge(Exception):
    """The game does not fit into the native arrays."""
