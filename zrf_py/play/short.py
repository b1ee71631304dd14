"""Short move notation, like SAN: `Nf3`, `O-O`, `c3-c5`, `c3xe5xg7`, `P*5e`, `f6xh6→b1`, `a1-a4 xd7`, `4`.

Derived from a move's effects, not from full notation (`notation.py`), and unique among the moves of a position:

    Nf3  exd5         type letter (none if all pieces are alike, or if its `notation` is empty) and destination
    Nbd7  R1e2        as much of the origin as disambiguation needs
    c3-c5             origin and destination, if all pieces are alike or a turn may have several legs
    P-7f  G4i-5h      a dash before names that begin with a digit
    P*5e  e5          a drop, also of a piece from an off-board square
    e8=Q  Bx2b+  =    promotion; `+` if the new type's notation is `+` before that of the old one; then
                      `=` marks a move that could have promoted, but didn't
    O-O               two own pieces that pass each other: an O for each square between them
    xd7  →b1          a capture away from the piece's path; the square on which a captured piece is put back
    c3 xc3            a piece that leaves the board on arrival
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from zrf_py.front.model import Game
from zrf_py.ir.ops import Program
from zrf_py.play.beside import parts_beside
from zrf_py.play.letters import move_letters
from zrf_py.play.move import Move
from zrf_py.play.notation import write_parts
from zrf_py.play.reasons import spoken
from zrf_py.run.diff import Man, MoveDiff
from zrf_py.run.position import NEW
from zrf_py.text.grouping import by_key

PASS = "pass"
OFF_LINE = 12
"""Maximum distance in pixels of a square from the line through its file, since boards are drawn by hand."""


@dataclass(slots=True)
class Sketch:
    """The components of a move's notation: `mark` is `-`, `x` or `*`; `origin` is the written part of `start`."""

    move: Move
    letter: str = ""
    start: str = ""
    end: str = ""
    mark: str = "-"
    origin: str = ""
    becomes: str = ""
    tail: str = ""
    whole: str = ""
    """Complete text of a move that has no components, such as castling; else ""."""

    def text(self) -> str:
        if self.whole:
            return self.whole
        mark = self.mark
        if mark == "*":
            mark = "*" if self.letter or self.origin else ""
        elif mark == "-" and self.origin != self.start and not (self.letter and self.end[:1].isdigit()):
            mark = ""
        return f"{self.letter}{self.origin}{mark}{self.end}{self.becomes}{self.tail}"

    def ways(self, marks: Collection[str] = ()) -> list[str]:
        """Return notations of increasing length, for disambiguation; every move has the same number of them.

        :param marks: squares on which the move captures a piece that is only a marker (see `_traces`).
        """
        short = self.text()
        in_full = short if self.whole else replace(self, origin=self.start).text()
        details = self._details(marks)
        return [short, in_full, *(f"{in_full} {detail}".rstrip() for detail in details),
                " ".join([in_full, *filter(None, details)])]

    def _details(self, marks: Collection[str]) -> list[str]:
        """Return further details for disambiguation, in full notation: captures, `…` for a leg, other effects."""
        parts = self.move.parts
        captures = "".join(f"x{part[1]}" for part in parts
                           if len(part) == 2 and part[0] == "x" and part[1] not in marks)
        return [captures, "…" if self.move.is_partial else "",
                write_parts(p for p in parts if p[0] not in ("move", "x", "#", "@"))]


