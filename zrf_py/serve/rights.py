"""Rights at a table, checked in one place before each command (`commands.obey`).

A user of a table is its owner, has a seat by link (guest), or watches. An owner is *alone* if no seat is reserved for a
guest; otherwise, nobody changes the game without asking the others.
"""

from zrf_py.text.diagnostics import ZrfError

ALONE, OWNER, GUEST, WATCHER = "alone", "owner", "guest", "watcher"
ROLES = (ALONE, OWNER, GUEST, WATCHER)

YES, ASK, OFFERED, AFTER, NO = "yes", "ask", "offered", "after", "no"
"""Allowed: always; if all other users agree; if the owner offers it or the game is over; once it is over; never."""

RIGHTS: dict[str, tuple[str, str, str, str]] = {
    #             alone    owner    guest    watcher
    "look":      (YES,     YES,     YES,     YES),
    "draft":     (YES,     YES,     YES,     YES),
    "overlays":  (YES,     YES,     YES,     YES),
    "link":      (YES,     YES,     YES,     YES),
    "play":      (YES,     YES,     YES,     NO),
    "try":       (YES,     YES,     YES,     NO),
    "go-on":     (YES,     NO,      NO,      NO),
    "resume":    (YES,     YES,     YES,     NO),
    "pause":     (YES,     NO,      NO,      NO),
    "undo":      (YES,     ASK,     ASK,     NO),
    "answer":    (YES,     YES,     YES,     NO),
    "resign":    (YES,     YES,     YES,     NO),
    "speak":     (YES,     YES,     YES,     NO),
    "draw":      (NO,      YES,     YES,     NO),
    "abort":     (NO,      YES,     YES,     NO),
    "claim":     (NO,      YES,     YES,     NO),
    "hint":      (OFFERED, OFFERED, OFFERED, NO),
    "evaluate":  (OFFERED, OFFERED, OFFERED, OFFERED),
    "analyse":   (YES,     AFTER,   AFTER,   AFTER),
    "review":    (YES,     AFTER,   AFTER,   AFTER),
    "offer":     (YES,     YES,     NO,      NO),
    "seat":      (YES,     YES,     NO,      NO),
    "new":       (YES,     ASK,     ASK,     NO),
    "load":      (YES,     YES,     NO,      NO),
    "edit":      (YES,     YES,     NO,      NO),
}
"""`try`: try a move in private. `go-on`: continue the game from an earlier position. `offer`: decide on hints,
evaluations and clocks. `pause`: stop the computers, and set their pace. `draft`: set up a position for a new board.
`edit`: use the rules editor, where the user who started the server is the owner and everybody else a watcher."""

WORDS: dict[str, str | dict[str, str]] = {
    NO: {WATCHER: "you are watching this game", GUEST: "only the player who opened this board can do that",
         OWNER: "this isn't possible in a game between people", ALONE: "nobody else plays"},
    OFFERED: "help is turned off for this game",
    AFTER: "this is available only after the game",
}


class Refused(ZrfError):
    """The user may not make this request, or it is invalid or isn't possible now."""


def right(action: str, role: str, offered: bool = False, over: bool = False) -> str:
    """Return `yes`, `ask` or `no`; `offered`: the owner offers this help, `over`: the game is over."""
    cell = RIGHTS[action][ROLES.index(role)]
    if cell == OFFERED:
        return YES if offered or over else NO
    if cell == AFTER:
        return YES if over else NO
    return cell


def why_not(action: str, role: str) -> Refused:
    """Return the refusal for a user without the right."""
    cell = RIGHTS[action][ROLES.index(role)]
    words = WORDS[cell]
    return Refused(words if isinstance(words, str) else words[role], "not-yours")
