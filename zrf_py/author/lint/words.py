"""Lints about names: macros, arguments, move types, flags."""

import re
from collections.abc import Iterator
from itertools import pairwise

from zrf_py.author.lint.subject import Subject, near, words_of
from zrf_py.front import syntax
from zrf_py.front.goals import instructions
from zrf_py.front.macros import SLOT, walk
from zrf_py.front.nodes import STRING, Atom, Form, Macro
from zrf_py.text.source import Origin
from zrf_py.text.suggest import did_you_mean


def lint_macros(subject: Subject) -> None:
    """Report unused macros of this file, and surplus arguments in calls."""
    macros = dict(subject.stages.expanded.macros)
    words, patterns = _words(subject)
    for macro in macros.values():
        if macro.definition.source is not subject.source or words.get(macro.name, 0) > _own_uses(macro):
            continue
        if not any(pattern.fullmatch(macro.name) for pattern in patterns):
            subject.find("unused-macro", Origin(macro.definition), macro.name)
    _surplus(subject, macros)
    directions = {d for program in subject.stages.programs for d in program.game.symbols.directions}
    for before, loop in (pair for macro in macros.values() for form in _body(macro) for pair in pairwise(form.items)):
        if isinstance(before, Atom) and SLOT.fullmatch(before.text) and isinstance(loop, Form) and loop.head == "while":
            fixed = [item for item in loop.items[2:] if isinstance(item, Atom) and item.text in directions]
            if fixed and before.text not in words_of((loop,)):
                subject.find("fixed-direction", fixed[0].origin, fixed[0].text, before.text)


def _surplus(subject: Subject, macros: dict[str, Macro]) -> None:
    for form in walk(subject.stages.forms):
        macro = macros.get(form.head)
        if macro is None or any(isinstance(item, Form) for item in form.items[1:]):
            continue
        if subject.source is not form.origin.span.source is not macro.definition.source:
            continue
        words = [item for item in form.items[1:] if isinstance(item, Atom)]
        most = _highest_slot(macro, macros, frozenset())
        if len(words) > most and not any(word.text in macros or "$" in word.text for word in words):
            takes = f"uses only {most} argument{'' if most == 1 else 's'}" if most else "takes no arguments"
            subject.find("surplus-argument", words[most].origin, macro.name, takes,
                         related=((macro.definition, "the macro"),))


def _highest_slot(macro: Macro, macros: dict[str, Macro], above: frozenset[str]) -> int:
    """Return the highest `$n` that a macro uses, in its text or through macros that it calls with fewer arguments."""
    most = 0
    for form in _body(macro):
        for item in form.items:
            if isinstance(item, Atom):
                most = max([most, *map(int, SLOT.findall(item.text))])
        callee = macros.get(form.head)
        if callee and callee.name not in above:
            inner = _highest_slot(callee, macros, above | {macro.name})
            most = inner if inner > len(form.items) - 1 and inner > most else most
    return most


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


def _own_uses(macro: Macro) -> int:
    """Count a macro's mentions of its own name, in its `define` and its body."""
    return 1 + sum(isinstance(item, Atom) and item.text == macro.name for form in _body(macro) for item in form.items)


def _body(macro: Macro) -> Iterator[Form]:
    return walk((Form(macro.body, Origin(macro.definition)),))


# ------------------------------------------------------------------------------------------------------------ the tree


def lint_names(subject: Subject, engine: bool) -> None:
    """Report unknown move types and flags never set; `engine`: an engine DLL may have further blocks."""
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
    for atom, label in _tested_types(tree, commands, names, engine):
        if atom.text not in types and atom.text not in directions:
            subject.find("unknown-move-type", atom.origin, atom.text, label=label,
                         help=near(atom, types) if types else "")
    for command in commands:
        if isinstance(command, syntax.If) and not command.then and command.otherwise:
            subject.find("bad-if", command.origin, "nothing stands before this `else`",
                         help="write what happens if the condition holds, or `(if (not …) …)`")
    _flags(subject, commands)
    for last in (block.body[-1] for block in blocks if block.body and isinstance(block.body[-1], syntax.If)):
        ends = [item.word for item in last.then[-2:] if isinstance(item, syntax.Command)]
        if not last.otherwise and ends == ["add", "add"]:
            subject.find("bad-if", last.then[-1].origin, "there is no move where the condition of this `if` fails",
                         help="write `else` before this `add`")
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
        elif isinstance(section, syntax.TurnOrder) and not passed and not engine:
            named = (turn.names[1 + (turn.names[1].text in players) :] for turn in section.turns if turn.names[1:])
            yield from ((names[0], "nobody can move in this turn") for names in named if names)
    for command in commands:
        if not isinstance(command, syntax.Command) or not command.names:
            continue
        if command.word.endswith("partial") and command.names[-1].text not in pieces:
            yield command.names[-1], "no leg can follow"


def _tests(condition: syntax.Condition | None) -> Iterator[syntax.Test]:
    if isinstance(condition, syntax.Test):
        yield condition
    elif isinstance(condition, syntax.Logic):
        for part in condition.parts:
            yield from _tests(part)


def _flags(subject: Subject, commands: list[syntax.Instruction]) -> None:
    setters = {"flag?": "set-flag", "position-flag?": "set-position-flag"}
    by_setter = {word: list(dict.fromkeys(
        c.names[0].text for c in commands if isinstance(c, syntax.Command) and c.word == word and c.names))
        for word in setters.values()}
    for command in commands:
        conditions = command.conditions if isinstance(command, syntax.Verify) else (command.condition,)
        for condition in conditions:
            for test in _tests(condition):
                setter = setters.get(test.word.removeprefix("not-"))
                if setter and test.name and test.name.text not in by_setter[setter]:
                    subject.find("flag-never-set", test.name.origin, test.name.text, setter,
                                 help=near(test.name, by_setter[setter]) if by_setter[setter] else "")
