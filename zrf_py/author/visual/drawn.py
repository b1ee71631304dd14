"""Recognise, in the code of a piece, the moves that can be drawn; write drawn moves, as edits of the text.

An item of `(moves …)` is readable if it expands to steps, leaps and slides exactly as `Drawn.block` writes them; all
other items stay as they are. New moves are written as calls of macros of the text or of `std/` where these do the same.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import count
from typing import NamedTuple

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.fixes import Fix, fixed
from zrf_py.author.editor.rename import Edit
from zrf_py.author.editor.setup import after, cut, game_form, game_forms, text_in
from zrf_py.author.format.layout import formatted
from zrf_py.front.expand import Expander
from zrf_py.front.forms import read_forms
from zrf_py.front.macros import collect
from zrf_py.front.nodes import Form, Macro, Node, written
from zrf_py.library import STANDARD, read_source
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError
from zrf_py.text.source import Span

TESTS = {"both": "not-friend?", "move": "empty?", "take": "enemy?"}
"""Test of the last square, by what a drawn move may do there."""
NAMES = {"both": ("step", "leap-over", "slide"), "move": ("walk", "leap-to", "glide"),
         "take": ("take", "leap-onto", "strike")}
"""Names of new macros for steps, leaps and slides, by what a drawn move may do on its last square."""
TURNED = "(if (in-zone? {}) (add {}) else add)"
NAME = re.compile(r"[^\s()\";$0-9][^\s()\";$]*")
_PATH = re.compile(r"\(([^()]+?) \(")
_TURNED = re.compile(re.escape(TURNED).replace(r"\{\}", "([^()]+)"))
_ROW = 4
"""Maximum number of moves on a line."""


class Drawn(NamedTuple):
    """A drawn move: the directions of its steps; if it `slides`, one direction, repeated over empty squares.

    `takes` is a key of `TESTS`. On squares of `zone` ("": none) the piece becomes the type `becomes`.
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
        steps, test = " ".join(self.path), f"(verify {TESTS[self.takes]})"
        if not self.slides:
            return f"({steps} {test} {self.add})"
        if self.takes == "take":
            return f"({steps} (while empty? {steps}) {test} {self.add})"
        return f"({steps} (while empty? {self.add} {steps}){f' {test} {self.add}' if self.takes == 'both' else ''})"


def read(block: str) -> Drawn | None:
    """Return the drawn move that is written as this block; None if there is none."""
    path, turned, slides = _PATH.match(block), _TURNED.search(block), "(while empty? " in block
    test = next((word for word, name in TESTS.items() if f"(verify {name})" in block), "move" if slides else "")
    if path is None or not test:
        return None
    move = Drawn(tuple(path[1].split()), slides, test, *(turned.groups() if turned else ()))
    return move if block == move.block() and (not slides or len(move.path) == 1) else None


class PieceCode(NamedTuple):
    """The code of a piece in the text: its form, its `(moves …)`, and the items of `(moves …)` with their drawn moves.

    `problem` ("": none) is why it can't be edited: "macro" (from a macro or another file), "types" (move types).
    """

    piece: Form | None = None
    moves: Form | None = None
    items: tuple[tuple[Form, tuple[Drawn, ...]], ...] = ()
    problem: str = ""

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        return tuple(dict.fromkeys(move for _, moves in self.items for move in moves))

    @property
    def opaque(self) -> list[str]:
        """The items that can't be drawn, as written."""
        return [item.origin.span.text for item, moves in self.items if not moves]


