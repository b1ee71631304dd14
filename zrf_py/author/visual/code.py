"""Move code of a piece -> the moves in it that can be drawn, and drawn moves -> edits of the text.

An item of `(moves …)` is readable if its expansion consists of steps, leaps and slides exactly as `Drawn.block` writes them.
All other items stay as they are. New moves are written as calls of macros of the text or of `std/` where these do the same.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import count

from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.rename import Edit
from zrf_py.author.editor.setup import after, cut, game_form
from zrf_py.front.expand import Expander
from zrf_py.front.forms import read_forms
from zrf_py.front.macros import collect, walk
from zrf_py.front.nodes import STRING, Atom, Form, Macro, Node
from zrf_py.library import STANDARD, read_source
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError
from zrf_py.text.source import Source, Span

TESTS = {"both": "not-friend?", "move": "empty?", "take": "enemy?"}
"""Test of the last square, by what a drawn move may do there."""
NAMES = {"move": ("leap-to", "glide"), "take": ("leap-onto", "strike"), "both": ("leap-over", "slide")}
"""Names of new macros: of leaps, and of slides."""
TURNED = "(if (in-zone? {}) (add {}) else add)"
ROW = 4
"""Moves on a line."""
_PATH = re.compile(r"\(([^()]+?) \(")
_TURNED = re.compile(re.escape(TURNED).replace(r"\{\}", "([^()]+)"))
_NAME = re.compile(r"[^\s()\";$0-9][^\s()\";$]*")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn move: directions to go, the only one as far as the way is empty if it `slides`.

    `takes` is a key of `TESTS`. In `zone` ("": none) the piece becomes another, `becomes`.
    """

    path: tuple[str, ...]
    slides: bool
    takes: str
    zone: str = ""
    becomes: str = ""

    @property
    def add(self) -> str:
        return TURNED.format(self.zone, self.becomes) if self.zone else "add"

    def block(self) -> str:
        """Return the move as a block without macros."""
        way, test = " ".join(self.path), f"(verify {TESTS[self.takes]})"
        if not self.slides:
            return f"({way} {test} {self.add})"
        if self.takes == "take":
            return f"({way} (while empty? {way}) {test} {self.add})"
        return f"({way} (while empty? {self.add} {way}){f' {test} {self.add}' if self.takes == 'both' else ''})"


def read(block: str) -> Drawn | None:
    """Return the drawn move that is written as this block; None if there is none."""
    path, turned = _PATH.match(block), _TURNED.search(block)
    slides = "(while empty? " in block
    test = next((word for word, name in TESTS.items() if f"(verify {name})" in block), "move" if slides else "")
    if path is None or not test:
        return None
    move = Drawn(tuple(path[1].split()), slides, test, *(turned.groups() if turned else ()))
    return move if block == move.block() and (not slides or len(move.path) == 1) else None


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a piece in the text: its form, its `(moves …)`, and the items of that with the moves they contain.

    `problem`: "" or why it isn't edited: "macro" (it is made by a macro, or in another file), "types" (move types).
    """

    piece: Form | None = None
    moves: Form | None = None
    items: tuple[tuple[Form, tuple[Drawn, ...]], ...] = ()
    problem: str = ""

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        return tuple(dict.fromkeys(move for _, moves in self.items for move in moves))

    @property
    def kept(self) -> list[str]:
        """The items that can't be drawn, as written."""
        return [item.origin.span.text for item, moves in self.items if not moves]


def code_of(analysis: Analysis, title: str, name: str) -> Code:
    """Return the code of a piece of a game; variants without a piece of that name have that of the game.

    :raises ZrfError: if the text itself contains no game of that title.
    """
    pieces = _pieces(analysis, title)
    piece = next((piece for piece in pieces if any(_is(item, "name", name) for item in piece.items)), None)
    if piece is None:
        return Code(problem="macro")
    parts = [item for item in piece.items if isinstance(item, Form) and item.head == "moves"]
    heads = {item.head for item in piece.items if isinstance(item, Form)}
    if len(parts) > 1 or heads & set(analysis.macros):
        return Code(piece, problem="macro")
    items = parts[0].items[1:] if parts else ()
    if any(not isinstance(item, Form) or item.origin.span.source is not analysis.source for item in items):
        return Code(piece, problem="macro")
    if any(form.head == "move-type" for form in _expanded(analysis, items) if isinstance(form, Form)):
        return Code(piece, problem="types")
    known = analysis.known.of("direction")
    return Code(piece, parts[0] if parts else None, tuple(
        (item, _read_item(analysis, item, known)) for item in items if isinstance(item, Form)))


