"""Shorten lists of lines: lines that recur with other directions or squares are written once, with letters.

Until then, placeholders (*signs*) stand for directions, squares, types and numbers, so that lines can be compared.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from zrf_py.author.words.document import TextLine
from zrf_py.author.words.language import Language
from zrf_py.text.grouping import by_key

_SIGN = re.compile("\x01([^\x02]+)\x02")
MAX_WINDOW = 14
"""Maximum number of lines in a run that is compared with the lines after it."""
MAX_LETTERS = 13
"""Size of each half of the alphabet: numbers are called N to Z, everything else A to M."""


def sign(kind: str, number: int) -> str:
    """Return a placeholder for a direction ("m"), square ("p"), piece type ("k") or number ("n")."""
    return f"\x01{kind}{number}\x02"


@dataclass(frozen=True)
class Folding:
    """Folds repetitions in the lines of blocks, with new letters for each repetition."""

    say: Language
    render: Callable[[str], str]
    """Converts a sign to words."""
    letters: Iterator[int] = field(default_factory=count)
    """Numbers of letters. A letter stands for signs that differ between repetitions. It is written as a sign itself,
    such as `Lm3`: letter number 3, for signs of the kind "m"."""

    def blocks(self, blocks: Sequence[tuple[TextLine, ...]]) -> list[tuple[TextLine, ...]]:
        """Fold each block, merge blocks that differ in signs alone, and replace signs and letters by words."""
        folded = [tuple(self._lines(block)) for block in dict.fromkeys(blocks)]
        alike = by_key((shape_of(block), block) for block in folded)
        results: list[tuple[TextLine, ...]] = []
        for group in map(list, map(dict.fromkeys, alike.values())):
            if len(group) > 1:
                results.append((self._each(group, "steps.kinds"),))
            else:
                results.append(group[0])
        return [tuple(self._written(line) for line in block) for block in results]

    def _lines(self, lines: Sequence[TextLine]) -> list[TextLine]:
        """Fold the repetitions among lines, innermost first."""
        rest = [TextLine(line.text, tuple(self._lines(line.inner))) for line in lines]
        done: list[TextLine] = []
        while rest:
            size, times = _repeated(rest)
            if times > 1:
                windows = [tuple(rest[n * size : (n + 1) * size]) for n in range(times)]
                done.append(self._each(windows))
                rest = rest[size * times:]
            else:
                done.append(rest.pop(0))
        return done

    def _each(self, windows: Sequence[tuple[TextLine, ...]], key: str = "steps.each") -> TextLine:
        """Return one line for all windows (repetitions of a run of lines). Below it are the lines of the first, with
        letters for the signs that differ; its text lists their values, or counts the windows if none differ."""
        values = [list(dict.fromkeys(signs_of(window))) for window in windows]
        columns = list(zip(*values, strict=True))
        differing = [n for n, column in enumerate(columns) if len(set(column)) > 1]
        if not differing:
            return TextLine(self.say("steps.times", count=sign("n", len(windows))), windows[0])
        names = {values[0][n]: f"\x01L{values[0][n][0]}{next(self.letters)}\x02" for n in differing}
        numbers = [n for n in differing if values[0][n][0] == "n"]
        others = [n for n in differing if n not in numbers]
        counts, rest = ({tuple(row[n] for n in some) for row in values} for some in (numbers, others))
        free = numbers and others and len(counts) * len(rest) == len(set(map(tuple, values)))
        lists = [self._listed(values, some, names) for some in ((numbers, others) if free else (differing,))]
        more = [self.say("steps.and-each", names=letters, list=listed) for letters, listed in lists[1:]]
        head = self.say(key, names=lists[0][0], list="".join([lists[0][1], *more]))
        return TextLine(head, tuple(line.rewritten(lambda text: _SIGN.sub(
            lambda match: names.get(match[1], match[0]), text)) for line in windows[0]))

    def _listed(self, values: Sequence[Sequence[str]], some: Sequence[int], names: dict[str, str]) -> tuple[str, str]:
        """Return the letters of the signs with the indices `some`, and the list of their values, as texts."""
        texts = dict.fromkeys(", ".join(f"\x01{row[n]}\x02" for n in some) for row in values)
        return (", ".join(names[values[0][n]] for n in some),
                self.say.both([f"({text})" if len(some) > 1 else text for text in texts]))

    def _written(self, line: TextLine) -> TextLine:
        """Replace the signs of a line by words, and its letters by A, B, … (N, O, … for numbers) in order."""
        letters: dict[str, str] = {}

        def words(match: re.Match[str]) -> str:
            if match[1].startswith("L"):
                first = "N" if match[1][1] == "n" else "A"
                place = sum((sign[1] == "n") == (match[1][1] == "n") for sign in letters)
                return letters.setdefault(match[1], chr(ord(first) + place % MAX_LETTERS))
            return self.render(match[1])

        return line.rewritten(lambda text: _SIGN.sub(words, text))


def signs_of(lines: Sequence[TextLine]) -> Iterator[str]:
    """Yield the signs in lines, without their delimiters; letters are skipped."""
    for text in (text for line in lines for text in line.texts()):
        yield from (sign for sign in _SIGN.findall(text) if not sign.startswith("L"))


def shape_of(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """Return lines with their signs numbered by appearance: equal for lines that differ in signs alone."""
    seen: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return seen.setdefault(match[1], f"\x01{match[1][0]}{len(seen)}\x02")

    return tuple(line.rewritten(lambda text: _SIGN.sub(number, text)) for line in lines)


def _repeated(lines: Sequence[TextLine]) -> tuple[int, int]:
    """Return (lines, repetitions) of the longest repeated passage at the beginning; (0, 1) if there is none."""
    best = 0, 1
    for size in range(1, min(MAX_WINDOW, len(lines) // 2) + 1):
        first = lines[:size]
        if not any(signs_of(first)):
            continue
        shape = shape_of(first)
        times = 1
        while shape_of(lines[times * size : (times + 1) * size]) == shape:
            times += 1
        if times > 1 and size * times > best[0] * best[1]:
            best = size, times
    return best
