"""Lints about rows of calls of one macro that differ in their directions: the one that a copy left out or repeated."""

from collections import defaultdict

from zrf_py.author.lint.subject import Subject
from zrf_py.author.words.compass import SECTORS, Compass
from zrf_py.front.macros import walk
from zrf_py.front.nodes import Form
from zrf_py.text.source import Origin


def lint_rows(subject: Subject) -> None:
    """Report rows of at least three calls in which all but one have their mirror image, left for right. (Pieces that
    only go forward are usual, one-sided ones are not.) Games with players who face each other sideways or along a
    diagonal are left out. A call that names the same directions as its mirror image needs no counterpart."""
    for program in reversed(subject.stages.programs):  # the first one last: its names are used below
        compass, board = Compass(program.game), program.game.board
        numbers = {word: d for d, word in enumerate(compass.word) if word and compass.word.count(word) == 1}
        swaps = {d: numbers[to] for word, d in numbers.items() if (to := SECTORS[4 - SECTORS.index(word)]) in numbers}
        mirror = {board.directions[d]: board.directions[image] for d, image in swaps.items()}
        turned = {tuple(table[d] for d in swaps) for table in board.symmetry}
        mirrored = {tuple(swaps.get(table[image]) for image in swaps.values()) for table in board.symmetry}
        if mirrored != turned or (not compass.facing and any(row != board.symmetry[0] for row in board.symmetry)):
            return
    for form in (form for form in walk(subject.stages.forms) if form.origin.span.source is subject.source):
        rows: dict[str, list[tuple[tuple[str, ...], Origin]]] = defaultdict(list)
        for call in (item for item in form.items if isinstance(item, Form)):
            words = tuple("" if isinstance(part, Form) else part.text for part in call.items)
            if call.head in subject.stages.expanded.macros and all(map(mirror.get, words[1:])):
                rows[call.head].append((words, call.origin))
        for row in rows.values():
            texts = [words for words, _ in row]
            images = {text: (text[0], *(mirror[word] for word in text[1:])) for text in texts}
            lacking = [pair for pair in images.items() if pair[1] not in images and sorted(pair[0]) != sorted(pair[1])]
            if len(images) > 2 and len(lacking) == 1:
                (text, image), = lacking
                again = next((at for at, other in enumerate(texts) if other in texts[:at]), None)
                subject.find("one-sided", row[texts.index(text) if again is None else again][1], " ".join(text),
                             " ".join(image), help="" if again is None else f"write `({' '.join(image)})`")
