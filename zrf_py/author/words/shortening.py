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
        inserted, words = re.escape(subordinate(body)), len(body.split())
        pattern = re.compile(rf"\({inserted}\)|(?<!\w){inserted}(?!\w)")
        if (words - NAME) * len(pattern.findall(text)) - words >= SAVED:
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
    rows = [[] if line.inner else _PART.split(line.text) for line in lines]
    merged: list[TextLine] = []
    begin = 0
    while begin < len(lines):
        end, places = _run(rows, begin)
        is_long = end - begin >= OFTEN and len(lines[begin].text.split()) >= LONG
        merged += [_merged(rows[begin:end], places, say)] if is_long else lines[begin:end]
        begin = end
    return tuple(merged)


def _run(rows: Sequence[Sequence[str]], begin: int) -> tuple[int, list[int]]:
    """Return the end of the lines from `begin` on that all differ in the same words, and the places of these."""
    first, end = rows[begin], begin + 1
    places = _differing(first, rows[end]) if end < len(rows) else []
    used = {(n, first[n]) for n in places}
    while places and end < len(rows) and _differing(first, rows[end]) == places:
        words = {(n, rows[end][n]) for n in places}
        if words & used:
            break
        used |= words
        end += 1
    return end, places


def _differing(first: Sequence[str], other: Sequence[str]) -> list[int]:
    """Return the places of the words in which two lines differ; [] if they differ otherwise, or in too many."""
    places = [n for n, pair in enumerate(zip(first, other, strict=False)) if pair[0] != pair[1]]
    return places if len(first) == len(other) and len(places) <= MAX_LISTS and all(n % 2 for n in places) else []


def _merged(rows: Sequence[Sequence[str]], places: Sequence[int], say: Language) -> TextLine:
    words = list(rows[0])
    for n in places:
        words[n] = "/".join(row[n] for row in rows)
    return TextLine("".join(words) + (f" {sentence(say('in-parallel'))}" if len(places) > 1 else ""))


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
