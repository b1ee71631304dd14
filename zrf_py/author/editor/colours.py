"""Semantic tokens for the colours of a text; inlay hints about directions changed by the board's symmetry."""

from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.cursor import pieces_of
from zrf_py.author.editor.names import names_of
from zrf_py.front.macros import SLOT, walk
from zrf_py.front.nodes import Atom
from zrf_py.text.suggest import listing

KEYWORD, COMMENT, STRING, NUMBER, SLOTS = "keyword", "comment", "string", "number", "parameter"
COLOURS = (KEYWORD, COMMENT, STRING, NUMBER, SLOTS, *kinds.KINDS)


@dataclass(frozen=True, slots=True)
class Coloured:
    """A word, string or comment with its colour, one of `COLOURS`; `defines` is True where a name is defined."""

    start: int
    end: int
    colour: str
    defines: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """An inlay hint: a few words shown after an offset."""

    offset: int
    text: str


def coloured(analysis: Analysis) -> Iterator[Coloured]:
    """Yield the words, strings and comments of a text in order."""
    names = {o.span.start: o for o in reversed(names_of(analysis).inside(analysis.source))}
    text, keywords = analysis.source.text, analysis.keywords
    for kind, start, end in pieces_of(analysis.source):
        if kind in ("COMMENT", "STRING"):
            yield Coloured(start, end, kind.lower())
        elif start in names and names[start].span.end == end:
            yield Coloured(start, end, names[start].kind, names[start].defines)
        elif kind == "NUMBER":
            yield Coloured(start, end, NUMBER)
        elif kind == "NAME":
            word = text[start:end]
            if SLOT.search(word):
                yield Coloured(start, end, SLOTS)
            elif word in keywords:
                yield Coloured(start, end, KEYWORD)


def notes(analysis: Analysis, start: int, end: int) -> list[Note]:
    """Return the inlay hints between two offsets: directions missing from a symmetry, and directions it changes."""
    hints = []
    for form in walk(analysis.stages.forms):
        span = form.origin.span
        if form.head != "symmetry" or span.source is not analysis.source or span.end < start or span.start > end:
            continue
        player = form.items[1] if len(form.items) > 1 else None
        if isinstance(player, Atom) and (left := _same_for(analysis, player.text)):
            hints.append(Note(span.end, f"for {player.text} as written: {listing(left, 6).replace('`', '')}"))
    hints += _turned_steps(analysis, start, end)
    return sorted(hints, key=lambda note: note.offset)


def _same_for(analysis: Analysis, player: str) -> list[str]:
    """Return the directions that the symmetry leaves unchanged for a player."""
    program = analysis.known.program
    number = program.game.symbols.players.get(player) if program else None
    if program is None or number is None or number >= len(program.game.board.symmetry):
        return []
    board = program.game.board
    return [name for d, name in enumerate(board.directions) if board.symmetry[number][d] == d]


def _turned_steps(analysis: Analysis, start: int, end: int) -> list[Note]:
    """Return hints to show after the definitions of directions: the directions that players' symmetries use instead."""
    program = analysis.known.program
    if program is None:
        return []
    board, players = program.game.board, program.game.players
    hints = []
    for name in names_of(analysis).inside(analysis.source):
        if name.kind != kinds.DIRECTION or not name.defines or not start <= name.span.end <= end:
            continue
        number = program.game.symbols.directions.get(name.name)
        if number is None or number >= len(board.directions):
            continue
        used = [f"{players[p].name}: {board.directions[side[number]]}" for p, side in enumerate(board.symmetry)
                if side[number] != number]
        if used:
            hints.append(Note(name.span.end, ", ".join(used[:3]) + (" …" if len(used) > 3 else "")))
    return hints
