"""Lints about texts cut short, and pictures that are not there."""

from pathlib import Path

from zrf_py.author.lint.subject import Subject
from zrf_py.front import syntax
from zrf_py.front.macros import walk
from zrf_py.front.nodes import STRING, Atom, Form
from zrf_py.paths import is_near, parts_of, same_name
from zrf_py.text.numbers import number

_TEXTS = {"title", "description", "history", "strategy", "help"}


def lint_texts(subject: Subject, path: Path | None) -> None:
    """Report texts that a quotation mark cuts short and, given a `path`, pictures that are missing beside it."""
    for form in (form for form in walk(subject.stages.forms) if form.head in _TEXTS):
        _text(subject, form)
    pieces = subject.sections(syntax.Piece)
    if path:
        boards = [item for board in subject.sections(syntax.Board) for item in board.items]
        images = [item for item in boards if isinstance(item, syntax.Image)]
        _missing(subject, [*images, *(image for piece in pieces for image in piece.images)], path.parent)


def _text(subject: Subject, form: Form) -> None:
    """Report a word between the strings of a text: a quotation mark in the text has ended the first string."""
    strings = [at for at, item in enumerate(form.items) if isinstance(item, Atom) and item.kind == STRING]
    for item in form.items[strings[0] : strings[-1]] if strings else ():
        if isinstance(item, Atom) and item.kind != STRING:
            subject.find("broken-text", item.origin, item.text, form.head)
            return


def _missing(subject: Subject, images: list[syntax.Image], folder: Path) -> None:
    """Report pictures that are neither beside the file nor in the folder above; one note counts those whose
    folder is missing as well, such as the pictures of the original program."""
    files = {atom.text: atom for image in images for atom in image.items if atom.kind == STRING and atom.text.strip()}
    missing = [atom for atom in files.values() if not is_near(atom.text, folder)]
    elsewhere = [atom for atom in missing if not same_name(folder, (parts_of(atom.text) or ("?",))[:-1])]
    for atom in missing:
        if atom not in elsewhere:
            subject.find("missing-picture", atom.origin, atom.text)
    if elsewhere:
        subject.find("no-pictures", elsewhere[0].origin, number(len(elsewhere), "picture"), len(files))