def code_of(analysis: Analysis, title: str, name: str) -> PieceCode:
    """Return the code of a piece of a game; a variant without a piece of that name inherits its game's piece.

    :raises ZrfError: if the text itself contains no game of that title.
    """
    piece = next((piece for piece in _pieces(analysis, title) if text_in(piece, "name") == name), None)
    parts = [item for item in piece.items if isinstance(item, Form)] if piece else []
    moves = [part for part in parts if part.head == "moves"]
    items = moves[0].items[1:] if moves else ()
    if piece is None or len(moves) > 1 or {part.head for part in parts} & set(analysis.macros) \
            or any(not isinstance(item, Form) or item.origin.span.source is not analysis.source for item in items):
        return PieceCode(piece, problem="macro")
    if any(isinstance(node, Form) and node.head == "move-type" for node in _expanded(analysis, items)):
        return PieceCode(piece, problem="types")
    return PieceCode(piece, moves[0] if moves else None, tuple(
        (item, _read_item(analysis, item)) for item in items if isinstance(item, Form)))


def _read_item(analysis: Analysis, item: Form) -> tuple[Drawn, ...]:
    moves = [read(written(node)) for node in _expanded(analysis, (item,))]
    good = [move for move in moves if move and analysis.known.of("direction").issuperset(move.path)]
    return tuple(good) if len(good) == len(moves) else ()


def _expanded(analysis: Analysis, items: tuple[Node, ...]) -> tuple[Node, ...]:
    return Expander(analysis.macros, Report()).run(items).nodes


def piece_at(analysis: Analysis, title: str, offset: int) -> str:
    """Return the name of the piece in whose form an offset lies, or ""."""
    spans = [(piece.origin.span, piece) for piece in _pieces(analysis, title)]
    return next((text_in(piece, "name") for span, piece in spans if span.start <= offset <= span.end), "")


def _pieces(analysis: Analysis, title: str) -> list[Form]:
    """Return the piece forms of a game in the text, followed by those that a variant inherits."""
    return [item for form in game_forms(analysis, title) for item in form.items if isinstance(item, Form)
            and item.head == "piece" and item.origin.span.source is analysis.source]


def redraw(analysis: Analysis, title: str, name: str, moves: Iterable[Drawn]) -> list[Edit]:
    """Return the edits that give a piece these moves in addition to those that can't be drawn; a new name adds a piece.

    :raises ZrfError: if the name isn't allowed, the piece can't be edited, or the result isn't read as these moves.
    """
    drawing, is_new = dict.fromkeys(moves), name not in analysis.known.of("piece")
    code = PieceCode() if is_new else code_of(analysis, title, name)
    if is_new and (not NAME.fullmatch(name) or analysis.known.kinds(name) or name in analysis.macros):
        raise cant_write(f"`{name}` can't be the name of a new piece")
    if code.problem:
        raise cant_write(f"the moves of `{name}` are not written in this text as plain moves")
    removed = [item for item, drawn in code.items if drawn and not set(drawn) <= drawing.keys()]
    present = {move for item, drawn in code.items if item not in removed for move in drawn}
    macros = _Macros(analysis.macros)
    calls = [macros.call(move) for move in drawing if move not in present]
    edits = [cut(item.origin.span) for item in removed]
    if code.moves:
        apart = bool(code.opaque) and "\n" in code.moves.origin.span.text
        edits += [after(code.moves.items[-1], _lines(calls, column(code.moves) + 2, apart))] if calls else []
    elif code.piece:
        edits.append(below(code.piece.items[-1], column(code.piece) + 2, f"(moves{_lines(calls, 2)})"))
    else:
        last: Node = [game_form(analysis, title).items[-1], *_pieces(analysis, title)][-1]
        edits.append(below(last, column(last), f"\n(piece\n(name {name})\n(moves{_lines(calls, 2)}))"))
    edits += _head(analysis, macros.includes, macros.defines)
    result = fixed(analysis, Fix("", tuple(edits), False))
    if result.errors:
        raise cant_write(f"the text would have an error: {result.errors[0].message}")
    new = code_of(result, title, name)
    if set(new.drawn) != drawing.keys() or new.opaque != code.opaque:
        raise cant_write(f"the code of `{name}` would have other moves than the drawing")
    return edits


