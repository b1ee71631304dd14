"""Names of squares and of their contents in forms of moves."""

EMPTY, FRIEND, ENEMY, OFF = "empty", "friend", "enemy", "off"
"""Contents of a square; OFF: there is no such square."""
ON = frozenset({EMPTY, FRIEND, ENEMY})
ANYONE = ON | {OFF}
START, LAST_FROM, LAST_TO, NAMED = "start", "last-from", "last-to", "named"
ANY = "any"
"""A square that may be any of several, such as that of an "every" effect."""
