"""Explain words of a text in Markdown: keywords, macros with expansions, pieces with moves, squares, zones."""

from collections.abc import Callable, Collection, Sized
from dataclasses import dataclass

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.cursor import Cursor, cursor_at
from zrf_py.author.editor.names import names_of
from zrf_py.author.format.layout import formatted
from zrf_py.author.words.pictures import Pictures
from zrf_py.front.expand import expand
from zrf_py.front.keywords import Keyword
from zrf_py.front.macros import walk
from zrf_py.front.model import Game
from zrf_py.front.nodes import Atom, Form, written
from zrf_py.ir.ops import Program
from zrf_py.play.game import Game as PlayedGame
from zrf_py.text.diagnostics import Report
from zrf_py.text.grouping import by_key
from zrf_py.text.suggest import listing

MAX_SHOWN = 1_500
"""Maximum number of characters shown of a definition or an expansion."""


@dataclass(frozen=True)
class Hover:
    """An explanation in Markdown, and the part of the text it is about."""

    text: str
    start: int
    end: int


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """Explain the word at an offset; None if nothing is known about it."""
    cursor = cursor_at(analysis.source, offset)
    if cursor.where == "comment" or not cursor.word:
        return None
    sections = [_name(analysis, o.kind, o.name, cursor) for o in names_of(analysis).at(analysis.source, offset)]
    word = analysis.keywords.get(cursor.word)
    if word is not None and cursor.where == "code" and not sections:
        sections = [keyword(cursor.word, word)]
    texts = list(dict.fromkeys(text for text in sections if text))
    return Hover("\n\n---\n\n".join(texts), cursor.start, cursor.end) if texts else None


def keyword(word: str, row: Keyword) -> str:
    """Describe a word of the language, as `zrf explain` does."""
    ignored = "\n\nIt has no effect on play." if row.ignored else ""
    return f"**{word}** · {row.where}\n\n`{row.form}`\n\n{row.meaning}{ignored}\n\n{_code(row.example)}"


def _name(analysis: Analysis, kind: str, name: str, cursor: Cursor) -> str:
    program = analysis.known.program
    if kind == kinds.MACRO:
        return macro(analysis, name, cursor)
    if program is None:
        return f"**{name}** · {kind}"
    lines: list[str] = []
    if kind == kinds.PIECE:
        lines = _piece(analysis, name)
    elif kind in _NAMED:
        describe, numbered = _NAMED[kind]
        number = getattr(program.game.symbols, f"{kind}s").get(name, -1)
        lines = describe(program, number) if 0 <= number < len(numbered(program.game)) else []
    title = f"**{name}** · {kind.replace('-', ' ')}"
    return "\n\n".join([title, *lines])


def macro(analysis: Analysis, name: str, cursor: Cursor | None = None) -> str:
    """Describe a macro: its definition, and the expansion of the call at the cursor."""
    entry = analysis.macros.get(name)
    if entry is None:
        return ""
    text = entry.definition.text
    lines = [f"**{name}** · macro", _code(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} …")]
    call = _call(analysis, cursor) if cursor else None
    if call is not None and call.head == name:
        lines += ["this call expands to", _code(expansion(analysis, call))]
    return "\n\n".join(lines)


def _call(analysis: Analysis, cursor: Cursor) -> Form | None:
    """Return the form whose head is at the cursor."""
    for form in walk(analysis.stages.forms):
        head = form.items[0] if form.items else None
        if isinstance(head, Atom) and head.origin.span.source is analysis.source \
                and head.origin.span.start == cursor.start:
            return form
    return None


def expansion(analysis: Analysis, call: Form) -> str:
    """Return a call's expansion as text, cut to `MAX_SHOWN` characters; "…" if the file has an expansion error."""
    if any(d.code in ("expansion-too-large", "too-deep", "recursive-macro") for d in analysis.diagnostics):
        return "…"
    defines = [form for form in walk(analysis.stages.forms) if form.head == "define"]
    expanded = expand((*defines, call), Report())
    text = "\n".join(map(written, expanded.nodes))
    text = formatted(text) if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} …"
    return text.strip() or "; nothing"


def _piece(analysis: Analysis, name: str) -> list[str]:
    """Describe a piece of the game shown, or of the first variant that has it."""
    names = analysis.known
    for program in (names.program, *names.variants):
        kind = program.game.symbols.pieces.get(name) if program else None
        if program is None or kind is None or kind >= len(program.game.pieces):
            continue
        piece = program.game.pieces[kind]
        lines = [text for text in (piece.help, piece.description) if text][:1]
        moves, drops = len(piece.moves), len(piece.drops)
        lines.append(f"{_count(moves, 'move block')}, {_count(drops, 'drop block')}")
        return [*lines, *(_moves(program, kind) if analysis.sound and moves else ())]
    return []


