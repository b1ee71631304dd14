"""Shorten sections: lines that several moves share are written once, as a numbered part."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zrf_py.author.words.document import Section, TextLine
from zrf_py.author.words.language import Language

SAVED = 60
"""Minimum number of words that a part must save."""
NAME = 8
"""Number of words that a reference to a part costs a reader."""
MAX_LINES = 16
"""Maximum number of lines in a part, not counting the lines below them."""
MAX_PARTS = 30

Lines = tuple[TextLine, ...]


def numbered_parts(sections: Sequence[Section], say: Language) -> tuple[list[Section], int]:
    """Write recurring groups of lines out once, as numbered parts; return (new sections, number of parts)."""
    texts = [lines for section in sections for lines in section.lists()]
    parts: dict[TextLine, Lines] = {}
    weights: dict[TextLine, int] = {}
    while len(parts) < MAX_PARTS and (part := _best([*texts, *parts.values()], say, weights)):
        reference = TextLine(f"\x01{len(parts)}\x02")
        texts = [_replaced(lines, part, reference) for lines in texts]
        parts = {name: _replaced(lines, part, reference) for name, lines in parts.items()} | {reference: part}
    listings = iter(texts)
    numbers: dict[TextLine, int] = {}

    def numbered(line: TextLine) -> TextLine:
        """Return a line with references to parts replaced: the first by the part in full, later ones by its number."""
        if line in numbers:
            return TextLine(say("part.as", number=numbers[line]))
        if line not in parts:
            return replace(line, inner=tuple(map(numbered, line.inner)))
        numbers[line] = len(numbers) + 1
        return TextLine(say("part.head", number=numbers[line]), tuple(map(numbered, parts[line])))

    shown = [section.relisted(lambda lines: tuple(map(numbered, next(listings)))) for section in sections]
    return shown, len(parts)


def _best(texts: Sequence[Lines], say: Language, weights: dict[TextLine, int]) -> Lines:
    """Return the repeated lines that would save the most words as a part; () if none would save `SAVED`."""
    count: Counter[Lines] = Counter()
    otherwise = say("steps.else")
    for lines in (siblings for text in texts for siblings in _lists(text)):
        cuts = [n for n in range(len(lines) + 1) if n == len(lines) or lines[n].text != otherwise]
        for begin in cuts:
            for end in cuts:
                if begin < end <= begin + MAX_LINES:
                    count[lines[begin:end]] += 1
    saved = {lines: (times - 1) * (_weight(lines, weights) - NAME) for lines, times in count.items() if times > 1}
    best = max(saved, key=lambda lines: saved[lines], default=())
    return best if best and saved[best] >= SAVED else ()


def _lists(lines: Lines) -> Iterator[Lines]:
    if lines:
        yield lines
    for line in lines:
        yield from _lists(line.inner)


def _weight(lines: Lines, weights: dict[TextLine, int]) -> int:
    for line in lines:
        if line not in weights:
            weights[line] = len(line.text.split()) + _weight(line.inner, weights)
    return sum(weights[line] for line in lines)


def _replaced(lines: Lines, part: Lines, reference: TextLine) -> Lines:
    rest, done, size = list(lines), [], len(part)
    while rest:
        if tuple(rest[:size]) == part:
            done.append(reference)
            del rest[:size]
        else:
            line = rest.pop(0)
            done.append(replace(line, inner=_replaced(line.inner, part, reference)) if line.inner else line)
    return tuple(done)
