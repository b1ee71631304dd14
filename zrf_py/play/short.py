"""Moves as people write them: `Nf3`, `O-O`, `c3-c5`, `c3xe5xg7`, `P*5e`, `f6xh6→b1`, `a1-a4 xd7`, `4`.

Written from what a move does, not from its saved form (`notation.py`), and different for different moves of a position:

    Nf3  exd5         the letter of the type (none where all men are alike, or where its `notation` is empty), where to
    Nbd7  R1e2        as much of where it comes from as is needed
    c3-c5             where from and where to: where all men are alike, and where a turn may have several legs
    P-7f  G4i-5h      a dash before names that begin with a digit
    P*5e  e5          a man that comes onto the board; from a square beside it, too
    e8=Q  Bx2b+  =    another type; `+` where the new type's notation is that of the old with `+` before it, and then
                      `=` for a move that could have promoted so, and didn't
    O-O               two own men that pass each other: an O for each square that was between them
    xd7  →b1          what else was taken, unless it lay on the way; where a man that was taken is put down again
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zrf_py.ir.ops import Program
from zrf_py.play.beside import parts_beside
from zrf_py.play.letters import move_letters
from zrf_py.play.notation import parts, write_parts
from zrf_py.run.position import DROP, KEEP, MOVE, NOBODY, NOT_PARTIAL, Move, Movement, Position

PASS = "pass"


@dataclass(slots=True)
class Sketch:
    """A move taken apart: `mark` is `-`, `x` or `*`; `origin` is as much of `start` as is written."""

    letter: str = ""
    start: str = ""
    end: str = ""
    mark: str = "-"
    origin: str = ""
    becomes: str = ""
    tail: str = ""
    whole: str = ""
    """The text of a move that isn't written as one man's way."""
    details: list[str] = field(default_factory=list)
    """What else may tell it apart, the most telling first; as many for each move."""

    def text(self) -> str:
        if self.whole:
            return self.whole
        mark = self.mark
        if mark == "*":
            mark = "*" if self.letter or self.origin else ""
        elif mark == "-" and self.origin != self.start and not (self.letter and self.end[:1].isdigit()):
            mark = ""
        return f"{self.letter}{self.origin}{mark}{self.end}{self.becomes}{self.tail}"

    def ways(self) -> list[str]:
        """Longer and longer ways to write it, of which whoever needs one takes the first that tells it apart."""
        short = self.text()
        in_full = short if self.whole else replace(self, origin=self.start).text()
        return [short, in_full, *(f"{in_full} {detail}".rstrip() for detail in self.details),
                " ".join([in_full, *filter(None, self.details)])]


class ShortWriter:
    """Writes the moves of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.game = program.game
        self.names = [place.name for place in self.game.board.places]
        self.letters = move_letters(self.game)
        self.beside = frozenset().union(*parts_beside(self.game.board))
        self.has_letters = len(set(self.letters.values())) > 1
        self.has_legs = program.uses("add", suits=lambda op: bool(op.a & 2))
        self.is_full = self.has_legs or not self.has_letters
        self.marks_check = not any(letter.startswith("+") for letter in self.letters.values())
        """Whether `+` may mean a check; where it means a promotion it doesn't."""
        self.centres = [((r[0] + r[2]) / 2, (r[1] + r[3]) / 2) for r in (p.rectangle for p in self.game.board.places)]

    def write(self, position: Position, moves: Sequence[tuple[str, Move]]) -> list[str]:
        """The legal moves of a position, given with their saved form; different where that differs."""
        sketches = {text: self._sketch(position, move) for text, move in moves}
        self._tell_declined(moves, sketches)
        self._tell_origins(sketches)
        groups: dict[str, list[str]] = defaultdict(list)
        for text, sketch in sketches.items():
            groups[sketch.text()].append(text)
        written = {text: short for short, texts in groups.items() for text in texts}
        for texts in groups.values():
            if len(texts) > 1:
                columns = zip(*(sketches[text].ways() for text in texts), strict=True)
                best = next((c for c in columns if len(set(c)) == len(texts)), texts)
                written.update(zip(texts, best, strict=True))
        count = Counter(written.values())
        return [written[text] if count[written[text]] == 1 else text for text, _ in moves]

    def join(self, legs: Sequence[tuple[Move, str]]) -> str:
        """A turn in one line: legs with their short form."""
        said = [(move, text) for move, text in legs if not move.is_pass] or list(legs[:1])
        whole = ""
        last = -1
        for move, text in said:
            start, end = move.key
            head = next((h for h in self._heads(start) if text.startswith(h)), "") if start == last >= 0 else ""
            whole += text.removeprefix(head) if head else f", {text}" if whole else text
            last = end
        return whole

    def _heads(self, start: int) -> list[str]:
        name = self.names[start]
        return [letter + name for letter in sorted(set(self.letters.values()), key=len, reverse=True)]

    # ------------------------------------------------------------------------------------------------------ one move

    def _sketch(self, position: Position, move: Move) -> Sketch:
        if move.is_pass:
            return Sketch(whole=PASS, details=["", "", ""])
        if self.game.players[move.side].kind == "random":
            return self._chance(position, move)
        main = self._main(position, move)
        if main is None:
            return self._effects(position, move)
        how, start, end, _ = main
        others = [m for m in move.movements if m is not main]
        kind = position.piece[start] if how != DROP else main[3]
        found = Sketch(self.letters[kind], self.names[start] if how != DROP else "", self.names[end])
        if how == DROP or (start in self.beside and end not in self.beside):
            found.mark = "*"
        elif self.is_full:
            found.origin = found.start
        castled = self._castled(position, move, start, end, others)
        if castled:
            found.whole = castled
        taken = self._taken(position, move, end, others)
        on_way = [square for square in taken if square == end or self._lies_between(start, square, end)]
        if on_way and found.mark == "-":
            found.mark = "x"
            if not self.letters[kind] and self.has_letters and not found.origin:
                found.origin = _file(found.start) or found.start
        new = self._becomes(position, move, main)
        if new != kind:
            found.becomes = self._promotion(kind, new)
        found.tail = "".join(f" x{self.names[s]}" for s in taken if s not in on_way) + self._put_back(position, move)
        found.details = self._details(position, move)
        return found

    def _main(self, position: Position, move: Move) -> Movement | None:
        """The movement that a player would say: the first of an own man, else the first."""
        own = [m for m in move.movements if m[0] == DROP or position.owner[m[1]] == move.side]
        return next(iter(own or move.movements), None)

    def _taken(self, position: Position, move: Move, end: int, others: Sequence[Movement]) -> list[int]:
        """Squares on which men of others are taken, whether they go out of play or to another square."""
        carried = [s for how, s, e, _ in others if how == MOVE and s != e and position.owner[s] != move.side]
        landed = [end] if position.owner[end] != NOBODY and end not in carried \
            and not any(how == MOVE and s == end for how, s, _, _ in others) else []
        return list(dict.fromkeys([*landed, *carried, *move.captures]))

    def _lies_between(self, start: int, square: int, end: int) -> bool:
        """Whether a square lies in the rectangle that two others span."""
        if start < 0:
            return False
        return all(min(a, b) - 1 <= c <= max(a, b) + 1 for a, c, b in
                   zip(self.centres[start], self.centres[square], self.centres[end], strict=True))

    def _becomes(self, position: Position, move: Move, main: Movement) -> int:
        _, start, end, kind = main
        new = kind if kind != KEEP else position.piece[start]
        changed = [a for name, square, a, _ in move.effects if name == "change-type" and square == end]
        return changed[-1] if changed else new

    def _promotion(self, old: int, new: int) -> str:
        letter = self.letters[new]
        return "+" if letter == f"+{self.letters[old]}" else f"={letter or self.game.pieces[new].name}"

    def _put_back(self, position: Position, move: Move) -> str:
        """Where men that were taken are put down again."""
        gone = {(position.owner[s], position.piece[s]) for s in move.captures}
        return "".join(f"→{self.names[s]}" for name, s, a, b in move.effects
                       if name == "create" and (b, a) in gone and b != move.side)

    def _castled(self, position: Position, move: Move, start: int, end: int,
                 others: Sequence[Movement]) -> str:
        """`O-O` for two own men that pass each other along a line, "" otherwise."""
        own = [m for m in others if m[0] == MOVE and m[1] != m[2] and position.owner[m[1]] == move.side]
        if len(own) != 1 or len(others) != 1:
            return ""
        _, other, goal, _ = own[0]
        for table in self.game.board.links:
            line = _ray(table, start)
            if other in line and end in line:
                there, back = line.index(other), _place(line, goal, start)
                if 0 <= back < line.index(end) and there:
                    return "-".join("O" * there)
        return ""

    def _chance(self, position: Position, move: Move) -> Sketch:
        """What chance brings: the types that come or are shown, else what is counted."""
        shown = [kind for _, start, _, kind in move.movements if kind != KEEP]
        shown += [a for name, _, a, _ in move.effects if name in ("create", "change-type")]
        counted = [f"{self.game.counters[c].name}={a}" for name, c, a, _ in move.effects if name == "set-counter"]
        whole = "+".join(self.letters[k] or self.game.pieces[k].name for k in shown) or ", ".join(counted)
        return Sketch(whole=whole or write_parts(parts(self.program, position, move)),
                      details=self._details(position, move))

    def _effects(self, position: Position, move: Move) -> Sketch:
        """A move in which nothing travels: men come, change or go."""
        words = []
        for name, square, a, b in move.effects:
            if name == "create":
                owner = self.game.players[b]
                whose = f"{owner.name}:" if b != move.side and owner.kind == "player" else ""
                mark = "*" if self.letters[a] or b != move.side else ""
                words.append(f"{whose}{self.letters[a]}{mark}{self.names[square]}")
            elif name == "change-type":
                words.append(f"{self.names[square]}={self.letters[a] or self.game.pieces[a].name}")
            elif name == "change-owner":
                words.append(f"{self.names[square]}={self.game.players[a].name}")
            elif name == "flip":
                words.append(f"{self.names[square]}~")
        text = " ".join(words[:1]) + "".join(f"x{self.names[s]}" for s in move.captures)
        return Sketch(whole=text or write_parts(parts(self.program, position, move)) or PASS,
                      details=self._details(position, move))

    def _details(self, position: Position, move: Move) -> list[str]:
        """What else tells moves apart, in the words of saved games."""
        said = parts(self.program, position, move)
        taken = "".join(f"x{name}" for (mark, name) in (p for p in said if len(p) == 2) if mark == "x")
        return [taken, write_parts(p for p in said if p[0] in ("place", "=", "flip")),
                "…" if move.partial != NOT_PARTIAL else ""]

    # ----------------------------------------------------------------------------------------------- among the others

    def _tell_declined(self, moves: Sequence[tuple[str, Move]], sketches: dict[str, Sketch]) -> None:
        """`=` where a move could have promoted by `+` and didn't."""
        risen = {(m.key, s.letter) for t, m in moves if (s := sketches[t]).becomes == "+"}
        for text, move in moves:
            sketch = sketches[text]
            if risen and not sketch.becomes and not sketch.whole and (move.key, sketch.letter) in risen:
                sketch.becomes = "="

    def _tell_origins(self, sketches: dict[str, Sketch]) -> None:
        """Where several men could go to one square: the column they come from, or the line, or both."""
        groups: dict[str, list[Sketch]] = defaultdict(list)
        for sketch in sketches.values():
            if not sketch.whole and sketch.mark != "*" and not sketch.origin:
                groups[sketch.text()].append(sketch)
        for group in groups.values():
            starts = {sketch.start for sketch in group}
            for sketch in group if len(starts) > 1 else ():
                sketch.origin = _least(sketch.start, starts - {sketch.start})