def _lines(calls: list[str], indent: int, apart: bool = False) -> str:
    """Return calls as text to append to a form: on new lines if there are more than `_ROW` or if `apart`."""
    before = f"\n{' ' * indent}" if apart or len(calls) > _ROW else " "
    return "".join(before + " ".join(calls[at : at + _ROW]) for at in range(0, len(calls), _ROW))


def column(node: Node) -> int:
    return node.origin.span.source.position(node.origin.span.start)[1] - 1


def below(node: Node, indent: int, code: str) -> Edit:
    """Return the edit that inserts code in the standard style below a node, keeping an empty line before the code."""
    lines = "\n" * code.startswith("\n") + "\n" + formatted(code).strip()
    return after(node, re.sub(r"\n(?=.)", "\n" + " " * indent, lines))


def _head(analysis: Analysis, includes: list[str], defines: list[str]) -> list[Edit]:
    """Return the edits that put `includes` below the version, and `defines` below the last macro of the text."""
    source = analysis.source
    forms = [form for form in analysis.stages.forms if isinstance(form, Form) and form.origin.span.source is source]
    text, edits = source.text, list[Edit]()
    for head, lines in ("version", includes), ("define", defines):
        before = [form for form in forms if form.head in ("version", head)][-1:]
        at = text.find("\n", before[0].origin.span.end) if before else forms[0].origin.span.start
        gap = "\n" if before and before[0].head == "version" else ""
        code = gap + "\n" + "\n".join(lines) if before else "\n".join(lines) + "\n\n"
        at = at if at >= 0 else len(text)
        edits += [Edit(Span(source, at, at), code)] if lines else []
    if len(edits) == 2 and edits[0].span == edits[1].span:
        return [Edit(edits[0].span, edits[0].text + edits[1].text.replace("\n\n", "\n", 1))]
    return edits


def cant_write(problem: str) -> ZrfError:
    return ZrfError([Diagnostic("cant-write", problem, None, help="change the text by hand")])


def _texts(macros: Mapping[str, Macro]) -> dict[str, str]:
    return {name: " ".join(map(written, macro.body)) for name, macro in macros.items()}


@cache
def standard() -> dict[str, dict[str, str]]:
    """Return the bodies of the macros of `std/`, by file and name."""
    report = Report()
    return {path.name: _texts(collect(read_forms(read_source(path), report, lambda *_: None), report))
            for path in sorted(STANDARD.glob("*.zrf"))}


class _Macros:
    """Macros of a text and of `std/` by their bodies; collects the `includes` and `defines` that new calls need."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.bodies = _texts(macros)
        self.includes: list[str] = []
        self.defines: list[str] = []

    def call(self, move: Drawn) -> str:
        """Return a move as a call of a macro, a new one if none fits; promotions that no macro fits become a block."""
        slots = tuple(f"${n}" for n in range(1, len(move.path) + 1))
        general = move._replace(path=slots).block()
        if call := self._called(move.block(), general, move.path):
            return call
        if move.zone:
            promotion = TURNED.format("$1", "$2") if " " not in move.becomes else ""
            add = self._called(move.add, promotion, (move.zone, move.becomes)) or move.add
            return move.block().replace(move.add, add)
        base = NAMES[move.takes][2 if move.slides else len(move.path) > 1]
        name = next(name for n in count(1) if (name := base if n == 1 else f"{base}-{n}") not in self.bodies)
        self.bodies[name] = general
        self.defines.append(f"(define {name} {general})")
        return f"({' '.join((name, *move.path))})"

    def _called(self, exact: str, general: str, arguments: tuple[str, ...]) -> str:
        """Return a call of a macro with the body `exact`, or `general`, which takes `arguments`; "" if none exists."""
        for file, bodies in ("", self.bodies), *standard().items():
            names = {body: name for name, body in reversed(bodies.items())}
            if exact in names and not file:
                return f"({names[exact]})"
            if general in names and all(self.bodies.get(name, body) == body for name, body in bodies.items()):
                self.includes += [f'(include "std/{file}")'] if file else []
                self.bodies |= bodies
                return f"({' '.join((names[general], *arguments))})"
        return ""
