"""Lints about names and texts: macros, arguments, move types, flags, texts cut short, pictures that are not there."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from zrf_py.author.lint.subject import Subject, words_of
from zrf_py.front import syntax
from zrf_py.front.goals import instructions
from zrf_py.front.keywords import CONDITIONS
from zrf_py.front.macros import SLOT, Sight, tokens_of, walk
from zrf_py.front.nodes import STRING, Atom, Form, Macro, Node
from zrf_py.paths import is_near, parts_of, same_name
from zrf_py.text.numbers import number
from zrf_py.text.source import Origin, Span
from zrf_py.text.suggest import did_you_mean, is_slip, listing, suggest

_TEXTS = {"title", "description", "history", "strategy", "help"}
_ROWS = ("and", "or", "moves", "drops")
"""Forms in which the order of the parts means little."""


def lint_macros(subject: Subject) -> None:
    """Report unused macros of this file, surplus arguments, repetition, loops without parentheses."""
    macros = dict(subject.stages.expanded.macros)
    counts, patterns = _words(subject)
    for macro in macros.values():
        own = sum(isinstance(item, Atom) and item.text == macro.name for form in _body(macro) for item in form.items)
        if macro.definition.source is not subject.source or counts.get(macro.name, 0) > 1 + own:
            continue
        if not any(pattern.fullmatch(macro.name) for pattern in patterns):
            subject.find("unused-macro", Origin(macro.definition), macro.name)
    _surplus(subject, macros)
    for form in walk(subject.stages.forms):
        for item in _repeated(form):
            subject.find("written-twice", item.origin, " ".join(item.origin.span.text.split()))
        words = [item.text for item in form.items[:4] if isinstance(item, Atom)]
        if len(words) == 4 and words[0] == "while" and words[1] in CONDITIONS and words[2] == words[3] != "add":
            subject.find("two-steps", form.origin, words[1], words[2])


def _repeated(form: Form) -> Iterator[Node]:
    """Yield the parts of a form that are written twice, most often because a copy was not changed: parts of an `and` or
    `or`; neighbouring tests or `add`s; neighbouring calls, if the form has different calls of one macro. Two equal
    blocks alone may be intended: they make the original program value a piece more highly."""
    texts = [tokens_of((item,)) for item in form.items] if form.head in _ROWS else []
    words = [item.text if isinstance(item, Atom) else "" for item in form.items]
    heads = [text[1] for text in {tuple(text) for text in texts} if text[0] == "(" and text[2:] != (")",)]
    for at, (before, item) in enumerate(pairwise(form.items), 1):
        if texts and form.head in ("and", "or"):
            again = texts[at] in texts[1:at]
        elif isinstance(item, Form):
            row = len(item.items) > 1 and len({*heads}) < len(heads)
            again = (row or item.head == "verify") and tokens_of((item,)) == tokens_of((before,))
        else:
            again = words[at - 1 : at + 1] == ["add", "add"] and words.count("add") == 2
        if again:
            yield item


def _surplus(subject: Subject, macros: dict[str, Macro]) -> None:
    """Report macros that are called with more arguments than they use."""
    used = {name: max(slots, default=0) for name, slots in Sight(macros).used(frozenset()).items()}
    surplus: dict[str, list[Atom]] = {}
    for form in walk(subject.stages.forms):
        macro = macros.get(form.head)
        if macro is None or any(isinstance(item, Form) for item in form.items[1:]):
            continue
        if subject.source is not form.origin.span.source is not macro.definition.source:
            continue
        words = [item for item in form.items[1:] if isinstance(item, Atom)]
        if len(words) > used[form.head] and not any(word.text in macros or "$" in word.text for word in words):
            surplus.setdefault(form.head, []).append(words[used[form.head]])
    for name, (first, *others) in surplus.items():
        takes = f"uses only {number(used[name], 'argument')}" if used[name] else "takes no arguments"
        also = ((other.origin.span, "nor is this one") for other in others[:3])
        subject.find("surplus-argument", first.origin, name, takes,
                     related=((macros[name].definition, "the macro"), *also))


def _words(subject: Subject) -> tuple[dict[str, int], list[re.Pattern[str]]]:
    """Count each word of the text; also return patterns of the words that `$n` may form."""
    counts: dict[str, int] = {}
    patterns: set[str] = set()
    for form in walk(subject.stages.forms):
        for item in form.items:
            if not isinstance(item, Atom) or item.kind == STRING:
                continue
            counts[item.text] = counts.get(item.text, 0) + 1
            parts = SLOT.split(item.text)
            if len(parts) > 1 and any(parts[::2]):
                patterns.add(".*".join(re.escape(part) for part in parts[::2]))
    return counts, [re.compile(pattern) for pattern in patterns]


def _body(macro: Macro) -> Iterator[Form]:
    return walk((Form(macro.body, Origin(macro.definition)),))


def lint_names(subject: Subject, engine: bool) -> None:
    """Report slips in move types, flags, attributes, `if` and `verify`; `engine`: a DLL may have further blocks."""
    tree = subject.stages.tree
    if tree is None:
        return
    pieces = subject.sections(syntax.Piece)
    items = [item for piece in pieces for code in piece.codes for item in code.items]
    types = list(dict.fromkeys(item.name.text for item in items if isinstance(item, syntax.MoveType)))
    names = {s.name.text for s in pieces if s.name}
    directions = {d for p in subject.stages.programs for d in p.game.symbols.directions}
    blocks = [item for item in items if isinstance(item, syntax.Block)]
    commands = list(instructions((instruction for block in blocks for instruction in block.body), set()))
    tested: dict[str, dict[Span, tuple[Atom, str]]] = {}
    for atom, label in _tested_types(tree, commands, names, engine):
        slip = any(is_slip(atom.text, name) for name in types)
        if atom.text not in types and atom.text not in directions and (label or slip):
            tested.setdefault(atom.text, {}).setdefault(atom.origin.span, (atom, label or "no block has this type"))
    for (atom, label), *others in (places.values() for places in tested.values()):
        related = tuple((other.origin.span, "it is named here, too") for other, _ in others[:3])
        help = did_you_mean(atom.text, types, f"there are {listing(types)}") if types else ""
        subject.find("unknown-move-type", atom.origin, atom.text, label=label, help=help, related=related)
    for command in commands:
        if isinstance(command, syntax.If) and not command.then and command.otherwise:
            subject.find("bad-if", command.origin, "there is nothing before this `else`",
                         help="write what happens if the condition holds, or `(if (not …) …)`")
        if isinstance(command, syntax.Verify) and not command.conditions:
            subject.find("empty-verify", command.origin)
    _flags(subject)
    for last in (block.body[-1] for block in blocks if block.body and isinstance(block.body[-1], syntax.If)):
        adds = [item for item in last.then if isinstance(item, syntax.Command) and item.word == "add"]
        if not last.otherwise and len(adds) == 2 and adds[1] is last.then[-1]:
            subject.find("bad-if", last.then[-1].origin, "if the condition of this `if` fails, there is no move",
                         help="write `else` after the first `add`")
    words = words_of(subject.stages.expanded.nodes, ("attribute", "set-attribute"))
    set_ones = [c.names[0].text for c in commands if isinstance(c, syntax.Command) and c.word == "set-attribute"]
    for name in {item.name.text: item.name for piece in pieces[::-1] for item in piece.attributes}.values():
        if not {name.text, f"not-{name.text}"} & words and name.origin.span.source is subject.source:
            subject.find("unused-attribute", name.origin, name.text, help=did_you_mean(name.text, set_ones, ""))


def _tested_types(
    tree: syntax.FileTree, commands: list[syntax.Instruction], pieces: set[str], engine: bool,
) -> Iterator[tuple[Atom, str]]:
    sections = [section for game in tree.games for section in game.sections]
    players = {name.text for s in sections if isinstance(s, syntax.Names) and s.word == "players" for name in s.names}
    passed = any(isinstance(s, syntax.Option) and s.name == "pass turn" and s.value != "false" for s in sections)
    for section in sections:
        if isinstance(section, syntax.Names) and section.word == "move-priorities":
            yield from ((name, "no move has this type") for name in section.names)
        elif isinstance(section, syntax.TurnOrder) and not engine:
            named = (turn.names[1 + (turn.names[1].text in players) :] for turn in section.turns if turn.names[1:])
            label = "" if passed else "nobody can move in this turn"
            yield from ((names[0], label) for names in named if names)
    for command in commands:
        if not isinstance(command, syntax.Command) or not command.names:
            continue
        if command.word.endswith("partial") and command.names[-1].text not in pieces:
            yield command.names[-1], "no leg can follow"


def _flags(subject: Subject) -> None:
    """Report tests of flags that are never set to true, or never to false: flags keep their values between blocks."""
    for word, table in (("flag", "flags"), ("position-flag", "position_flags")):
        ops = [(getattr(program, table)[op.a], op) for program in subject.stages.programs for op in program.ops
               if op.name in (f"set-{word}", f"{word}?")]
        setting, asking = ([(name, op) for name, op in ops if op.name == kind] for kind in (f"set-{word}", f"{word}?"))
        lowered, raised = ([name for name, op in setting if op.b == value] for value in (0, 1))
        uses = Counter(name for name, _ in {(name, op.origin and op.origin.span.start) for name, op in ops})
        for name, op in asking:
            if word == "flag" and name in raised and name not in lowered:
                subject.find("flag-kept", op.origin, name)
            if name not in raised and op.origin:
                span, help = op.origin.span, did_you_mean(name, raised) if raised else ""
                guess = suggest(name, raised)
                if guess and guess not in dict(asking) and uses[guess] < uses[name]:  # misspelt where the flag is set
                    subject.find("flag-never-set", dict(setting)[guess].origin, name, label=f"`{guess}` is not tested",
                                 help=f"did you mean `{name}`?", related=((span, "tested here"),))
                    continue
                at = span.start + max(span.text.rfind(f" {name})") + 1, 0)  # the start if a macro has `$1` there
                written = Span(span.source, at, at + len(name) if at > span.start else span.end)
                subject.find("flag-never-set", replace(op.origin, span=written), name, f"set-{word}", help=help)


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
        subject.find("no-pictures", elsewhere[0].origin, len(elsewhere), len(files))
