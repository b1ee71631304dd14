"""Shorten sections: name long conditions that recur, merge lines that differ in few words, abridge lists."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from zrf_py.author.words.document import Block, Paragraph, Section, TextLine
from zrf_py.author.words.language import Language, sentence, subordinate

SAVED = 40
"""Minimum number of words that a name for a condition or square must save."""
NAME = 3
"""Number of words that a name counts as."""
SHORT = 9
"""Number of words up to which a condition or square gets no name."""
MERGED = 60
"""Minimum number of words that merging lines must save."""
OFTEN = 3
"""Minimum number of lines that are merged into one."""
MAX_LISTS = 3
"""Maximum number of words in which merged lines may differ."""

ALIKE = 60
"""Minimum number of words of a description that may refer to an earlier one."""
MAX_REPLACED = 4
"""Maximum number of words that are replaced where a description refers to an earlier one."""
LISTED = 6
"""Minimum number of items of a list that is shortened."""

_ITEM = r"\([^()]*\)|[\w-]*\d[\w-]*"
_WORD = re.compile(r"([^\s,;:.()“”„‘’‚'=]+)")
_PART = re.compile(r"(\w+)")


def named(
    sections: Sequence[Section], texts: Mapping[str, Iterable[str]], key: str, letters: str, say: Language,
) -> tuple[list[Section], dict[re.Pattern[str], str], list[Paragraph]]:
    """Give names to long conditions or squares that recur. Return the sections, a map from each replaced pattern to its
    name, and a paragraph that defines each name.

    :param texts: text of a definition → the forms of that text in sentences.
    :param key: the kind of names, "condition" or "far-square".
    :param letters: the letters of names, in the order of their use.
    """
    lines = [text for section in sections for listed in section.lists() for line in listed for text in line.texts()]
    text = "\n".join(lines)
    patterns: dict[str, re.Pattern[str]] = {}
    for body in sorted(texts, key=len, reverse=True):
        inserted, words = "|".join(map(re.escape, texts[body])), len(body.split())
        pattern = re.compile(rf"\((?:{inserted})\)|(?<!\w)(?:{inserted})(?!\w)")
        if words > SHORT and (words - NAME) * len(pattern.findall(text)) - words >= SAVED:
            text = pattern.sub("", text)
            patterns[body] = pattern
    first = {body: min(n for n, line in enumerate(lines) if pattern.search(line)) for body, pattern in patterns.items()}
    named_bodies = dict(zip(sorted(first, key=lambda body: first[body]), letters, strict=False))
    names = {patterns[body]: subordinate(say(f"{key}.name", name=letter))
             for body in patterns if (letter := named_bodies.get(body))}
    for pattern, name in names.items():
        sections = [_substituted(section, partial(pattern.sub, name)) for section in sections]
    return list(sections), names, [Paragraph(sentence(say(f"{key}.meaning", name=letter, meaning=body)))
                                   for body, letter in named_bodies.items()]


def in_parallel(lines: Sequence[TextLine], say: Language) -> tuple[TextLine, ...]:
    """Merge lines that differ in a few words only: `becomes 1/2/3; … One/Two/Three`."""
    rows = [[*_PART.split(line.text), "", str(line.inner)] for line in lines]  # inner lines count as a word
    lines = [replace(line, inner=in_parallel(line.inner, say)) if line.inner else line for line in lines]
    left = dict(enumerate(rows))
    merged: list[TextLine] = []
    for begin, line in enumerate(lines):
        if begin in left:
            numbers, places = _like(left, begin)
            count = len(numbers)
            is_long = count >= OFTEN and (count - 1) * len(line.text.split()) >= MERGED
            is_long = is_long and (len(places) == 1 or not line.inner)
            both = replace(_merged([rows[n] for n in numbers], places, say), inner=line.inner) if is_long else line
            merged.append(both)
            left = {n: row for n, row in left.items() if n > begin and not (is_long and n in numbers)}
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


def _like(rows: Mapping[int, Sequence[str]], begin: int) -> tuple[list[int], tuple[int, ...]]:
    """Return the largest set of lines, `begin` first, that differ only in the same places, and these places."""
    by_places: dict[tuple[int, ...], dict[int, set[tuple[int, str]]]] = {}
    for n, row in rows.items():
        if n > begin and (places := tuple(_differing(rows[begin], row))):
            words = {(place, row[place]) for place in places}
            like = by_places.setdefault(places, {begin: {(place, rows[begin][place]) for place in places}})
            if not any(words & other for other in like.values()):
                like[n] = words
    places = max(by_places, key=lambda places: len(by_places[places]), default=())
    return list(by_places.get(places, {begin: set()})), places


def _differing(first: Sequence[str], other: Sequence[str]) -> list[int]:
    """Return the places of the words in which two lines differ; [] if they differ elsewhere or in too many words."""
    places = [n for n, pair in enumerate(zip(first, other, strict=False)) if pair[0] != pair[1]]
    return places if len(first) == len(other) and len(places) <= MAX_LISTS and all(n % 2 for n in places) else []


def _merged(rows: Sequence[Sequence[str]], places: Sequence[int], say: Language) -> TextLine:
    words = list(rows[0])
    for n in places:
        words[n] = "/".join(row[n] for row in rows)
    return TextLine("".join(words[:-2]) + (f" {sentence(say('in-parallel'))}" if len(places) > 1 else ""))


def _substituted(section: Section, change: Callable[[str], str]) -> Section:
    return section.relisted(lambda lines: tuple(line.rewritten(change) for line in lines))
