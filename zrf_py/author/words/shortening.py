"""Sections -> shorter ones: long conditions that recur get a name, lines that differ in a few words are merged."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase

from zrf_py.author.words.document import Listing, Paragraph, Section, TextLine
from zrf_py.author.words.language import Language, sentence, subordinate

SAVED = 40
"""Fewest words that a name for a condition must save."""
NAME = 3
"""Number of words of such a name."""
LONG = 30
"""Fewest words of the first of the lines that are merged."""
OFTEN = 3
"""Fewest lines that are merged into one."""
MAX_LISTS = 3
"""Most words in which these lines may differ."""

_PART = re.compile(r"(\w+)")


def named_conditions(
    sections: Sequence[Section], clauses: Iterable[str], say: Language,
) -> tuple[list[Section], list[Paragraph]]:
    """Replace long conditions that recur by names; return the sections, and a paragraph for the meaning of each name.

    :param clauses: all conditions as written in main clauses.
    """
    lines = [line.text for section in sections for block in section.blocks if isinstance(block, Listing)
             for line in block.lines]
    text = "\n".join(lines)
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for body in sorted(dict.fromkeys(map(_without_parentheses, clauses)), key=len, reverse=True):
        inserted = re.escape(subordinate(body))
        pattern = re.compile(rf"\({inserted}\)|(?<!\w){inserted}(?!\w)")
        words, times = len(body.split()), len(pattern.findall(text))
        if (words - NAME) * times - words >= SAVED:
            text = pattern.sub("", text)
            patterns.append((body, pattern))
    first = {body: min(n for n, line in enumerate(lines) if pattern.search(line)) for body, pattern in patterns}
    letters = {body: ascii_uppercase[n] for n, body in enumerate(sorted(first, key=lambda body: first[body]))
               if n < len(ascii_uppercase)}
    for body, pattern in patterns:
        if body in letters:
            name = subordinate(say("condition.name", name=letters[body]))
            sections = [_replaced(section, pattern, name) for section in sections]
    return list(sections), [Paragraph(sentence(say("condition.meaning", name=letter, condition=body)))
                            for body, letter in letters.items()]


def in_parallel(lines: Sequence[TextLine], say: Language) -> tuple[TextLine, ...]:
    """Merge successive lines that differ in a few words only: `becomes 1/2/3; … One/Two/Three`."""
    merged: list[TextLine] = []
    begin = 0
    while begin < len(lines):
        end = begin + 1
        while end < len(lines) and _differing(lines[begin : end + 1]):
            end += 1
        run = lines[begin:end]
        merged += [_merged(run, say)] if len(run) >= OFTEN and len(run[0].text.split()) >= LONG else run
        begin = end
    return tuple(merged)


def _differing(lines: Sequence[TextLine]) -> list[int]:
    """Return the indices (in splits by `_PART`) of words that no two lines share; [] if anything else differs."""
    parts = [_PART.split(line.text) for line in lines]
    if any(line.inner for line in lines) or len({len(row) for row in parts}) > 1:
        return []
    places = [n for n, column in enumerate(zip(*parts, strict=True)) if len(set(column)) > 1]
    varied = all(n % 2 and len({row[n] for row in parts}) == len(lines) for n in places)
    return places if varied and len(places) <= MAX_LISTS else []


def _merged(lines: Sequence[TextLine], say: Language) -> TextLine:
    places = _differing(lines)
    parts = [_PART.split(line.text) for line in lines]
    first = parts[0]
    for n in places:
        first[n] = "/".join(row[n] for row in parts)
    return TextLine("".join(first) + (f" {sentence(say('in-parallel'))}" if len(places) > 1 else ""))


def _replaced(section: Section, pattern: re.Pattern[str], name: str) -> Section:
    return replace(section, blocks=tuple(
        Listing(tuple(replace(line, text=pattern.sub(name, line.text)) for line in block.lines))
        if isinstance(block, Listing) else block for block in section.blocks))


def _without_parentheses(clause: str) -> str:
    """Return a clause without parentheses around the whole of it."""
    depth = 0
    for n, letter in enumerate(clause):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return clause[1:-1] if n and n == len(clause) - 1 else clause
    return clause