def _least(start: str, others: set[str]) -> str:
    """The part of a square's name that no other square has: its column, its line, or all of it."""
    file, rank = _file(start), start.removeprefix(_file(start))
    if not file:
        return start
    if all(_file(other) != file for other in others):
        return file
    return rank if all(other.removeprefix(_file(other)) != rank for other in others) else start


def _file(name: str) -> str:
    """`a` of `a10`; "" of names that are not made of letters and then a number."""
    found = re.fullmatch(r"([A-Za-z]{1,2})\d+", name)
    return found[1] if found else ""


def _ray(table: Sequence[int], start: int) -> list[int]:
    """The squares one comes to along a direction."""
    line: list[int] = []
    square = table[start]
    while square >= 0 and square not in line and square != start:
        line.append(square)
        square = table[square]
    return line


def _place(line: Sequence[int], square: int, start: int) -> int:
    """How far along the line a square is; before the first square of it for where the line starts, far for others."""
    return line.index(square) if square in line else 0 if square == start else len(line)


def read_short(text: str, written: Sequence[str]) -> list[int]:
    """Which of the moves of a position, given as `ShortWriter.write` wrote them, a person means; by number from 0.

    Marks of check, of taking and of promotion may be left out or be others, and capitals too, where that is clear.
    """
    for plain in (lambda t: t, lambda t: t.rstrip("+#!?").replace("0", "O") if t[:1] == "0" else t.rstrip("#!?"),
                  _bare, lambda t: _bare(t).casefold()):
        wanted = plain(text)
        found = [i for i, short in enumerate(written) if plain(short) == wanted] if wanted else []
        if found and (len({written[i] for i in found}) == 1):
            return found
    return []


def _bare(text: str) -> str:
    return re.sub(r"[-x:×=+#!?\s]|e\.p\.", "", text)