class ShortWriter:
    """Writer of short notation for one program."""

    def __init__(self, program: Program, names: Sequence[str] = (), letters: Mapping[int, str] | None = None) -> None:
        """`names`, if any, replace the rules' names of squares, and `letters` the usual letters of types."""
        self.program = program
        self.game = program.game
        self.names = list(names) or [place.name for place in self.game.board.places]
        self.letters = move_letters(self.game) | dict(letters or {})
        self.beside = frozenset().union(*parts_beside(self.game.board))
        self.has_letters = len(set(self.letters.values())) > 1
        self.has_legs = program.has_legs
        self.is_full = self.has_legs or not self.has_letters
        self.marks_check = not any(letter.startswith("+") for letter in self.letters.values())
        """True if `+` means check, not promotion."""
        self.centres = [((r[0] + r[2]) / 2, (r[1] + r[3]) / 2) for r in (p.rectangle for p in self.game.board.places)]
        self.traces = _traces(self.game)
        self.files = _files(self.names, self.centres)

    def write(self, moves: Sequence[Move]) -> list[str]:
        """Write the legal moves of a position; moves with different full notation get different texts."""
        every = [move.text for move in moves]
        sketches = {text: self._sketch(move) for text, move in zip(every, moves, strict=True)}
        self._mark_declined(sketches.values())
        self._add_origins(sketches)
        groups = by_key((sketch.text(), text) for text, sketch in sketches.items())
        written = {text: short for short, texts in groups.items() for text in texts}
        for texts in groups.values():
            if len(texts) > 1:
                columns = zip(*(sketches[text].ways(self._marks(sketches[text].move)) for text in texts), strict=True)
                best = next((c for c in columns if len(set(c)) == len(texts)), texts)
                written.update(zip(texts, best, strict=True))
        count = Counter(written.values())
        return [written[text] if count[written[text]] == 1 else text for text in every]

    def join(self, legs: Sequence[tuple[Move, str]]) -> str:
        """Join the short notations of the legs of a turn, such as `c3-c5` and `c5-e5` to `c3-c5-e5`."""
        written = [(move, text) for move, text in legs if not move.is_pass] or list(legs[:1])
        joined = ""
        last = -1
        for move, text in written:
            start, end = move.raw.key
            head = next((h for h in self._heads(start) if text.startswith(h)), "") if start == last >= 0 else ""
            joined += text.removeprefix(head) if head else f", {text}" if joined else text
            last = end
        return joined

    def _heads(self, start: int) -> list[str]:
        name = self.names[start]
        return [letter + name for letter in sorted(set(self.letters.values()), key=len, reverse=True)]

    def _sketch(self, move: Move) -> Sketch:
        if move.is_pass:
            return Sketch(move, whole=PASS)
        if self.game.players[move.raw.side].kind == "random":
            return self._chance(move)
        if not move.raw.movements:
            return self._effects(move)
        diff, before = move.diff, move.before
        start, end, kind = diff.start, diff.end, diff.piece
        sketch = Sketch(move, self.letters[kind], self.names[start] if start >= 0 else "", self.names[end])
        if start < 0 or (start in self.beside and end not in self.beside):
            sketch.mark = "*"
        elif self.is_full:
            sketch.origin = sketch.start
        is_plain = (start >= 0 and start != end and len(diff.men) == len(move.raw.movements) == 1
                    and diff.taken in ((), (end,)) and before.owner[start] == move.raw.side
                    and diff.men[0][:2] == (end, start))
        if is_plain:  # same result as below, in a tenth of the time
            captured = on_way = [square for square in diff.taken if before.piece[square] not in self.traces]
        else:
            sketch.whole = self.castled(move)
            captured = self._captured(move, diff)
            on_way = [s for s in captured if s == end or self._lies_between(start, s, end)]
        if on_way and sketch.mark == "-":
            sketch.mark = "x"
            if not self.letters[kind] and self.has_letters and not sketch.origin:
                sketch.origin = _file(sketch.start, self.files) or sketch.start
        if diff.becomes >= 0:
            sketch.becomes = self._promotion(kind, diff.becomes)
        if is_plain:
            return sketch
        elsewhere = [s for s in captured if s not in on_way] + [end] * (diff.becomes < 0 and start in diff.taken)
        if diff.taken or elsewhere:
            sketch.tail = "".join(f" x{self.names[s]}" for s in elsewhere) + self._put_back(move, diff)
        return sketch

    def _captured(self, move: Move, diff: MoveDiff) -> list[int]:
        """Return the squares of captured pieces: those removed and not replaced, and others' pieces that are moved."""
        owner, side = move.before.owner, move.raw.side
        carried = [start for start, _ in diff.moved if owner[start] != side]
        replaced = {square for square, *_ in diff.placed} - {diff.end}
        men = [square for square in diff.taken if move.before.piece[square] not in self.traces]
        return list(dict.fromkeys([*(s for s in men if s == diff.end), *carried,
                                   *(s for s in men if s != diff.start and s not in replaced)]))

    def _marks(self, move: Move) -> list[str]:
        """Return the names of squares on which a move captures a piece that is only a marker (see `_traces`)."""
        captured = move.diff.taken if self.traces else ()
        return [self.names[square] for square in captured if move.before.piece[square] in self.traces]

    def _lies_between(self, start: int, square: int, end: int) -> bool:
        """Return True if a square lies in the rectangle spanned by two others; False if `start` is -1."""
        if start < 0:
            return False
        return all(min(a, b) - 1 <= c <= max(a, b) + 1 for a, c, b in
                   zip(self.centres[start], self.centres[square], self.centres[end], strict=True))

    def _promotion(self, old: int, new: int) -> str:
        letter = self.letters[new]
        return "+" if letter == f"+{self.letters[old]}" else f"={letter or self.game.pieces[new].name}"

    def _put_back(self, move: Move, diff: MoveDiff) -> str:
        """Write the squares on which captured pieces are put back."""
        captured = {(move.before.owner[s], move.before.piece[s]) for s in diff.taken}
        return "".join(f"→{self.names[square]}" for square, _, *man in diff.placed
                       if tuple(man) in captured and man[0] != move.raw.side)

    def castled(self, move: Move) -> str:
        """Return `O-O` if two own pieces pass each other along a line, with an O for each square between; else ""."""
        if len(move.raw.movements) != 2:
            return ""
        diff = move.diff
        others = [ends for ends in diff.moved if ends != (diff.start, diff.end)]
        if len(others) != 1 or move.before.owner[others[0][0]] != move.raw.side:
            return ""
        other, goal = others[0]
        for table in self.game.board.links:
            line = _ray(table, diff.start)
            if other in line and diff.end in line:
                passed, back = line.index(other), _place(line, goal, diff.start)
                if 0 <= back < line.index(diff.end) and passed:
                    return "-".join("O" * passed)
        return ""

    def _chance(self, move: Move) -> Sketch:
        """Write a move of chance: the types that appear, else the counters it sets."""
        types = [self.letters[kind] or self.game.pieces[kind].name for square, origin, _, kind in move.diff.men
                 if origin in (NEW, square) or kind != move.before.piece[origin]]
        counted = [f"{spoken(self.game.counters[c].name)}={a}"
                   for name, c, a, _ in move.raw.effects if name == "set-counter"]
        text = "+".join(types) or ", ".join(counted)
        return Sketch(move, whole=text or write_parts(move.parts))

    def _effects(self, move: Move) -> Sketch:
        """Write a move without movements, by the first piece that appears or changes, and by the captures."""
        replaced = {square for square, *_ in move.diff.placed}
        text = next(filter(None, (self._change(move, man) for man in move.diff.men)), "")
        text += "".join(f"x{self.names[s]}" for s in move.diff.taken
                        if s not in replaced and move.before.piece[s] not in self.traces)
        return Sketch(move, whole=text or write_parts(move.parts) or PASS)

    def _change(self, move: Move, man: Man) -> str:
        """Write a piece that appears, or changes its type or owner; "" for neither."""
        square, origin, player, kind = man
        name, letter, owner = self.names[square], self.letters[kind], self.game.players[player]
        if origin == NEW:
            prefix = f"{owner.name}:" if player != move.raw.side and owner.kind == "player" else ""
            return f"{prefix}{letter}{'*' if letter or player != move.raw.side else ''}{name}"
        if kind != move.before.piece[square]:
            return f"{name}={letter or self.game.pieces[kind].name}"
        return f"{name}={owner.name}" if player != move.before.owner[square] else ""

    def _mark_declined(self, sketches: Collection[Sketch]) -> None:
        """Add `=` to moves without the promotion that others of the same piece mark by `+`."""
        risen = {(sketch.move.raw.key, sketch.letter) for sketch in sketches if sketch.becomes == "+"}
        for sketch in sketches if risen else ():
            if not sketch.becomes and not sketch.whole and (sketch.move.raw.key, sketch.letter) in risen:
                sketch.becomes = "="

    def _add_origins(self, sketches: dict[str, Sketch]) -> None:
        """Disambiguate moves of several pieces to one square: by the file they come from, else the rank, else both."""
        groups = by_key((sketch.text(), sketch) for sketch in sketches.values()
                        if not sketch.whole and sketch.mark != "*" and not sketch.origin)
        for group in groups.values():
            starts = {sketch.start for sketch in group}
            for sketch in group if len(starts) > 1 else ():
                sketch.origin = _least(sketch.start, starts - {sketch.start}, self.files)


