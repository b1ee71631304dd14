"""A position set up by hand -> the `board-setup` that says it, as an edit of the text."""

from collections.abc import Mapping

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.rename import Edit
from zrf_py.front.nodes import Atom, Form
from zrf_py.library import folded
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.source import Span

WIDTH = 100
Man = tuple[str, str]
"""A player and a piece, by name."""


def written(men: Mapping[str, Man], stores: Mapping[Man, int], indent: int = 2) -> str:
    """The form, in the one style; squares in the order given."""
    players: dict[str, dict[str, list[str]]] = {}
    for square, (player, piece) in men.items():
        players.setdefault(player, {}).setdefault(piece, []).append(square)
    for (player, piece), count in stores.items():
        if count:
            players.setdefault(player, {}).setdefault(piece, []).extend(["off", str(count)])
    pad = " " * (indent + 2)
    rows = []
    for player, pieces in players.items():
        row = f"{pad}({player}"
        for piece, words in pieces.items():
            part = f"({piece} {' '.join(words)})"
            line = row.rpartition("\n")[2]
            row += f"\n{pad}  {part}" if len(f"{line} {part}") > WIDTH else f" {part}"
        rows.append(f"{row})")
    return "(board-setup" + "".join(f"\n{row}" for row in rows) + ")"


def set_up(analysis: Analysis, title: str, men: Mapping[str, Man], stores: Mapping[Man, int]) -> Edit:
    """
    The edit that gives a game of the text this set-up.

    :raises ZrfError: if it has no such game, or its set-up is made by a macro or in another file.
    """
    game = _game(analysis, title)
    column = analysis.source.position(game.origin.span.start)[1] - 1
    text = written(men, stores, column + 2)
    old = next((item for item in game.items if isinstance(item, Form) and item.head == "board-setup"), None)
    if old is not None:
        return Edit(old.origin.span, text)
    if game.head == "game" and any(p.game.setup for p in analysis.stages.programs
                                   if folded(p.game.title) == folded(title)):
        raise ZrfError([Diagnostic("cant-write", "the set-up of this game comes from a macro", None,
                                   help="write `(board-setup …)` in the game itself first")])
    end = game.origin.span.end - 1
    return Edit(Span(analysis.source, end, end), "\n" + " " * (column + 2) + text)


def _game(analysis: Analysis, title: str) -> Form:
    for form in analysis.stages.forms:
        if isinstance(form, Form) and form.head in ("game", "variant") \
                and form.origin.span.source is analysis.source and folded(_title(form)) == folded(title):
            return form
    raise ZrfError([Diagnostic("cant-write", f"the text itself holds no game called `{title}`", None,
                               help="games that macros or included files make are written there")])


def _title(form: Form) -> str:
    for item in form.items:
        if isinstance(item, Form) and item.head == "title" and len(item.items) > 1:
            text = item.items[1]
            return text.text if isinstance(text, Atom) else ""
    return ""
