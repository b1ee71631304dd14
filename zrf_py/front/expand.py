"""Macro expansion: forms in, forms without macros out. Each call `(name args…)` is replaced by the macro's body.

Substitution is textual in effect: `$1` may be a whole word, part of a word (`is-$1`) or part of a string; a call
becomes the nodes of the body, none or many; and a macro called with too few arguments uses those of its caller. A
body is therefore expanded in an *environment*: the call's own arguments, followed by the caller's arguments at
higher numbers.

Expanded naively, real files grow up to 300-fold. Expansion is memoised instead: each form of a body is expanded once
per distinct choice of the arguments it can see (itself or through the macros it calls) and shared by identity:

    (define step $1 (verify empty?) add)     (verify empty?)   sees nothing: one object for all calls
    (define leap (step $1) (step $2))        (step $1)         sees $1: the call `(leap n e)` and then
                                                               `(leap n w)` make it once

`macros.py` computes beforehand what each form sees. Exponential macros are refused by arithmetic: the size of a shared
result is known without unfolding it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from zrf_py.front.macros import SLOT, Sight, View, collect, correct_defines, head_word, report_unfilled, walk
from zrf_py.front.nodes import MAX_NESTING, NAME, NUMBER, STRING, Atom, Expanded, Form, Macro, Node
from zrf_py.text.diagnostics import NOBODY_YET, Report
from zrf_py.text.source import Expansion, Origin, Span

MAX_NODES = 1_000_000
"""Maximum number of distinct nodes that expansion may make (the heaviest real files need about 25,000)."""
MAX_SIZE = 20_000_000
"""Maximum number of nodes in the result, counted as if nothing were shared."""
MAX_TOKEN = 256 * 1024
"""Maximum length of one name or string, in characters."""
MAX_PASTED = 64_000_000
"""Maximum number of characters that pasting may make in total."""
MAX_SLOTS = 8
"""Maximum number of argument locations that one pasted token remembers."""

_NUMBER = re.compile(r"[+-]?[0-9]+")

Key: TypeAlias = str | int | None


def expand(forms: Iterable[Node], report: Report) -> Expanded:
    """Return the forms without `define` and macro calls; problems go to `report`.

    After an error the result may lack the forms that could not be expanded.
    """
    forms = correct_defines(tuple(forms), report)
    macros = collect(forms, report)
    return Expander(macros, report).run(forms)


@dataclass(frozen=True, slots=True, eq=False)
class _Env:
    """Arguments of a call (the first is `$1`) and a key for each: arguments with equal keys have equal text."""

    nodes: tuple[Node, ...] = ()
    keys: tuple[Key, ...] = ()

    def restricted(self, sees: Iterable[int]) -> tuple[Key, ...]:
        keys, count = self.keys, len(self.keys)
        return tuple([keys[slot - 1] if 0 < slot <= count else None for slot in sees])

    def get(self, slot: int) -> Node | None:
        return self.nodes[slot - 1] if 0 < slot <= len(self.nodes) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Result:
    """Expanded nodes; `size` counts them as if unshared, `height` is their nesting depth."""

    nodes: tuple[Node, ...] = ()
    size: int = 0
    height: int = 0


_NOTHING = _Result()


class _Abort(Exception):
    """Expansion exceeds a limit; the reason has been reported."""


@dataclass(slots=True, eq=False)
class _Place:
    """Current point of expansion: the environment, the chain of calls, and the depth in forms and calls."""

    env: _Env
    via: Expansion | None
    depth: int


@dataclass(slots=True, eq=False)
class _Building:
    """A list of nodes under construction."""

    nodes: list[Node] = field(default_factory=list)
    size: int = 0
    height: int = 0

    def add(self, result: _Result) -> None:
        self.size += result.size
        self.height = max(self.height, result.height)
        if self.size > MAX_SIZE:
            raise OverflowError
        self.nodes.extend(result.nodes)

    def add_atom(self, atom: Atom) -> None:
        self.size += 1
        self.nodes.append(atom)


class Expander:
    """Memoising macro expander: it neither expands a known form again nor repeats its problems; see `begin`, `anew`."""

    def __init__(self, macros: Mapping[str, Macro], report: Report, before: Sight | None = None) -> None:
        """:param before: the `Sight` of an expander for some of the same macros, to reuse."""
        self.macros = macros
        self.report = report
        self.sight = Sight(macros, before)
        self.forms: dict[tuple[Form, tuple[Key, ...]], _Result] = {}
        self.results: dict[tuple[str, tuple[Key, ...]], _Result] = {}
        self.stamped: dict[Atom, Atom] = {}
        self.measures: dict[Form, tuple[int, int]] = {}
        self.interned: dict[tuple[Key, ...], int] = {}
        self.form_keys: dict[Form, int] = {}
        self.active: set[tuple[str, tuple[Key, ...]]] = set()
        self.entered: Counter[str] = Counter()
        self.blamed: set[str] = set()
        self.node_count = 0
        self.pasted = 0

    def run(self, forms: tuple[Node, ...]) -> Expanded:
        place = _Place(_Env(), None, 0)
        for node in forms:
            if isinstance(node, Form):
                self.sight.view(node)
        try:
            out = self.sequence(forms, place)
        except _Abort:
            return Expanded((), self.macros, 0)
        for node in out.nodes:
            self.check_filled(node)
        return Expanded(tuple(out.nodes), self.macros, out.size)

    def begin(self, report: Report) -> None:
        """Prepare for the forms of another text with the same macros."""
        self.report = report
        for cache_set in (self.active, self.entered, self.blamed):
            cache_set.clear()
        self.node_count = self.pasted = 0

    def anew(self, macros: Mapping[str, Macro], report: Report, owners: Callable[[Form], str | None]) -> Expander:
        """Return an expander for other macros that keeps every cached result the change can't affect.

        `owners` returns the name of the macro that contains a form, "" for forms in no macro, None for deleted forms.
        """
        new = Expander(macros, report, self.sight)
        changed = {name for name in {*macros, *self.macros} if macros.get(name) is not self.macros.get(name)}
        touched = self.sight.callers(changed) | new.sight.callers(changed)
        touched |= {name for name in macros if self.sight.macro.get(name) != new.sight.macro[name]}
        new.forms = {key: result for key, result in self.forms.items()
                     if (owner := owners(key[0])) is not None and owner not in touched
                     and (owner or not (changed and new.sight.reaches(key[0], touched)))}
        new.results = {key: old for key, old in self.results.items() if key[0] in macros and key[0] not in touched}
        new.stamped, new.measures, new.interned, new.form_keys = (
            self.stamped, self.measures, self.interned, self.form_keys)
        return new

    # --- nodes ---

    def sequence(self, nodes: tuple[Node, ...], place: _Place) -> _Building:
        """Expand nodes one after the other and return the results in one list."""
        out = _Building()
        try:
            for node in nodes:
                if isinstance(node, Atom):
                    self.atom(node, place, out)
                else:
                    out.add(self.form(node, place))
        except OverflowError:
            self.abort("expansion-too-large", f"the rules expand to more than {MAX_SIZE:,} words and forms", place)
        self.node_count += len(out.nodes)
        if self.node_count > MAX_NODES:
            self.abort("expansion-too-large", f"macro expansion creates more than {MAX_NODES:,} forms and words", place)
        return out

    def form(self, form: Form, place: _Place) -> _Result:
        """Expand a form: to itself if nothing changes, to a new form, to a macro's body, or (`define`) to nothing."""
        view = self.sight.view(form)
        if place.via is None and view.plain:
            return self.untouched(form, view)
        key = (form, place.env.restricted(view.sees))
        result = self.forms.get(key)
        if result is None:
            result = self.forms[key] = self.build(form, place)
        if place.depth + result.height > MAX_NESTING:
            self.too_deep(place)
        return result

    def untouched(self, form: Form, view: View) -> _Result:
        self.measures[form] = (view.size, view.height)
        for inner in walk((form,)):
            for item in inner.items:
                self.check_filled(item)
        return _Result((form,), view.size, view.height)

    def build(self, form: Form, place: _Place) -> _Result:
        head = head_word(form.items)
        if head == "define":
            return _NOTHING
        if place.depth >= MAX_NESTING:
            self.too_deep(place)
        inner = _Place(place.env, place.via, place.depth + 1)
        out = self.sequence(form.items, inner)
        if head in self.macros or (self.sight.head_varies(form) and head_word(out.nodes) in self.macros):
            return self.call(form, out.nodes, inner)
        for node in out.nodes:
            self.check_filled(node)
        origin = form.origin if place.via is None else Origin(form.origin.span, place.via)
        expanded = Form(tuple(out.nodes), origin)
        self.measures[expanded] = (out.size + 1, out.height + 1)
        return _Result((expanded,), out.size + 1, out.height + 1)

    # --- calls ---

    def call(self, form: Form, items: list[Node], place: _Place) -> _Result:
        """Expand the body of the macro named by the first item; the other items are its arguments."""
        macro = self.macros[head_word(items)]
        if len(items) != len(form.items):
            self.check_spliced(form, macro, len(items) - 1, place)
        env = self.environment(items[1:], place.env)
        key = (macro.name, env.restricted(sorted(self.sight.macro[macro.name])))
        result = self.results.get(key)
        if result is None:
            if self.endless(key, form, place):
                return _NOTHING
            self.active.add(key)
            self.entered[macro.name] += 1
            via = Expansion(macro.name, macro.definition, form.origin.span, place.via)
            out = self.sequence(macro.body, _Place(env, via, place.depth + 1))
            self.active.remove(key)
            self.entered[macro.name] -= 1
            result = self.results[key] = _Result(tuple(out.nodes), out.size, out.height)
        return result

    def environment(self, arguments: list[Node], caller: _Env) -> _Env:
        count = len(arguments)
        keys = tuple([self.key(node) for node in arguments])
        return _Env((*arguments, *caller.nodes[count:]), keys + caller.keys[count:])

    def key(self, node: Node) -> Key:
        """Return a key that is equal exactly for nodes with the same text (hash consing)."""
        if isinstance(node, Atom):
            return node.kind[1] + node.text
        todo = [node]
        while todo:
            form = todo[-1]
            missing = [item for item in form.items if isinstance(item, Form) and item not in self.form_keys]
            if missing:
                todo.extend(missing)
                continue
            text = tuple(self.form_keys[i] if isinstance(i, Form) else i.kind[1] + i.text for i in form.items)
            self.form_keys[todo.pop()] = self.interned.setdefault(text, len(self.interned))
        return self.form_keys[node]

    def endless(self, key: tuple[str, tuple[Key, ...]], form: Form, place: _Place) -> bool:
        """Report a call that recurses without end, and return True for it.

        Recursion by a name in the text is always endless; recursion by a computed name only with the same arguments.
        """
        name = key[0]
        again = key in self.active or (self.entered[name] > 0 and self.sight.recursive(name))
        if again:
            self.recursive(name, Origin(form.origin.span, place.via))
        return again

    def recursive(self, name: str, origin: Origin) -> None:
        """Report an endlessly recursive macro, once per name."""
        if name not in self.blamed:
            self.blamed.add(name)
            self.report.add("recursive-macro", f"macro `{name}` calls itself endlessly", origin)

    # --- atoms ---

    def atom(self, atom: Atom, place: _Place, out: _Building) -> None:
        template = self.sight.template(atom)
        if template is None:
            out.add_atom(self.stamp(atom, place.via))
        elif len(template) == 1 and atom.kind != STRING:
            self.whole(atom, template[0], place, out)
        else:
            out.add_atom(self.paste(atom, template, place))

    def stamp(self, atom: Atom, via: Expansion | None) -> Atom:
        """Return the copy of an unchanged token that all expansions share, with the call chain of the first one."""
        if via is None:
            return atom
        copy = self.stamped.get(atom)
        if copy is None:
            copy = self.stamped[atom] = Atom(atom.kind, atom.text, Origin(atom.origin.span, via))
        return copy

    def whole(self, atom: Atom, slot: str | int, place: _Place, out: _Building) -> None:
        """Replace a token that consists of `$n` alone by the argument."""
        node = place.env.get(slot) if isinstance(slot, int) else None
        if node is None:
            out.add_atom(Atom(atom.kind, atom.text, Origin(atom.origin.span, place.via)))
        elif isinstance(node, Form):
            out.add(_Result((node,), *self.measures[node]))
        else:
            origin = node.origin
            slots = (*origin.slots, atom.origin.span)
            out.add_atom(Atom(node.kind, node.text, Origin(origin.span, origin.via, slots)))

    def paste(self, atom: Atom, template: tuple[str | int, ...], place: _Place) -> Atom:
        """Replace each `$n` within a token by the argument's text."""
        parts: list[str] = []
        slots: list[Span] = []
        for part in template:
            if isinstance(part, str):
                parts.append(part)
                continue
            node = place.env.get(part)
            if isinstance(node, Atom):
                parts.append(node.text)
                slots.append(node.origin.span)
            else:
                parts.append(f"${part}")
                if node is not None:
                    self.report.add("list-in-name", f"`{atom.text}` needs a word as the argument `${part}`, not a list",
                                    Origin(atom.origin.span, place.via, (node.origin.span,)))
        if sum(map(len, parts)) > MAX_TOKEN:
            parts = [" " * (MAX_TOKEN + 1)]
        text = self.checked("".join(parts), place)
        kind = atom.kind if atom.kind == STRING else NUMBER if _NUMBER.fullmatch(text) else NAME
        return Atom(kind, text, Origin(atom.origin.span, place.via, tuple(slots[:MAX_SLOTS])))

    def checked(self, text: str, place: _Place) -> str:
        self.pasted += len(text)
        if len(text) > MAX_TOKEN:
            self.abort("expansion-too-large", f"a word or string expands to more than {MAX_TOKEN:,} characters", place)
        if self.pasted > MAX_PASTED:
            self.abort("expansion-too-large", f"assembled words exceed {MAX_PASTED:,} characters in total", place)
        return text

    # --- problems ---

    def check_spliced(self, form: Form, macro: Macro, arguments: int, place: _Place) -> None:
        """Warn about a call among the arguments that does not expand to exactly one node.

        The last argument may expand to several nodes if the macro uses them all; that is intentional.
        """
        for at, item in enumerate(form.items[1:], 1):
            if not isinstance(item, Form) or len(nodes := self.form(item, place).nodes) == 1:
                continue
            if nodes and at == len(form.items) - 1 and arguments <= max(self.sight.macro[macro.name], default=0):
                return
            self.report.add(
                "spliced-argument", f"`({head_word(item.items)} …)` becomes {len(nodes)} arguments of `{macro.name}`",
                Origin(item.origin.span, place.via),
                label=f"this becomes `${at}` and later arguments" if nodes else "it expands to nothing",
                help=f"pass only its name as the argument, and write `(${at})` in the macro",
                severity="warning")
            return

    def check_filled(self, node: Node) -> None:
        """Report a `$n` for which no enclosing call has an argument. (Not in strings, where it may be a price.)"""
        slot = None if isinstance(node, Form) or node.kind == STRING else SLOT.search(node.text)
        if slot is None:
            return
        part, self.report.part = self.report.part, NOBODY_YET
        report_unfilled(slot, node.origin, self.report)
        self.report.part = part

    def too_deep(self, place: _Place) -> NoReturn:
        if place.via and self.entered[place.via.macro] > 2:
            self.recursive(place.via.macro, Origin(place.via.call, place.via.parent))
            raise _Abort
        self.abort("too-deep", f"macro calls and forms nest more than {MAX_NESTING} levels deep", place)

    def abort(self, code: str, message: str, place: _Place) -> NoReturn:
        via = place.via
        origin, label = (Origin(via.call, via.parent), f"while expanding macro `{via.macro}`") if via else (None, "")
        self.report.add(code, message, origin, label=label, help="nest fewer macro calls")
        raise _Abort