def _traces(game: Game) -> set[int]:
    """Return the types that only mark squares: they never move, and are neither set up nor dropped."""
    set_up = {kind for _, kind, _ in (*game.setup, *game.stores)}
    return {k for k, piece in enumerate(game.pieces) if not piece.moves and not piece.drops} - set_up


def _least(start: str, others: set[str], files: Collection[str]) -> str:
    """Return the shortest distinctive part of a square's name: its file, its rank, or all of it."""
    file = _file(start, files)
    if not file:
        return start
    if all(_file(other, files) != file for other in others):
        return file
    rank = start.removeprefix(file)
    return rank if all(other.removeprefix(_file(other, files)) != rank for other in others) else start


def _file(name: str, files: Collection[str]) -> str:
    """Return the file of a square's name, such as `a` of `a10`; "" if the name has none of the `files`."""
    match = re.fullmatch(r"([A-Za-z]{1,2})\d+", name)
    return match[1] if match and match[1] in files else ""


def _files(names: Sequence[str], centres: Sequence[tuple[float, float]]) -> list[str]:
    """Return the letters of files: those whose squares all lie on a straight line; [] if all names have one letter."""
    columns = by_key((match[1], centre) for name, centre in zip(names, centres, strict=True)
                     if (match := re.fullmatch(r"([A-Za-z]{1,2})\d+", name)))
    return [letters for letters, squares in columns.items() if len(columns) > 1 and _are_in_line(squares)]