def piece_at(analysis: Analysis, offset: int) -> str:
    """Return the name of the piece in whose form an offset lies, or ""."""
    for form in walk(analysis.stages.forms):
        span = form.origin.span
        if form.head == "piece" and span.source is analysis.source and span.start <= offset <= span.end:
            return next((words(item.items[1]) for item in form.items
                         if isinstance(item, Form) and item.head == "name" and len(item.items) > 1), "")
    return ""


def _read_item(analysis: Analysis, item: Form, directions: Iterable[str]) -> tuple[Drawn, ...]:
    moves = [read(words(node)) for node in _expanded(analysis, (item,))]
    good = [move for move in moves if move and set(move.path) <= set(directions)]
    return tuple(good) if len(good) == len(moves) else ()


def _expanded(analysis: Analysis, items: tuple[Node, ...]) -> tuple[Node, ...]:
    return Expander(analysis.macros, Report()).run(items).nodes


def words(node: Node) -> str:
    """Return a node as text with single blanks and no comments."""
    if isinstance(node, Form):
        return f"({' '.join(map(words, node.items))})"
    return f'"{node.text}"' if node.kind == STRING else node.text


def _is(node: Node, head: str, name: str) -> bool:
    return isinstance(node, Form) and node.head == head and len(node.items) > 1 \
        and isinstance(node.items[1], Atom) and node.items[1].text == name


def _pieces(analysis: Analysis, title: str) -> list[Form]:
    """Return the piece forms of a game in the text, before those that a variant takes over."""
    own = game_form(analysis, title)
    games = [form for form in analysis.stages.forms if isinstance(form, Form) and form.head == "game"]
    forms = [own, *(game for game in games if game is not own)]
    return [item for form in forms for item in form.items if isinstance(item, Form) and item.head == "piece"
            and item.origin.span.source is analysis.source]


# ------------------------------------------------------------------------------------------------------------- writing


def redraw(analysis: Analysis, title: str, name: str, moves: Iterable[Drawn]) -> list[Edit]:
    """Return the edits that give a piece these moves, besides those that can't be drawn; a new name gives a new piece.

    :raises ZrfError: if the piece isn't edited here, or the result would not be read as these moves.
    """
    wanted = dict.fromkeys(moves)
    is_new = name not in analysis.known.of("piece")
    code = Code() if is_new else code_of(analysis, title, name)
    if code.problem or (is_new and (not _NAME.fullmatch(name) or analysis.known.kinds(name) or name in analysis.macros)):
        raise _cant_write(f"`{name}` can't be the name of a new piece" if is_new else
                          f"the moves of `{name}` are not written in this text as plain moves")
    removed = [item for item, drawn in code.items if drawn and not set(drawn) <= wanted.keys()]
    present = {move for item, drawn in code.items if item not in removed for move in drawn}
    macros = _Macros(analysis.macros)
    calls = [macros.call(move) for move in wanted if move not in present]
    edits = [cut(item.origin.span) for item in removed]
    if code.moves is not None:
        apart = bool(code.kept) and "\n" in code.moves.origin.span.text
        edits += [after(code.moves.items[-1], _lines(calls, _column(code.moves) + 2, apart))] if calls else []
    elif code.piece is not None:
        column = _column(code.piece) + 2
        edits.append(after(code.piece.items[-1], f"\n{' ' * column}(moves{_lines(calls, column + 2)})"))
    else:
        edits.append(_new_piece(_pieces(analysis, title), game_form(analysis, title), name, calls))
    edits += _head(analysis, sorted(macros.added, key=lambda line: line.startswith("(define")))
    _check(analysis, title, name, wanted, code, edits)
    return edits


