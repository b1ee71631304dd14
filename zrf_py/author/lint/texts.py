"""Lints about texts cut short, and pictures that are not there."""

from collections import defaultdict
from pathlib import Path

from zrf_py.author.lint.subject import Subject
from zrf_py.front import syntax
from zrf_py.front.macros import SLOT, walk
from zrf_py.front.nodes import NAME, STRING, Atom, Form
from zrf_py.ir.ops import Program
from zrf_py.paths import is_near, parts_of, same_name
from zrf_py.text.numbers import number

_TEXTS = {"title", "description", "history", "strategy", "help"}


def lint_texts(subject: Subject, path: Path | None) -> None:
    """Report broken texts, pictures without a player, players without a picture, and files missing beside `path`."""
    for form in (form for form in walk(subject.stages.forms) if form.head in _TEXTS):
        _text(subject, form)
    pieces = subject.sections(syntax.Piece)
    for image in (image for piece in pieces for image in piece.images):
        if len(image.items) > 1 and all(atom.kind == STRING for atom in image.items):
            subject.find("picture-of-all", image.origin)
    for program in subject.stages.programs:
        _owners(subject, program)
        for piece in (piece for piece in program.game.pieces if piece.origin and piece.origin.via):
            if unfilled := SLOT.search(piece.help + piece.description):
                subject.find("unfilled-text", piece.origin.call if piece.origin else None, unfilled[0])
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


def _owners(subject: Subject, program: Program) -> None:
    """Report a piece type that has pictures for some, but not all, of the players who begin with such a piece."""
    game = program.game
    owners: dict[int, set[str]] = defaultdict(set)
    for player, kind, _ in (*game.setup, *game.stores):
        if game.players[player].kind == "player":
            owners[kind].add(game.players[player].name)
    for kind, piece in enumerate(game.pieces):
        without = sorted(owners[kind] - set(piece.images))
        if piece.images and without and not piece.images.get(""):
            named = {p.name for other in subject.stages.programs for p in other.game.players}
            trees = (tree for tree in subject.sections(syntax.Piece) if tree.origin is piece.origin)
            words = (atom for tree in trees for image in tree.images for atom in image.items if atom.kind == NAME)
            stray = next((word for word in words if word.text not in named), None)
            subject.find("picture-of-some", stray.origin if stray else piece.origin, piece.name, without[0],
                         help=f"`{stray.text}` is not a player: write `{without[0]}`" if stray else "")
