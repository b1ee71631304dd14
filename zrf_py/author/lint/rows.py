"""Lints about rows of calls of one macro that differ in their directions: the one that a copy left out or repeated."""

from collections import defaultdict

from zrf_py.author.lint.subject import Subject
from zrf_py.author.words.compass import Compass
from zrf_py.front.macros import walk
from zrf_py.front.nodes import Form
from zrf_py.text.source import Origin


def lint_rows(subject: Subject) -> None:
    """Report rows of at least three calls in which all but one have their mirror image, left for right. (Pieces that
    only go forward are usual, one-sided ones are not.) Games whose players face each other sideways are left out."""
    game = subject.stages.programs[0].game
    compass = Compass(game)
    names = {word: name for word, name in zip(compass.word, game.board.directions, strict=True)
             if word and compass.word.count(word) == 1}
    mirror = {name: names.get("-".join({"left": "right", "right": "left"}.get(part, part) for part in word.split("-")))
              for word, name in names.items()}
    if not compass.facing and any(row != game.board.symmetry[0] for row in game.board.symmetry):
        return
    for form in (form for form in walk(subject.stages.forms) if form.origin.span.source is subject.source):
        rows: dict[str, list[tuple[tuple[str, ...], Origin]]] = defaultdict(list)
        for call in (item for item in form.items if isinstance(item, Form)):
            words = tuple("" if isinstance(part, Form) else part.text for part in call.items)
            if call.head in subject.stages.expanded.macros and all(map(mirror.get, words[1:])):
                rows[call.head].append((words, call.origin))
        for row in rows.values():
            texts = [words for words, _ in row]
            images = [(text[0], *(str(mirror[word]) for word in text[1:])) for text in texts]
            lacking = {text: image for text, image in zip(texts, images, strict=True) if image not in texts}
            if len(set(texts)) > 2 and len(lacking) == 1:
                (text, image), = lacking.items()
                again = next((at for at, other in enumerate(texts) if other in texts[:at]), None)
                subject.find("one-sided", row[texts.index(text) if again is None else again][1], " ".join(text),
                             " ".join(image), help="" if again is None else f"write `({' '.join(image)})`")
