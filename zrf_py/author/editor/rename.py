"""Renaming: the edits that rename a name everywhere, if that can't change the meaning of the rules."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.cursor import cursor_at
from zrf_py.author.editor.names import Names, Occurrence, names_of
from zrf_py.data import data_file
from zrf_py.front.macros import KEPT, walk
from zrf_py.front.nodes import STRING, Atom, Form
from zrf_py.library import STANDARD
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.source import Span

_NAME = re.compile(r"[^\s()\";$]+")
_NUMBER = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of a part of a file."""

    span: Span
    text: str


def definitions(analysis: Analysis, offset: int) -> list[Span]:
    """Return the places that define the name at an offset."""
    names = names_of(analysis)
    places: list[Span] = []
    for target in names.at(analysis.source, offset):
        if target.kind == kinds.MACRO and target.name in analysis.macros:
            definition = analysis.macros[target.name].definition  # if several macros have this name: the one in effect
            places += [o.span for o in names.of(target.key) if o.defines and o.span.source is definition.source
                       and definition.start <= o.span.start < definition.end][:1]
        else:
            places += [o.span for o in names.of(target.key) if o.defines] or _labels(analysis, target)
    return list(dict.fromkeys(places))


def _labels(analysis: Analysis, target: Occurrence) -> list[Span]:
    """Return the labels that define a position of a grid."""
    if target.kind != kinds.POSITION:
        return []
    return [item.origin.span for form in walk(analysis.stages.forms) if form.head == "dimensions"
            for part in form.items if isinstance(part, Form) and part.items
            for item in part.items[:1] if isinstance(item, Atom) and item.kind == STRING
            and any(label and label in target.name for label in item.text.split("/"))]


def references(
    analysis: Analysis, offset: int, definition_too: bool = True, others: Iterable[Analysis] = (),
) -> list[Span]:
    """Return the occurrences of the name at an offset, in this file, its includes, and `others` that share them."""
    names = names_of(analysis)
    places = [o.span for target in names.at(analysis.source, offset) for o in names.of(target.key)
              if definition_too or not o.defines]
    for other, span in _shared(places, others):
        places += references(other, span.start, definition_too)
    return list(dict.fromkeys(places))


def _shared(spans: list[Span], others: Iterable[Analysis]) -> Iterator[tuple[Analysis, Span]]:
    """Yield (analysis, span) for each other game that reads a file of these spans, with the first span in that file."""
    places = list(spans)
    for other in others:
        span = next((span for span in places if span.source in other.files), None)
        if span is not None:
            yield other.of(span.source), span


def renamable(analysis: Analysis, offset: int) -> Span:
    """Return the place of the name at an offset, if it can be renamed.

    :raises ZrfError: with the reason, if it can't be.
    """
    return _target(analysis, offset)[1]


def rename(analysis: Analysis, offset: int, new: str, others: Iterable[Analysis] = ()) -> list[Edit]:
    """Return the edits that rename the name at an offset, in this file, its includes, and `others` that share them.

    :raises ZrfError: with the reason, if it can't be renamed, or not to `new`.
    """
    target, _ = _target(analysis, offset)
    names = names_of(analysis)
    if new == target.name:
        return []
    if not _NAME.fullmatch(new) or (_NUMBER.fullmatch(new) and target.kind != kinds.POSITION):
        _refuse(f"`{new}` can't be a name", "names consist of letters, digits and `-`, `_`, `?`, `!`, `+`")
    _check_free(analysis, target, new)
    edits = [Edit(span, new) for span in _places(analysis, names, target)]
    for other, span in _shared([edit.span for edit in edits], others):
        edits += rename(other, span.start, new)
    return list(dict.fromkeys(edits))


def _target(analysis: Analysis, offset: int) -> tuple[Occurrence, Span]:
    occurrences = names_of(analysis).at(analysis.source, offset)
    if not occurrences:
        word = cursor_at(analysis.source, offset).word
        _refuse(f"`{word}` is a keyword, or not a name" if word else "there is no name here",
                "put the cursor on a name that the rules define")
    if analysis.errors:
        _refuse("the rules have errors, so not every occurrence of a name is known", "fix the errors first")
    keys = {o.key for o in occurrences}
    if len(keys) > 1:
        _refuse(f"this word has several meanings here: {', '.join(sorted({k.replace('-', ' ') for k, _ in keys}))}",
                "rename each meaning at a place where the word has only that one")
    target = occurrences[0]
    every = names_of(analysis).of(target.key)
    if any(o.pasted for o in every):
        pasted = next(o for o in every if o.pasted)
        _refuse(f"`{target.name}` is assembled by a macro ({pasted.span})", "rename its parts by hand")
    if not any(o.defines for o in every):
        _refuse(f"`{target.name}` is composed of labels of a grid" if target.kind == kinds.POSITION
                else f"`{target.name}` is not defined", "change the labels of the board")
    for source in {o.span.source for o in every} - {analysis.root}:
        if _is_bundled(Path(source.name), analysis.path):
            _refuse(f"`{target.name}` is also a name in `{Path(source.name).name}`, which comes with zrf_py",
                    "copy what you need of that file to your rules, and rename it there")
    return target, target.span


def _is_bundled(file: Path, game: Path | None) -> bool:
    """Return whether a file comes with zrf_py in a folder that the game is not in."""
    return any(file.resolve().is_relative_to(folder) and not (game and game.resolve().is_relative_to(folder))
               for folder in (STANDARD, data_file("rules").resolve()))


def _check_free(analysis: Analysis, target: Occurrence, new: str) -> None:
    """Raise a `ZrfError` if the new name is taken, or is a macro or a word of the language."""
    if new in analysis.macros or (target.kind == kinds.MACRO and new in KEPT):
        _refuse(f"there is a macro `{new}`", "choose another name")
    if new in analysis.keywords:
        _refuse(f"`{new}` is a keyword", "choose another name")
    same_name = analysis.known.kinds(new)
    if target.kind == kinds.MACRO:
        words = {i.text for f in walk(analysis.stages.forms) for i in f.items[:1] if isinstance(i, Atom)}
        if new in words:
            _refuse(f"`{new}` begins a form elsewhere, which would become a macro call", "choose another name")
    elif same_name:
        _refuse(f"there is a {same_name[0].replace('-', ' ')} `{new}`", "choose another name")


def _places(analysis: Analysis, names: Names, target: Occurrence) -> list[Span]:
    spans = [o.span for o in names.of(target.key)]
    for span in spans:
        if span.text != target.name:
            _refuse(f"`{target.name}` is written `{span.text}` at {span}", "rename it by hand")
    for form in walk(analysis.stages.forms):
        for item in form.items if form.head != "translate" else ():
            if isinstance(item, Atom) and item.kind != STRING and item.text == target.name \
                    and target.kind != kinds.MACRO and not names.at(item.origin.span.source, item.origin.span.start):
                _refuse(f"the meaning of `{target.name}` at {item.origin.span} is ambiguous", "rename it by hand")
    pairs = (pair for form in analysis.stages.forms if isinstance(form, Form) and form.head == "translate"
             for pair in form.items if isinstance(pair, Form))
    firsts = [item for pair in pairs for item in pair.items[:1] if isinstance(item, Atom) and item.kind == STRING]
    translated = [Span(item.origin.span.source, item.origin.span.start + 1, item.origin.span.end - 1)
                  for item in firsts if item.text == target.name]
    return list(dict.fromkeys([*spans, *translated]))


def _refuse(message: str, help: str) -> NoReturn:
    raise ZrfError([Diagnostic("cant-rename", message, None, help=help)])