def _position(program: Program, number: int) -> list[str]:
    board = program.game.board
    links = [f"{direction} → {board.places[table[number]].name}"
             for direction, table in zip(board.directions, board.links, strict=False) if table[number] >= 0]
    zones = sorted({zone for zone, members in zip(board.zone_names, board.zones, strict=False)
                    if any(number in squares for squares in members)})
    lines = [", ".join(links[:16]) or "no direction leads away from here"]
    lines += [f"in {listing(zones)}"] if zones else []
    return [*lines, *_board(_pictures(program), (number,))]


def _zone(program: Program, number: int) -> list[str]:
    game = program.game
    by_squares = by_key((squares, player.name)
                        for player, squares in zip(game.players, game.board.zones[number], strict=False) if squares)
    pictures, lines = _pictures(program), list[str]()
    for squares, players in list(by_squares.items())[:4]:
        names = " ".join(game.board.places[s].name for s in squares[:40]) + (" …" if len(squares) > 40 else "")
        lines.append(f"for {listing(players)}: {_count(len(squares), 'square')}")
        lines += _board(pictures, squares) or [_plain(names)]
    return lines


def _direction(program: Program, number: int) -> list[str]:
    board = program.game.board
    table = board.links[number]
    some = next((i for i in range(len(table) // 2, len(table)) if table[i] >= 0), -1)
    lines = []
    if some >= 0:
        lines.append(f"leads from {sum(t >= 0 for t in table)} squares, for example from {board.places[some].name} to "
                     f"{board.places[table[some]].name}")
        lines += _board(_pictures(program), (some, table[some]))
    return [*lines, *(f"for {player}: `{used}`" for player, used in turned(program.game, number))]


def _player(program: Program, number: int) -> list[str]:
    game = program.game
    men = sum(player == number for player, _, _ in game.setup)
    turns = {"player": "", "random": "moves at random, ", "neutral": "has no turn, "}[game.players[number].kind]
    return [f"{turns}{_count(men, 'piece')} on the board at the start"]


_NAMED: dict[str, tuple[Callable[[Program, int], list[str]], Callable[[Game], Sized]]] = {
    kinds.POSITION: (_position, lambda game: game.board.places), kinds.ZONE: (_zone, lambda game: game.board.zones),
    kinds.DIRECTION: (_direction, lambda game: game.board.links), kinds.PLAYER: (_player, lambda game: game.players),
}
"""Kind → two functions: one describes a name, given its number; the other returns the list that the number indexes,
which may be too short after errors."""


def turned(game: Game, direction: int) -> list[tuple[str, str]]:
    """Return the players for whom the board's symmetry replaces a direction, each with the replacement."""
    board = game.board
    return [(player.name, board.directions[side[direction]])
            for player, side in zip(game.players, board.symmetry, strict=False) if side[direction] != direction]


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def _code(text: str) -> str:
    return f"```zrf\n{clipped_lines(text)}\n```"


def _plain(text: str) -> str:
    return f"```text\n{text}\n```"


def clipped_lines(text: str) -> str:
    """Cut a text to 40 lines, and defuse code fences in it."""
    lines = text.split("\n")
    return "\n".join(lines[:40] + ["…"] * (len(lines) > 40)).replace("```", "'''")


MAX_DRAWN = 900
"""Maximum number of squares of a board that is drawn."""
MAX_TRIES = 4
"""Maximum number of squares tried per player to find the one with the most moves."""


def _pictures(program: Program) -> Pictures | None:
    """Return a renderer for the game's board; None if the board is too large, or no square is visible."""
    pictures = Pictures(PlayedGame(program)) if len(program.game.board.places) <= MAX_DRAWN else None
    return pictures if pictures and pictures.layout.cells else None


def _board(pictures: Pictures | None, squares: Collection[int]) -> list[str]:
    """Draw the empty board with stars on some squares."""
    return [_plain(pictures.text(pictures.empty(), squares))] if pictures else []


def _moves(program: Program, kind: int) -> list[str]:
    """Draw a piece of the first player who can move it, alone on the board, with stars on the squares it can reach."""
    pictures = _pictures(program)
    for player in program.game.playing if pictures else ():
        assert pictures
        square, targets = pictures.best(player, kind, MAX_TRIES)
        if targets:
            board = pictures.text(pictures.with_man(pictures.empty(), square, player, kind), targets, (), square)
            place = program.game.board.places[square].name
            return [_plain(board), f"on {place}, alone on the board; `*` marks the squares it can reach"]
    return []
