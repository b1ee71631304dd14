"""Edits that write a position as the `board-setup` of a text; the author's order, comments and line breaks stay."""

from collections.abc import Mapping

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.rename import Edit
from zrf_py.catalogue import folded
from zrf_py.front.nodes import Atom, Form, Node
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.source import Source, Span

Man = tuple[str, str]
"""A player and a piece, by name."""


def set_up(analysis: Analysis, title: str, men: Mapping[str, Man], stores: Mapping[Man, int]) -> list[Edit]:
    """Return the edits that give a game of the text this set-up.

    :raises ZrfError: if it has no such game, or the `board-setup` comes from a macro or another file.
    """
    game = game_form(analysis, title)
    old = next((item for item in game.items if isinstance(item, Form) and item.head == "board-setup"), None)
    placements = _placements(old, analysis.source) if old is not None else None
    if old is not None and placements is not None:
        return _changes(old, placements, men, stores)
    column = analysis.source.position(game.origin.span.start)[1] + 1
    added = _added(men, {man: count for man, count in stores.items() if count})
    sides = (f"\n{' ' * (column + 2)}({player}{words})" for player, words in _of_players(added).items())
    text = f"(board-setup{''.join(sides)})"
    if old is not None:
        return [Edit(old.origin.span, text)]
    if game.head == "game" and any(p.game.setup for p in analysis.stages.programs
                                   if folded(p.game.title) == folded(title)):
        raise ZrfError([Diagnostic("cant-write", "the set-up of this game comes from a macro or another file", None,
                                   help="first write `(board-setup …)` in the game itself")])
    return [after(game.items[-1], f"\n{' ' * column}{text}")]


def _placements(setup: Form, source: Source) -> list[tuple[Man, Form]] | None:
    """Return the `(Piece squares…)` forms, each with its player; None if anything in them isn't a name in `source`."""
    placements = []
    for side in setup.items[1:]:
        if not (isinstance(side, Form) and side.head):
            return None
        for form in side.items[1:]:
            if not (isinstance(form, Form) and form.head and form.origin.span.source is source
                    and all(isinstance(item, Atom) and item.origin.span.source is source for item in form.items)):
                return None
            placements.append(((side.head, form.head), form))
    return placements


def _changes(
    setup: Form, placements: list[tuple[Man, Form]], men: Mapping[str, Man], stores: Mapping[Man, int],
) -> list[Edit]:
    """Return edits for just those squares and numbers that differ."""
    target, held = dict(men), {man: count for man, count in stores.items() if count}
    rows = [(man, form, *_match_placement(man, form, target, held)) for man, form in placements]
    added = _added(target, held)
    edits: list[Edit] = []
    for man, form, unchanged, changes in reversed(rows):
        more = added.pop(man, "")
        edits += [*changes, after(form.items[-1], more)] if unchanged or more else [cut(form.origin.span)]
    sides = {side.head: side for side in setup.items[1:] if isinstance(side, Form)}
    column = setup.origin.span.source.position(setup.origin.span.start)[1] - 1
    for player, words in _of_players(added).items():
        side = sides.get(player)
        edits.append(after(side.items[-1], words) if side else
                     after(setup.items[-1], f"\n{' ' * (column + 2)}({player}{words})"))
    return [edit for edit in edits if edit.text or edit.span.start < edit.span.end]


def _added(men: Mapping[str, Man], stores: Mapping[Man, int]) -> dict[Man, str]:
    """Return the words to add for each player's pieces of a type, a space before each word."""
    added: dict[Man, str] = {}
    for man, word in (*((man, square) for square, man in men.items()),
                      *((man, f"off {count}") for man, count in stores.items())):
        added[man] = f"{added.get(man, '')} {word}"
    return added


def _of_players(added: Mapping[Man, str]) -> dict[str, str]:
    words: dict[str, str] = {}
    for (player, piece), squares in added.items():
        words[player] = f"{words.get(player, '')} ({piece}{squares})"
    return words


def _match_placement(man: Man, form: Form, target: dict[str, Man], held: dict[Man, int]) -> tuple[int, list[Edit]]:
    """Remove from `target` and `held` what a placement already has; return how many squares and counts stay in it, and
    the edits that delete its other squares and correct its counts."""
    unchanged, edits = 0, []
    labels = iter(form.items[1:])
    for label in labels:
        assert isinstance(label, Atom)
        span, number = label.origin.span, next(labels, None) if label.text == "off" and "off" not in target else None
        if isinstance(number, Atom):
            count, end = held.pop(man, 0), number.origin.span
            unchanged += bool(count)
            edits.append(Edit(end, str(count)) if count else cut(Span(span.source, span.start, end.end)))
        elif target.get(label.text) == man:
            del target[label.text]
            unchanged += 1
        else:
            edits.append(cut(span))
    return unchanged, [edit for edit in edits if edit.text != edit.span.text]


def after(node: Node, text: str) -> Edit:
    """Return the edit that inserts text right after a node."""
    end = node.origin.span.end
    return Edit(Span(node.origin.span.source, end, end), text)


def cut(span: Span) -> Edit:
    """Return the edit that deletes a span and the whitespace before it, but no line end that may close a comment."""
    text = span.source.text
    before = text[: span.start].rstrip(" \t")
    trimmed = before.rstrip()
    start = len(before if ";" in trimmed[trimmed.rfind("\n") + 1 :] else trimmed)
    return Edit(Span(span.source, start, span.end), "")


def game_form(analysis: Analysis, title: str) -> Form:
    """Return the form of a game or variant.

    :raises ZrfError: if the text itself contains no game of that title.
    """
    for form in analysis.stages.forms:
        if isinstance(form, Form) and form.head in ("game", "variant") \
                and form.origin.span.source is analysis.source and folded(text_in(form, "title")) == folded(title):
            return form
    raise ZrfError([Diagnostic("cant-write", f"the text itself contains no game called `{title}`", None,
                               help="edit the macro or included file that produces the game")])


def game_forms(analysis: Analysis, title: str) -> list[Form]:
    """Return the form of a game or variant, then the other `game` forms of the file, from which a variant may inherit.

    :raises ZrfError: if the text itself contains no game of that title.
    """
    games = [form for form in analysis.stages.forms if isinstance(form, Form) and form.head == "game"]
    return list(dict.fromkeys([game_form(analysis, title), *games]))


def text_in(form: Form, head: str) -> str:
    """Return the text of a part of a form, such as its name or title; "" if there is none."""
    for item in form.items:
        if isinstance(item, Form) and item.head == head and len(item.items) > 1:
            text = item.items[1]
            return text.text if isinstance(text, Atom) else ""
    return ""
