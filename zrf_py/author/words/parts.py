"""Blocks in words -> runs of lines that stand in several of them: they are told once, under the name of their macro."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from zrf_py.author.words.document import Line

LEAST = 6
"""Lines that a run has at least, those inside others counted."""
Lines = tuple[Line, ...]


@dataclass
class Part:
    """A run of lines; `name` is what it is called."""

    name: str
    lines: Lines


@dataclass
class Parts:
    """What the intricate blocks of a game share. `otherwise` is the text of a line that goes on with the one before."""

    otherwise: str = ""
    found: dict[Lines, Part] = field(default_factory=dict)
    _parents: dict[Line, set[Lines]] = field(default_factory=lambda: defaultdict(set))

    def learn(self, blocks: Iterable[Lines]) -> None:
        """Look at blocks before they are told."""
        for block in blocks:
            if block and block not in self._parents.get(block[0], ()):
                for line in block:
                    self._parents[line].add(block)
                    self.learn([line.inner])

    def split(self, body: Sequence[Line], whole: bool = False) -> Iterator[Part | Line]:
        """A body with its shared runs as parts; `whole`: it is one itself, and only those inside it count."""
        at = 0
        while at < len(body):
            end = self._end(body, at)
            run = tuple(body[at:end])
            shared = len(self._parents.get(body[at], ())) > 1 and not self._torn(body, at) and not self._torn(body, end)
            if shared and sum(map(_size, run)) >= LEAST and not (whole and len(run) == len(body)):
                yield self._part(run)
            else:
                yield from run
            at = end

    def _end(self, body: Sequence[Line], at: int) -> int:
        """Where the lines end that stand in the same blocks as the one here; no condition is torn from its other case.
        """
        parents, end = self._parents.get(body[at], set()), at + 1
        while end < len(body) and self._parents.get(body[end], set()) == parents:
            end += 1
        return end - 1 if end - 1 > at and self._torn(body, end) else end

    def _torn(self, body: Sequence[Line], at: int) -> bool:
        return at < len(body) and body[at].text == self.otherwise

    def _part(self, run: Lines) -> Part:
        if run not in self.found:
            name = run[0].macro or "…"
            names = {part.name for part in self.found.values()}
            unique, number = name, 2
            while unique in names:
                unique, number = f"{name} {number}", number + 1
            self.found[run] = Part(unique, run)
        return self.found[run]


def _size(line: Line) -> int:
    return 1 + sum(map(_size, line.inner))