def _new_piece(pieces: list[Form], game: Form, name: str, calls: list[str]) -> Edit:
    before = pieces[-1] if pieces else game.items[-1]
    column = _column(before)
    moves = f"(moves{_lines(calls, column + 4)})"
    return after(before, f"\n\n{' ' * column}(piece\n{' ' * (column + 2)}(name {name})\n{' ' * (column + 2)}{moves})")


def _lines(calls: list[str], column: int, apart: bool = False) -> str:
    """Return calls to put behind others: on lines of their own if there are many, or `apart`."""
    if len(calls) <= ROW and not apart:
        return "".join(f" {call}" for call in calls)
    rows = [calls[at : at + ROW] for at in range(0, len(calls), ROW)]
    return "".join(f"\n{' ' * column}{' '.join(row)}" for row in rows)


def _column(node: Node) -> int:
    return node.origin.span.source.position(node.origin.span.start)[1] - 1


def _head(analysis: Analysis, lines: list[str]) -> list[Edit]:
    """Return the edit that puts top-level forms behind the version, or before the first form."""
    forms = [form for form in analysis.stages.forms if form.origin.span.source is analysis.source]
    if not lines:
        return []
    version = next((form for form in forms if isinstance(form, Form) and form.head == "version"), None)
    if version is not None:
        return [after(version, "\n\n" + "\n".join(lines))]
    start = min(form.origin.span.start for form in forms)
    return [Edit(Span(analysis.source, start, start), "\n".join(lines) + "\n\n")]


def _check(
    analysis: Analysis, title: str, name: str, wanted: Iterable[Drawn], code: Code, edits: list[Edit],
) -> None:
    """
    :raises ZrfError: if the edited text has an error, or other moves than wanted.
    """
    text = analysis.source.text
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    result = analyse(Source(analysis.source.name, text), analysis.path)
    if result.errors:
        raise _cant_write(f"it would be an error: {result.errors[0].message}")
    new = code_of(result, title, name)
    if set(new.drawn) != set(wanted) or new.kept != code.kept:
        raise _cant_write(f"the moves of `{name}` would not be read as they are drawn")


def _cant_write(problem: str) -> ZrfError:
    return ZrfError([Diagnostic("cant-write", problem, None, help="change the moves in the text")])


@cache
def standard() -> dict[str, dict[str, Macro]]:
    """Return the macros of `std/` by file."""
    report = Report()
    files = sorted(STANDARD.glob("*.zrf"))
    return {path.name: collect(read_forms(read_source(path), report, lambda *_: None), report) for path in files}


class _Macros:
    """The macros that a text has or may include; `added` are the top-level forms that its new calls need."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.names = set(macros)
        self.bodies: dict[str, str] = {}
        self.added: list[str] = []
        self._learn(macros)

    def _learn(self, macros: Mapping[str, Macro]) -> None:
        self.names |= set(macros)
        self.bodies = {words(macro.body[0]): name for name, macro in macros.items() if len(macro.body) == 1} | self.bodies

    def call(self, move: Drawn) -> str:
        """Return a move as a call; one that turns into another piece as a block."""
        slots = tuple(f"${n}" for n in range(1, len(move.path) + 1))
        general = replace(move, path=slots).block()
        if call := self._called(move.block(), general, move.path):
            return call
        if move.zone:
            one = TURNED.format("$1", "$2") if " " not in move.becomes else ""
            add = self._called(move.add, one, (move.zone, move.becomes)) or move.add
            return move.block().replace(move.add, add)
        base = NAMES[move.takes][move.slides]
        name = next(name for n in count(1) if (name := base if n == 1 else f"{base}-{n}") not in self.names)
        self.names.add(name)
        self.bodies[general] = name
        self.added.append(f"(define {name} {general})")
        return f"({' '.join((name, *move.path))})"

    def _called(self, exact: str, general: str, arguments: tuple[str, ...]) -> str:
        """Return a call of a macro of the text or of `std/`, which is then included; "" if there is none."""
        if exact in self.bodies:
            return f"({self.bodies[exact]})"
        if general not in self.bodies:
            for file, macros in standard().items():
                if any(words(body) == general for macro in macros.values() for body in macro.body[:1]) \
                        and not self.names & set(macros):
                    self.added.append(f'(include "std/{file}")')
                    self._learn(macros)
                    break
            else:
                return ""
        return f"({' '.join((self.bodies[general], *arguments))})"