def _are_in_line(points: Sequence[tuple[float, float]]) -> bool:
    """Return True if all points are within `OFF_LINE` pixels of the line from the first to the one farthest from it."""
    x, y = points[0]
    dx, dy = max(((a - x, b - y) for a, b in points), key=lambda offset: math.hypot(*offset))
    return all(abs(dx * (b - y) - dy * (a - x)) <= OFF_LINE * math.hypot(dx, dy) for a, b in points)


def _ray(table: Sequence[int], start: int) -> list[int]:
    """Return the squares along a direction from `start`, up to the edge or a repetition."""
    line: list[int] = []
    square = table[start]
    while square >= 0 and square not in line and square != start:
        line.append(square)
        square = table[square]
    return line


def _place(line: Sequence[int], square: int, start: int) -> int:
    """Return a square's index on a line; 0 for the line's `start`, the line's length for any other square."""
    return line.index(square) if square in line else 0 if square == start else len(line)


def read_short(text: str, written: Sequence[str]) -> list[int]:
    """Return the indexes of the moves that match a text; `written` holds a position's moves, from `ShortWriter.write`.

    Marks of check, capture and promotion may be missing or different, and case may differ, if the move is still unique.
    """
    for plain in (lambda t: t, lambda t: t.rstrip("+#!?").replace("0", "O") if t[:1] == "0" else t.rstrip("#!?"),
                  _bare, lambda t: _bare(t).casefold()):
        target = plain(text)
        matches = [i for i, short in enumerate(written) if plain(short) == target] if target else []
        if matches and (len({written[i] for i in matches}) == 1):
            return matches
    return []


def _bare(text: str) -> str:
    return re.sub(r"[-x:×=+#!?\s]|e\.p\.", "", text)
