"""Pages of text with rules and positions in them, which are run as tests: tests/spec/*.md and grammar/README.md.

How to write one stands in tests/spec/README.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from zrf_py.compile import compile_source
from zrf_py.front.forms import read_forms
from zrf_py.front.nodes import Form
from zrf_py.play.game import Game, Position
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError
from zrf_py.text.render import render
from zrf_py.text.source import Origin, Source

BOARD_ITEMS = {"measure", "positions", "dummy", "links", "unlink", "kill-positions", "zone", "symmetry"}
TOP_ITEMS = {"define", "include", "version", "translate", "variant"}
FILLERS = {"M": "Man", "S": "Stone", "K": "King", "P": "Pawn", "W": "Wall", "R": "Rook"}
DIRECTIONS = "(n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)"
TURNED = "(n s) (s n) (ne se) (se ne) (nw sw) (sw nw)"
DRAWN = re.compile(r"\S( \S)*( {3,}\S( \S)*)?")
EXPECTED = re.compile(r';\s*(error|warning|note): \[([a-z-]+)\](?: "([^"]*)")?')


@dataclass
class Block:
    """A fenced block of a page: the words after the fence, its text, the line it begins on."""

    kind: str
    info: str
    text: str
    line: int


@dataclass
class Example:
    """Rules, the files they include, and one block of moves (or none) that is expected of them."""

    heading: str
    rules: Block
    moves: Block | None
    files: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{(self.moves or self.rules).line}-{self.heading}"


def blocks(page: str) -> Iterator[Block | str]:
    """The headings and the fenced blocks of a page, in order."""
    lines = iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        if line.startswith("#"):
            yield line.lstrip("# ")
        elif line.startswith("```"):
            words = line.strip("`").split(maxsplit=1)
            body = []
            for _, inner in lines:
                if inner.startswith("```"):
                    break
                body.append(inner)
            yield Block(words[0] if words else "", words[1] if len(words) > 1 else "", "\n".join(body), number)


def examples(page: str) -> list[Example]:
    """Every example of a page: each block of moves with the rules before it, and rules that have no moves."""
    found: list[Example] = []
    heading, rules, files = "", None, {}
    for item in blocks(page):
        if isinstance(item, str):
            heading, files = item, {}
        elif item.kind == "file":
            files = {**files, item.info: item.text}
        elif item.kind == "zrf":
            rules = item
            found.append(Example(heading, item, None, files))
        elif item.kind == "moves":
            assert rules is not None, f"line {item.line}: moves without rules"
            if found[-1].moves is None and found[-1].rules is rules:
                found.pop()
            found.append(Example(heading, rules, item, files))
    return found


# ------------------------------------------------------------------------------------------------- rules of an example


@dataclass
class Wrapped:
    """A whole rules file, and which parts of it were copied from where in the example."""

    text: str
    copied: list[tuple[int, int, int]]

    def line_of(self, offset: int, example: str) -> int:
        """The line of the example (from 1) that an offset of the file was copied from; 0 for none."""
        for start, end, origin in self.copied:
            if start <= offset < end:
                return example.count("\n", 0, origin + offset - start) + 1
        return 0


def wrap(example: Example) -> Wrapped:
    """The rules as a whole file: as they are if they hold a game, else with all that a game needs round them."""
    text = example.rules.text
    report = Report()
    nodes = read_forms(Source("example", text), report, lambda name, origin: Source(name, ""))
    heads = {n.head for n in nodes if isinstance(n, Form)}
    if "game" in heads or report.errors:
        return Wrapped(text, [(0, len(text) + 1, 0)])
    drawing = _first_drawing(example.moves)
    letters = "".join(sorted({c for row in drawing for c in row if c.isalpha() or c == "#"}))
    out = _Writer(text)
    players = "White Black Nobody" if "#" in letters or "Nobody" in text else "White Black"
    first = "Black White" if example.moves and "Black to move" in example.moves.info else "White Black"
    out.write('(game (title "example")\n')
    if "players" not in heads:
        out.write(f"(players {players})\n")
        if "turn-order" not in heads:
            out.write(f"(turn-order {first})\n")
    out.write("(board\n")
    if "grid" not in heads:
        _grid(out, drawing, nodes)
    if not heads & {"symmetry", "grid", "players"}:
        out.write(f"(symmetry Black {TURNED})\n")
    for node in nodes:
        if isinstance(node, Form) and (node.head in BOARD_ITEMS or node.head == "grid"):
            out.copy(node)
    out.write(")\n")
    names = _piece_letters(re.findall(r"\(piece\s+\(name ([^ $()]+)\)", text))
    fillers = [c for c in dict.fromkeys(letters.upper().replace("#", "W")) if c not in names]
    names |= {letter: FILLERS.get(letter, letter) for letter in fillers}
    for node in nodes:
        if not isinstance(node, Form) or node.head not in BOARD_ITEMS | TOP_ITEMS | {"grid", "directions"}:
            out.copy(node)
    for letter in fillers:
        out.write(f"(piece (name {names[letter]}))\n")
    if "board-setup" not in heads:
        out.write(_setup(drawing, names))
    out.write(")\n")
    for node in nodes:
        if isinstance(node, Form) and node.head in TOP_ITEMS:
            out.copy(node)
    return Wrapped("".join(out.parts), out.copied)


class _Writer:
    def __init__(self, example: str) -> None:
        self.example = example
        self.parts: list[str] = []
        self.copied: list[tuple[int, int, int]] = []
        self.length = 0

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def copy(self, node: Form) -> None:
        span = node.origin.span
        text = self.example[span.start : span.end]
        self.copied.append((self.length, self.length + len(text), span.start))
        self.write(text + "\n")


def _grid(out: _Writer, drawing: list[list[str]], nodes: tuple[object, ...]) -> None:
    width, height = (len(drawing[0]), len(drawing)) if drawing else (4, 4)
    columns = "/".join(chr(97 + i) for i in range(width))
    rows = "/".join(str(height - i) for i in range(height))
    out.write(f'(grid (start-rectangle 0 0 48 48) (dimensions ("{columns}" (48 0)) ("{rows}" (0 48)))\n')
    out.write(f"(directions {DIRECTIONS}\n")
    for node in nodes:
        if isinstance(node, Form) and node.head == "directions":
            for item in node.items[1:]:
                assert isinstance(item, Form)
                out.copy(item)
    out.write("))\n")


def _setup(drawing: list[list[str]], names: dict[str, str]) -> str:
    sides: dict[str, list[str]] = {"White": [], "Black": [], "Nobody": []}
    for square, letter in _squares(drawing):
        if letter == "#":
            sides["Nobody"].append(f"({names['W']} {square})")
        elif letter.isalpha():
            sides["White" if letter.isupper() else "Black"].append(f"({names[letter.upper()]} {square})")
    written = " ".join(f"({player} {' '.join(placed)})" for player, placed in sides.items() if placed)
    return f"(board-setup {written})\n"


def _squares(drawing: list[list[str]]) -> Iterator[tuple[str, str]]:
    for i, row in enumerate(drawing):
        for j, letter in enumerate(row):
            yield f"{chr(97 + j)}{len(drawing) - i}", letter


def _piece_letters(names: list[str]) -> dict[str, str]:
    """Letter → piece: each piece the first letter of its name that is still free."""
    letters: dict[str, str] = {}
    for name in dict.fromkeys(names):
        free = next((c.upper() for c in name if c.isalpha() and c.upper() not in letters), None)
        if free:
            letters[free] = name
    return letters


def _is_drawn(line: str) -> bool:
    return bool(DRAWN.fullmatch(line.strip()))


def _first_drawing(moves: Block | None) -> list[list[str]]:
    rows: list[list[str]] = []
    for line in moves.text.splitlines() if moves else ():
        if _is_drawn(line):
            rows.append(re.split(r" {3,}", line.strip())[0].split())
        elif rows or line.startswith("play:"):
            break
    return rows


# ------------------------------------------------------------------------------------------------------------- running


def run(example: Example) -> None:
    """Compile the rules of an example, compare their problems with those announced, then do what its moves say."""
    wrapped = wrap(example)
    report = Report()
    source = Source("example.zrf", wrapped.text)
    programs = compile_source(source, lambda name, origin: _include(example, name), report)
    _compare_problems(example, wrapped, source, report)
    if example.moves is None:
        return
    assert programs, "no game"
    wanted = re.search(r"^variant: (.*)", example.moves.text, re.M)
    found = [p for p in programs if not wanted or p.game.title == wanted[1].strip()]
    assert found, f"no variant {wanted and wanted[1]}"
    _Session(Game(found[0]), example.moves).run()


def _include(example: Example, name: str) -> Source | None:
    return Source(name, example.files[name]) if name in example.files else None


def _compare_problems(example: Example, wrapped: Wrapped, source: Source, report: Report) -> None:
    expected = Counter(
        (number, *match.groups())
        for number, line in enumerate(example.rules.text.splitlines(), 1)
        for match in EXPECTED.finditer(line)
    )
    unexpected = []
    for diagnostic in report.items:
        key = _key(diagnostic, wrapped, source, example, expected)
        if key:
            expected[key] -= 1
        elif diagnostic.severity != "note":
            unexpected.append(diagnostic)
    assert not unexpected, "not announced:\n" + render(unexpected)
    missing = [key for key, count in expected.items() if count > 0]
    assert not missing, f"announced but not reported: {missing}\n" + render(report)


def _key(
    d: Diagnostic, wrapped: Wrapped, source: Source, example: Example, expected: Counter[tuple[object, ...]],
) -> tuple[object, ...] | None:
    line, text = 0, ""
    if d.origin:
        span = d.origin.span
        line = wrapped.line_of(span.start, example.rules.text) if span.source is source else 0
        text = span.text.strip('"')
    for key in ((line, d.severity, d.code, text), (line, d.severity, d.code, None)):
        if expected[key] > 0:
            return key
    if not line:  # a problem of an included file, or of the file as a whole, may be announced on any line
        return next((k for k, n in expected.items() if n > 0 and k[1:3] == (d.severity, d.code)), None)
    return None


class _Session:
    """Does what a block of moves says, line by line."""

    def __init__(self, game: Game, block: Block) -> None:
        self.game = game
        self.position = game.start()
        self.letters = {name: letter for letter, name in
                        _piece_letters([p.name for p in game.program.game.pieces]).items()}
        self.block = block
        self.listed: list[str] = []
        self.drawing: list[str] = []

    def run(self) -> None:
        for line in [*self.block.text.splitlines(), ""]:
            if line.strip() and _is_drawn(line):
                self.drawing.append(line.strip())
                continue
            self.flush_drawing()
            word, colon, rest = line.partition(":")
            rest = rest.split("   ;")[0].strip()
            if colon and hasattr(self, f"do_{word.replace(' ', '_')}"):
                self.flush_list()
                getattr(self, f"do_{word.replace(' ', '_')}")(rest)
            elif line.strip():
                self.listed.append(line.split("   ;")[0].strip())
            else:
                self.flush_list()
        if match := re.search(r"(\S+) to move", self.block.info):
            first = list(self.position.line())[-1]
            assert first.player == match[1], f"{first.player} is to move, not {match[1]}"

    # ------------------------------------------------------------------------------------------------------ lists

    def texts(self) -> list[str]:
        """The legal moves; the number after `partial` is left out (it is the business of the notation page)."""
        return [re.sub(r"^partial \d+ ", "partial ", str(m)) for m in self.position.moves()]

    def flush_list(self) -> None:
        """Compare the moves listed so far with all the legal ones."""
        if self.listed:
            wanted = [] if self.listed == ["none"] else self.listed
            assert sorted(set(self.texts())) == sorted(wanted), self.moment()
        self.listed = []

    def do_can(self, text: str) -> None:
        assert text in self.texts(), self.moment()

    def do_cannot(self, text: str) -> None:
        assert text not in self.texts(), self.moment()

    def do_count(self, text: str) -> None:
        assert len(set(self.texts())) == int(text), self.moment()

    # ----------------------------------------------------------------------------------------------------- actions

    def do_variant(self, text: str) -> None:
        pass

    def do_put(self, text: str) -> None:
        self.position = self.position.edited(f"({text})")

    def do_play(self, text: str) -> None:
        for move in text.split(", "):
            self.position = self.position.play(re.sub(r"^partial ", "partial 0 ", move))

    def do_outcome(self, text: str) -> None:
        outcome = str(self.position.outcome())
        assert text in (outcome, outcome.split(" (")[0]) or (text == "none" and outcome == "None"), (
            f"{outcome}\n{self.moment()}")

    def do_fault(self, text: str) -> None:
        try:
            self.position.moves()
        except ZrfError as error:
            assert error.diagnostics[0].code == text, error
        else:
            raise AssertionError("no fault")

    def do_to_move(self, text: str) -> None:
        assert self.position.player == text, self.moment()

    def do_store(self, text: str) -> None:
        player, piece, count = text.split()
        game = self.game.program.game
        symbols = game.symbols
        assert self.position.state.stores[symbols.players[player]][symbols.pieces[piece]] == int(count), (
            self.position.state.stores)

    def do_has(self, text: str) -> None:
        square, player, piece = text.split()
        assert self.position.pieces().get(square) == (player, piece), self.moment()

    def do_links(self, text: str) -> None:
        """`a1: n a2, e b1`: exactly these links leave a square."""
        square, _, listed = text.partition(" ")
        board = self.game.program.game.board
        at = [p.name for p in board.places].index(square)
        wanted = {tuple(item.split()) for item in listed.split(", ")} if listed != "none" else set()
        found = {(name, board.places[table[at]].name)
                 for name, table in zip(board.directions, board.links, strict=True) if table[at] >= 0}
        assert found == wanted, found

    def do_squares(self, text: str) -> None:
        assert [p.name for p in self.game.program.game.board.places] == text.split()

    # ---------------------------------------------------------------------------------------------------- drawings

    def char(self, square: str) -> str:
        if square not in self.game.program.game.symbols.positions or not any(
            p.name == square for p in self.game.program.game.board.places
        ):
            return "-"
        piece = self.position.pieces().get(square)
        if piece is None:
            return "."
        players = [p.name for p in self.game.program.game.players]
        letter = self.letters[piece[1]]
        return (letter, letter.lower(), "#", "@")[min(players.index(piece[0]), 3)]

    def drawn(self, like: list[list[str]]) -> list[list[str]]:
        height = len(like)
        return [[self.char(f"{chr(97 + j)}{height - i}") for j in range(len(row))] for i, row in enumerate(like)]

    def flush_drawing(self) -> None:
        """Compare a drawn board with the position, and the board drawn beside it with where a piece can go."""
        if not self.drawing:
            return
        halves = [re.split(r" {3,}", row) for row in self.drawing]
        self.drawing = []
        left = [half[0].split() for half in halves]
        assert left == self.drawn(left), f"drawn:\n{_show(left)}\nfound:\n{_show(self.drawn(left))}"
        if len(halves[0]) > 1:
            right = [half[1].split() for half in halves]
            found = self.targets(left)
            assert right == found, f"drawn:\n{_show(right)}\nfound:\n{_show(found)}\n{self.moment()}"

    def targets(self, left: list[list[str]]) -> list[list[str]]:
        """The board with `*` where the piece can go and `x` where it would land on another."""
        match = re.match(r"(\S+) (\S+)", self.block.info)
        assert match, "say which piece: ```moves Rook a1"
        names = [p.name for p in self.game.program.game.board.places]
        square = match[2].rstrip(",")
        start = -1 if square == "dropped" else names.index(square)
        if start >= 0:
            assert self.position.pieces()[square][1] == match[1], f"{square} holds {self.position.pieces()[square]}"
        ends = {names[m.raw.key[1]] for m in self.position.moves() if m.raw.key[0] == start and not m.raw.is_pass}
        board = [row[:] for row in left]
        for i, row in enumerate(left):
            for j, letter in enumerate(row):
                if f"{chr(97 + j)}{len(left) - i}" in ends:
                    board[i][j] = "*" if letter == "." else "x"
        return board

    def moment(self) -> str:
        return f"{self.position.player} to move; legal: {'; '.join(self.texts()) or 'nothing'}"


def _show(board: list[list[str]]) -> str:
    return "\n".join(" ".join(row) for row in board)


__all__ = ["Example", "Origin", "Position", "examples", "run", "wrap"]
