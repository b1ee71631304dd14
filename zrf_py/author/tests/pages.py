"""Parser of Markdown pages that test the language or an author's game by positions and expected moves.

grammar/tests.md explains how to write tests of a game, tests/spec/README.md how to write pages with their own rules.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from zrf_py.front.forms import read_forms
from zrf_py.front.nodes import Form, Node
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source
from zrf_py.text.suggest import suggest

BOARD_ITEMS = {"measure", "positions", "dummy", "links", "unlink", "kill-positions", "zone", "symmetry"}
TOP_ITEMS = {"define", "include", "version", "translate", "variant"}
FILLERS = {"M": "Man", "S": "Stone", "K": "King", "P": "Pawn", "W": "Wall", "R": "Rook"}
DIRECTIONS = "(n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)"
TURNED = "(n s) (s n) (ne se) (se ne) (nw sw) (sw nw)"
DRAWN = re.compile(r"\S( \S)*( {3,}\S( \S)*)?")
EXPECTED = re.compile(r';\s*(error|warning|note): \[([a-z-]+)\](?: "([^"]*)")?')


KINDS = ("moves", "zrf", "file")
KEYS: dict[str, str] = json.loads(Path(__file__).with_name("keys.json").read_text("utf-8"))
"""The keys that a line of a block may begin with, each with an example."""
KEYED = re.compile(rf"({'|'.join(KEYS)}):")


class Unexpected(AssertionError):
    """A statement of a page does not hold; the message shows the actual value. `line` is its line (0: unknown)."""

    line = 0


class Unreadable(Unexpected):
    """A line can't be parsed, or a test is incomplete or names something that its game doesn't have."""

    def __init__(self, problem: str, help: str) -> None:
        super().__init__(f"can't be read: {problem}\n  = help: {help}")


def expect(holds: object, actual: object, expected: str = "") -> None:
    """Raise `Unexpected`, with the expected and the actual value, if `holds` is false."""
    if not holds:
        raise Unexpected(f"expected: {expected}\nfound: {actual}" if expected else str(actual))


@dataclass
class FencedBlock:
    """A fenced block of a page: `info` is the text after its kind, `line` the number of its first line, `fault` the
    reason why it can't be read, or ""."""

    kind: str
    info: str
    text: str
    line: int
    fault: str = ""


@dataclass(frozen=True)
class Example:
    """Rules, the files they include, and one block of moves to check against them (None: no moves)."""

    heading: str
    rules: FencedBlock
    moves: FencedBlock | None
    files: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{(self.moves or self.rules).line}-{self.heading}"


def blocks(page: str) -> Iterator[FencedBlock | str]:
    """Yield the headings and the fenced blocks of a page, in order."""
    lines = iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        if line.startswith("#"):
            yield line.lstrip("# ")
        elif line.lstrip().startswith("```"):
            words = line.strip("` \t").split(maxsplit=1)
            body, closed = [], False
            for _, inner in lines:
                if closed := inner.lstrip().startswith("```"):
                    break
                body.append(inner)
            block = FencedBlock(words[0] if words else "", words[1] if len(words) > 1 else "", "\n".join(body), number)
            block.fault = _fault(block) if closed else "the block has no end: write ``` on a separate line below it"
            yield block
        elif re.fullmatch(r"\s*(`{1,2}|~{3,}|'{3,}) *\w*", line) and suggest(line.strip(" `~'"), KINDS):
            yield FencedBlock("", "", "", number, "a block begins with three backticks: ```moves")


def _fault(block: FencedBlock) -> str:
    """Return the mistake in a block whose kind is unknown but which looks like a test; "" if there is none."""
    if block.kind in KINDS:
        return ""
    guess = suggest(block.kind, KINDS) or ("moves" if re.search(rf"^\s*{KEYED.pattern}", block.text, re.M) else "")
    return guess and f"there is no kind of block `{block.kind}`: did you mean ```{guess}?"


def examples(page: str) -> list[Example]:
    """Return every example of a page: each block of moves with the rules before it, and rules without moves."""
    results: list[Example] = []
    heading = ""
    rules: FencedBlock | None = None
    files: dict[str, str] = {}
    for item in blocks(page):
        if isinstance(item, str):
            heading, files = item, {}
        elif item.fault:
            continue
        elif item.kind == "file":
            files = {**files, item.info: item.text}
        elif item.kind == "zrf":
            rules = item
            results.append(Example(heading, item, None, files))
        elif item.kind == "moves" and rules:
            if results[-1].moves is None and results[-1].rules is rules:
                results.pop()
            results.append(Example(heading, rules, item, files))
    return results


@dataclass
class Wrapped:
    """A complete rules file; `copied` has the parts from the example as (start, end, start in the example)."""

    text: str
    copied: list[tuple[int, int, int]]

    def line_of(self, offset: int, example: str) -> int:
        """Return the line of the example (from 1) that an offset of the file was copied from; 0 if none."""
        for start, end, origin in self.copied:
            if start <= offset < end:
                return example.count("\n", 0, origin + offset - start) + 1
        return 0


def wrap(example: Example) -> Wrapped:
    """Turn the rules of an example into a complete file; rules that have a game or errors stay as they are."""
    text = example.rules.text
    report = Report()
    nodes = read_forms(Source("example", text), report, lambda name, origin: Source(name, ""))
    heads = {n.head for n in nodes if isinstance(n, Form)}
    if "game" in heads or report.errors:
        return Wrapped(text, [(0, len(text) + 1, 0)])
    drawing = _first_drawing(example.moves)
    letters = "".join(sorted({c for row in drawing for c in row if c.isalpha() or c == "#"}))
    out = _PageWriter(text)
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
    names = piece_letters(re.findall(r"\(piece\s+\(name ([^ $()]+)\)", text))
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


class _PageWriter:
    def __init__(self, example: str) -> None:
        self.example = example
        self.parts: list[str] = []
        self.copied: list[tuple[int, int, int]] = []
        self.length = 0

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def copy(self, node: Node) -> None:
        span = node.origin.span
        text = self.example[span.start : span.end]
        self.copied.append((self.length, self.length + len(text), span.start))
        self.write(text + "\n")


def _grid(out: _PageWriter, drawing: list[list[str]], nodes: tuple[object, ...]) -> None:
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


def piece_letters(names: list[str]) -> dict[str, str]:
    """Map letters to pieces: each piece gets the first letter of its name that is still free, in upper case."""
    letters: dict[str, str] = {}
    for name in dict.fromkeys(names):
        free = next((c.upper() for c in name if c.isalpha() and c.upper() not in letters), None)
        if free:
            letters[free] = name
    return letters


def is_drawn(line: str) -> bool:
    """Return whether a line of a block is a row of a drawn board."""
    return bool(DRAWN.fullmatch(line.strip()))


def _first_drawing(moves: FencedBlock | None) -> list[list[str]]:
    rows: list[list[str]] = []
    for line in moves.text.splitlines() if moves else ():
        if is_drawn(line):
            rows.append(re.split(r" {3,}", line.strip())[0].split())
        elif rows or line.startswith("play:"):
            break
    return rows
