"""Blocks in words -> the runs of lines that several share, written once under the name of their macro."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from zrf_py.author.words.document import Line
from zrf_py.author.words.folding import letter, replaced, shape_of, signs_of

LEAST = 6
"""Least number of lines in a shared run, nested ones included."""
Lines = tuple[Line, ...]


@dataclass
class Part:
    """A shared run of lines and its name; `letters` stand in `lines` for the signs that differ between its uses."""

    name: str
    lines: Lines
    letters: tuple[str, ...]


@dataclass
class Use:
    """A use of a part, with the signs that its letters stand for."""

    part: Part
    signs: tuple[str, ...]


@dataclass
class Parts:
    """Finds the runs of lines shared by blocks. `otherwise` is the text of a line that goes on with the one before."""

    otherwise: str = ""
    found: dict[tuple[object, ...], Part] = field(default_factory=dict)
    """Parts by the shape of their lines (`folding.shape_of`)."""
    _numbers: dict[Lines, int] = field(default_factory=dict)
    """Numbers of all blocks, nested lists of lines included."""
    _parents: dict[Line, set[int]] = field(default_factory=lambda: defaultdict(set))
    _alike: dict[tuple[object, ...], dict[Lines, list[str]]] = field(default_factory=lambda: defaultdict(dict))
    """Runs by their shape, with the signs of each."""

    def learn(self, blocks: Iterable[Lines]) -> None:
        """Compare all blocks; must be called before `split`."""
        blocks = list(blocks)
        self._look(blocks)
        for block in blocks:
            self._compare(block)

    def _look(self, blocks: Iterable[Lines]) -> None:
        for block in blocks:
            if block and block not in self._numbers:
                number = self._numbers[block] = len(self._numbers)
                for line in dict.fromkeys(block):
                    self._parents[line].add(number)
                    self._look([line.inner])

    def _compare(self, body: Lines, whole: bool = False) -> None:
        """Record the runs that differ in signs alone."""
        for run, is_part in self._runs(body, whole):
            if not is_part:
                for line in run:
                    self._compare(line.inner)
            elif run not in (alike := self._alike[shape_of(run)]):
                alike[run] = list(dict.fromkeys(signs_of(run)))
                self._compare(run, whole=True)

    def split(self, body: Lines, whole: bool = False) -> Iterator[Use | Line]:
        """Yield a body with its shared runs as uses; `whole`: it is a part itself, and only runs inside it count."""
        for run, is_part in self._runs(body, whole):
            if is_part:
                yield self._use(run)
            else:
                yield from run

    def _runs(self, body: Lines, whole: bool) -> Iterator[tuple[Lines, bool]]:
        """Yield a body in runs, each with a flag: True if it is shared."""
        at = 0
        while at < len(body):
            end = self._end(body, at)
            run = tuple(body[at:end])
            shared = len(self._parents.get(body[at], ())) > 1 and not self._torn(body, at) and not self._torn(body, end)
            yield run, shared and sum(map(_size, run)) >= LEAST and not (whole and len(run) == len(body))
            at = end

    def _end(self, body: Sequence[Line], at: int) -> int:
        """Return the end of the run of lines in the same blocks; a condition is not separated from its other case."""
        parents, end = self._parents.get(body[at], set()), at + 1
        while end < len(body) and self._parents.get(body[end], set()) == parents:
            end += 1
        return end - 1 if end - 1 > at and self._torn(body, end) else end

    def _torn(self, body: Sequence[Line], at: int) -> bool:
        return at < len(body) and body[at].text == self.otherwise

    def _use(self, run: Lines) -> Use:
        shape = shape_of(run)
        alike = self._alike[shape]
        columns = zip(*alike.values(), strict=True)
        differing = [n for n, column in enumerate(columns) if len(set(column)) > 1]
        signs = tuple(alike[run][n] for n in differing)
        if shape not in self.found:
            letters = {sign: letter(f"p{n}") for n, sign in enumerate(signs)}
            lines = tuple(replaced(line, letters) for line in run)
            self.found[shape] = Part(self._name(run), lines, tuple(letters.values()))
        return Use(self.found[shape], signs)

    def _name(self, run: Lines) -> str:
        name = run[0].macro or "…"
        names = {part.name for part in self.found.values()}
        unique, number = name, 2
        while unique in names:
            unique, number = f"{name} {number}", number + 1
        return unique


def _size(line: Line) -> int:
    return 1 + sum(map(_size, line.inner))
