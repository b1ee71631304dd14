"""Lints about rows of calls of one macro: a call that was left out, repeated or not changed when copying another."""

from collections import Counter
from collections.abc import Collection

from zrf_py.author.lint.subject import Subject
from zrf_py.author.words.compass import SECTORS, Compass
from zrf_py.front.macros import walk
from zrf_py.front.nodes import Form
from zrf_py.ir.ops import Program
from zrf_py.text.grouping import by_key
from zrf_py.text.source import Origin

Call = tuple[str, ...]
"""The words of a call; "" stands for a form."""


def lint_rows(subject: Subject) -> None:
    """Report slips in rows of calls of one macro: one or two calls lack their mirror images (left for right), one call
    is written twice, or all calls but one have the same word in one place. A call needs no image that would name the
    same directions; forward and backward need none, as many rows only go forward."""
    mirrors = _mirrors(subject.stages.programs)
    directions = {name for program in subject.stages.programs for name in program.game.board.directions}
    for form in (form for form in walk(subject.stages.forms) if form.origin.span.source is subject.source):
        calls = [item for item in form.items if isinstance(item, Form) and item.head in subject.stages.expanded.macros]
        words = (tuple("" if isinstance(part, Form) else part.text for part in call.items) for call in calls)
        rows = by_key((call.head, (texts, call.origin)) for call, texts in zip(calls, words, strict=True))
        for row in rows.values():
            if mirrors and all(word in mirrors[0] for words, _ in row for word in words[1:]):
                _one_sided(subject, row, *mirrors)
            _odd(subject, row, directions)


def _mirrors(programs: tuple[Program, ...]) -> tuple[dict[str, str], ...]:
    """Return the directions that are mirror images, left for right and up for down; empty if a game of the file has
    players who face each other sideways or along a diagonal."""
    pairs: tuple[dict[str, str], ...] = ()
    for program in reversed(programs):  # in reverse, so that the result has the names of the first program
        compass, board = Compass(program.game), program.game.board
        numbers = {word: d for d, word in enumerate(compass.word) if word and compass.word.count(word) == 1}
        across, along = ({d: numbers[to] for word, d in numbers.items()
                          if (to := SECTORS[turn - SECTORS.index(word)]) in numbers} for turn in (4, 0))
        pairs = tuple({board.directions[d]: board.directions[image] for d, image in swaps.items()}
                      for swaps in (across, along))
        turned = {tuple(table[d] for d in across) for table in board.symmetry}
        mirrored = {tuple(across.get(table[image]) for image in across.values()) for table in board.symmetry}
        if mirrored != turned or (not compass.facing and any(row != board.symmetry[0] for row in board.symmetry)):
            return ()
    return pairs


def _one_sided(subject: Subject, row: list[tuple[Call, Origin]], across: dict[str, str], along: dict[str, str]) -> None:
    """Report the only call that lacks its mirror image; if two calls lack theirs, report the one that seems wrong."""
    texts = [words for words, _ in row]
    images = {text: (text[0], *(across[word] for word in text[1:])) for text in texts}
    have = {_unordered(text) for text in texts}
    lacking = [(text, image) for text, image in images.items()
               if _unordered(image) not in have and sorted(text) != sorted(image)]
    again = next((at for at, other in enumerate(texts) if other in texts[:at]), None)
    if len(images) > 2 and len(lacking) == 1:
        (text, image), = lacking
        subject.find("one-sided", row[texts.index(text) if again is None else again][1], " ".join(text),
                     " ".join(image), help="" if again is None else f"write `({' '.join(image)})`")
    elif len(lacking) == 2 and len(images) > 3 and again is None:
        (first, need), (second, other) = lacking
        turned = {(text[0], *(along.get(word, "") for word in text[1:])) for text in texts}
        wrong, meant = (second, need) if need in turned or other not in turned else (first, other)
        at, beside = (row[texts.index(text)][1] for text in (wrong, first if wrong == second else second))
        subject.find("one-sided", at, " ".join(wrong), "", help=f"write `({' '.join(meant)})`",
                     related=((beside.span, "nor has this one"),))


def _unordered(call: Call) -> tuple[str, ...]:
    """Return a call with its arguments after the first one sorted, since their order may not matter."""
    return (*call[:2], *sorted(call[2:]))


def _odd(subject: Subject, row: list[tuple[Call, Origin]], directions: Collection[str]) -> None:
    """Report the only call that is written twice, and the only one whose word in some place differs from all others."""
    counts = Counter(words for words, _ in row if "" not in words)
    if len(row) > 3 and sorted(counts.values())[-2:] == [1, 2] and not subject.has("one-sided"):
        words, origin = next(call for call in reversed(row) if counts[call[0]] == 2)
        subject.find("written-twice", origin, f"({' '.join(words)})")
    for column in zip(*(words[1:] for words, _ in row), strict=False) if len(row) > 3 else ():
        (usual, many), (odd, few) = (*Counter(column).most_common(2), ("", 0))[:2]
        if many == len(row) - 1 and few == 1 and usual and odd and not {usual, odd} & {*directions}:
            words, origin = row[column.index(odd)]
            subject.find("odd-call", origin, " ".join(words), odd, usual)
