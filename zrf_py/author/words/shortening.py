"""Shorten sections: long conditions that recur get a name, lines that differ in few words are merged."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from string import ascii_uppercase

from zrf_py.author.words.document import Block, Listing, Paragraph, Section, TextLine
from zrf_py.author.words.language import Language, sentence, subordinate, without_parentheses

SAVED = 40
"""Fewest words that a name for a condition must save."""
NAME, SHORT = 3, 9
"""Number of words of a condition's name, and of the longest condition that gets none."""
MERGED = 60
"""Fewest words that merging lines must save."""
OFTEN = 3
"""Fewest lines that are merged into one."""
MAX_LISTS = 3
"""Most words in which merged lines may differ."""

ALIKE, MAX_REPLACED = 60, 4
"""Fewest words of a description that may refer to an earlier one, and most words in which the two may differ."""
LISTED = 6
"""Fewest items of a list that is shortened."""

_ITEM = r"\([^()]*\)|[\w-]*\d[\w-]*"
_WORD = re.compile(r"([^\s,;:.()“”„‘’‚'=]+)")
_PART = re.compile(r"(\w+)")


def named_conditions(
    sections: Sequence[Section], clauses: Iterable[str], say: Language,
) -> tuple[list[Section], list[Paragraph]]:
    """Replace long conditions that recur by names; return the sections, and a paragraph for the meaning of each name.

    :param clauses: all conditions as written in main clauses.
    """
    lines = [text for section in sections for block in section.blocks if isinstance(block, Listing)
             for text in _texts(block.lines)]
    text = "\n".join(lines)
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for body in sorted(dict.fromkeys(map(without_parentheses, clauses)), key=len, reverse=True):
        inserted, words = re.escape(subordinate(body)), len(body.split())
        pattern = re.compile(rf"\({inserted}\)|(?<!\w){inserted}(?!\w)")
        if words > SHORT and (words - NAME) * len(pattern.findall(text)) - words >= SAVED:
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
    rows = [[*_PART.split(line.text), "", str(line.inner)] for line in lines]  # other inner lines: another place
    lines = [replace(line, inner=in_parallel(line.inner, say)) if line.inner else line for line in lines]
    merged: list[TextLine] = []
    begin = 0
    while begin < len(lines):
        end, places = _run(rows, begin)
        is_long = end - begin >= OFTEN and (end - begin - 1) * len(lines[begin].text.split()) >= MERGED
        is_long = is_long and (len(places) == 1 or not lines[begin].inner)
        merged += [replace(_merged(rows[begin:end], places, say), inner=lines[begin].inner)
                   ] if is_long else lines[begin:end]
        begin = end
    return tuple(merged)


def elided(text: str, say: Language) -> str:
    """Shorten lists whose numbers grow by the same steps: `p1, p2, … and p9`."""
    joints = "|".join(re.escape(joint) for joint in (", ", say("and", list="", last=""), say("or", list="", last="")))
    list_of_many = re.compile(rf"(?:{_ITEM})(?:(?:{joints})(?:{_ITEM})){{{LISTED - 1},}}")
    return list_of_many.sub(lambda match: _progressions(match[0]), text)


def _progressions(text: str) -> str:
    items = list(re.finditer(_ITEM, text))
    numbers = [[int(number) for number in re.findall(r"\d+", item[0])] for item in items]
    forms = [re.sub(r"\d+", "0", item[0]) for item in items]
    steps = [forms[n] == forms[n + 1] and [b - a for a, b in zip(numbers[n], numbers[n + 1], strict=True)]
             for n in range(len(items) - 1)]
    cuts, begin = [], 0
    for step, run in groupby(steps):
        end = begin + len(list(run))
        if step and any(step) and end - begin >= LISTED - 1:
            cuts.append((items[begin + 1].end(), items[end - 1].end()))
        begin = end
    for start, stop in reversed(cuts):
        text = f"{text[:start]}, …{text[stop:]}"
    return text


def replacements(first: Sequence[Block], other: Sequence[Block]) -> dict[str, str]:
    """Return the substitutions of words that turn one long description into another; {} if too many, or impossible."""
    mine, yours = (_WORD.split("\n".join(map(str, blocks))) for blocks in (first, other))
    if len(mine) != len(yours) or len(mine) < 2 * ALIKE or mine[::2] != yours[::2]:
        return {}
    words = dict(zip(mine[1::2], yours[1::2], strict=True))
    differing = {word: to for word, to in words.items() if word != to}
    fits = [words[word] for word in mine[1::2]] == yours[1::2] and len(set(words.values())) == len(words)
    return differing if fits and len(differing) <= MAX_REPLACED else {}


def _run(rows: Sequence[Sequence[str]], begin: int) -> tuple[int, list[int]]:
    """Return the end of the lines from `begin` on that differ at the same places only, and the list of these places."""
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
    """Return the places of the words in which two lines differ; [] if they differ elsewhere or in too many words."""
    places = [n for n, pair in enumerate(zip(first, other, strict=False)) if pair[0] != pair[1]]
    return places if len(first) == len(other) and len(places) <= MAX_LISTS and all(n % 2 for n in places) else []


def _merged(rows: Sequence[Sequence[str]], places: Sequence[int], say: Language) -> TextLine:
    words = list(rows[0])
    for n in places:
        words[n] = "/".join(row[n] for row in rows)
    return TextLine("".join(words[:-2]) + (f" {sentence(say('in-parallel'))}" if len(places) > 1 else ""))


def _replaced(section: Section, pattern: re.Pattern[str], name: str) -> Section:
    return replace(section, blocks=tuple(
        Listing(_substituted(block.lines, pattern, name))
        if isinstance(block, Listing) else block for block in section.blocks))


def _substituted(lines: Iterable[TextLine], pattern: re.Pattern[str], name: str) -> tuple[TextLine, ...]:
    return tuple(TextLine(pattern.sub(name, line.text), _substituted(line.inner, pattern, name)) for line in lines)


def _texts(lines: Iterable[TextLine]) -> Iterator[str]:
    for line in lines:
        yield line.text
        yield from _texts(line.inner)
