"""What the native engine can't take. Types only: to name them takes no LLVM."""


class NoRoom(Exception):
    """The native arrays are too small for what was asked."""


class TooLarge(Exception):
    """The game does not fit into the arrays of the native engine."""


class TooLong(Exception):
    """A move has more parts than a record can hold."""
