"""Static analysis of macros before expansion: collects definitions and computes which arguments each form can see.

A form *sees* the numbers n of all `$n` that can affect its expansion: those written in it, and those that a macro
called in it uses beyond the arguments of that call. A form whose head is computed may turn out to be any call, so it
is assumed to see all.

    (define step $1 $2)       sees 1 and 2
    (define leap (step n))    sees 2: the call gives `$1`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from zrf_py.front.model import steps_from
from zrf_py.front.nodes import NAME, STRING, Atom, Form, Macro, Node
from zrf_py.text.diagnostics import Report
from zrf_py.text.numbers import number
from zrf_py.text.source import Origin
from zrf_py.text.suggest import suggest

KEPT = frozenset({"define", "include", "version", "translate", "game", "variant"})
"""Names that no macro may have: the keywords of the forms at the top level of a file."""

SLOT = re.compile(r"\$([0-9]{1,6})")

Template: TypeAlias = tuple[str | int, ...] | None
"""A token split at its `$n`: text and numbers in order; None for a token without `$n`."""


def collect(forms: tuple[Node, ...], report: Report) -> dict[str, Macro]:
    """Return all macros by name, at any depth; a later definition overrides an earlier one."""
    macros: dict[str, Macro] = {}
    for form in walk(forms):
        if form.head != "define":
            continue
        name = form.items[1] if len(form.items) > 1 else None
        if not isinstance(name, Atom) or name.kind == STRING or "$" in name.text:
            report.add("bad-define", "`define` needs a name", name.origin if name else form.origin)
            continue
        if name.text in KEPT:
            report.add("keyword-redefined", f"`{name.text}` can't be the name of a macro", name.origin)
            continue
        macro = Macro(name.text, form.items[2:], form.origin.span)
        earlier = macros.get(name.text)
        if earlier and tokens_of(earlier.body) != tokens_of(macro.body):
            report.add("defined-twice", f"macro `{name.text}` is defined twice; this definition is used", name.origin,
                       severity="warning", related=[(earlier.definition, "this one is not used")])
        macros[name.text] = macro
    return macros


def correct_defines(forms: tuple[Node, ...], report: Report) -> tuple[Node, ...]:
    """Return the forms with misspelt `define`s corrected: the error is reported once, not at each call."""
    defines = (form.items for form in forms if isinstance(form, Form) and form.head == "define")
    words = KEPT | {name.text for items in defines for name in items[1:2] if isinstance(name, Atom)}
    corrected = list(forms)
    for i, form in enumerate(forms):
        if isinstance(form, Form) and len(form.items) > 2 and form.head not in words \
                and suggest(form.head, (*KEPT, *words)) == "define":
            head = form.items[0]
            report.add("unknown-section", f"`{form.head}` is not allowed at the top level of a file", head.origin,
                       help="did you mean `define`?")
            corrected[i] = Form((Atom(NAME, "define", head.origin), *form.items[1:]), form.origin)
    return tuple(corrected)


def walk(forms: tuple[Node, ...]) -> Iterator[Form]:
    """Yield all forms at all depths, in the order of the text (preorder)."""
    todo: list[Node] = list(reversed(forms))
    while todo:
        node = todo.pop()
        if isinstance(node, Form):
            yield node
            todo.extend(reversed(node.items))


def tokens_of(body: tuple[Node, ...]) -> list[str]:
    """Return the tokens of a body without blanks and comments, to compare bodies."""
    texts = []
    todo: list[Node | None] = list(reversed(body))
    while todo:
        node = todo.pop()
        if node is None:
            texts.append(")")
        elif isinstance(node, Atom):
            texts.append(node.kind + node.text)
        else:
            texts.append("(")
            todo.append(None)
            todo.extend(reversed(node.items))
    return texts


def _cut(text: str) -> Template:
    if "$" not in text:
        return None
    parts = SLOT.split(text)
    if len(parts) == 1:
        return None
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts) if part)


def head_word(items: Sequence[Node]) -> str:
    """Return the first word, or ""; unlike `Form.head` it may be a number, for macros with names such as `10`."""
    first = items[0] if items else None
    return first.text if isinstance(first, Atom) and first.kind != STRING else ""


@dataclass(frozen=True, slots=True)
class View:
    """Analysis of a form in the text: the arguments it sees, and `plain` if expansion leaves it unchanged.

    `size` (in nodes) and `height` are valid for plain forms only.
    """

    sees: tuple[int, ...]
    plain: bool
    size: int = 1
    height: int = 0


@dataclass(frozen=True, slots=True)
class _Text:
    """Summary of a macro's text: its `$n`, its calls as (macro, argument count); `varies`: it may call any macro."""

    slots: frozenset[int]
    calls: tuple[tuple[str, int], ...]
    varies: bool


class Sight:
    """Visible arguments of macros and forms, computed as a fixpoint over the call graph."""

    def __init__(self, macros: Mapping[str, Macro], before: Sight | None = None) -> None:
        """:param before: the analysis of some of the same macros; its results are reused where still valid."""
        self.macros = macros
        self.templates: dict[Atom, Template] = before.templates if before else {}
        self.views: dict[Form, View] = {}
        self.calls: dict[str, set[str]] = {}
        """Call graph: the macros that each macro calls; "" stands for a computed call of any macro."""
        self.circles: dict[str, bool] = {}
        same = before is not None and before.macros.keys() == macros.keys()
        self.texts: dict[Macro, _Text] = before.texts if before and same else {}
        self.all = frozenset(slot for macro in macros.values() for slot in self._text_of(macro).slots)
        self.macro: dict[str, frozenset[int]] = self.used(self.all)
        if before and same and self.all == before.all and self.macro == before.macro:
            self.views = before.views
        for macro in macros.values():  # early: deep within expansion, Python's stack is half used up
            for item in macro.body:
                if isinstance(item, Form):
                    self.view(item)

    def template(self, atom: Atom) -> Template:
        try:
            return self.templates[atom]
        except KeyError:
            template = self.templates[atom] = _cut(atom.text)
            return template

    def _text_of(self, macro: Macro) -> _Text:
        summary = self.texts.get(macro)
        if summary is None:
            slots: set[int] = set()
            calls: list[tuple[str, int]] = []
            varies = False
            for form in walk((Form(macro.body, Origin(macro.definition)),)):
                slots.update(slot for item in form.items if isinstance(item, Atom) for slot in self._slots(item))
                callee = head_word(form.items)
                if callee in self.macros:
                    calls.append((callee, self.arguments(form)))
                elif self.head_varies(form):
                    varies = True
            summary = self.texts[macro] = _Text(frozenset(slots), tuple(calls), varies)
        return summary

    def _slots(self, atom: Atom) -> Iterator[int]:
        return (part for part in self.template(atom) or () if isinstance(part, int))

    def used(self, computed: frozenset[int]) -> dict[str, frozenset[int]]:
        """Return the numbers that each macro sees, by a worklist algorithm: callers see a callee's numbers beyond the
        arguments of the call. `computed` are the numbers that a macro with computed calls sees."""
        own: dict[str, set[int]] = {}
        callers: dict[str, list[tuple[str, int]]] = {}
        for name, macro in self.macros.items():
            text = self._text_of(macro)
            own[name] = set(text.slots | computed if text.varies else text.slots)
            self.calls[name] = {callee for callee, _ in text.calls} | ({""} if text.varies else set())
            for callee, count in text.calls:
                callers.setdefault(callee, []).append((name, count))
        todo = list(own)
        while todo:
            callee = todo.pop()
            for name, count in callers.get(callee, ()):
                passed = {slot for slot in own[callee] if slot > count} - own[name]
                if passed:
                    own[name] |= passed
                    todo.append(name)
        return {name: frozenset(slots) for name, slots in own.items()}

    def arguments(self, form: Form) -> int:
        """Return the minimum number of arguments of a call: an argument that is a form may expand to nothing."""
        return sum(isinstance(item, Atom) for item in form.items[1:])

    def head_varies(self, form: Form) -> bool:
        """Return True if the head is only known after expansion: the form may turn out to be any call."""
        first = form.items[0] if form.items else None
        return isinstance(first, Form) or (isinstance(first, Atom) and self.template(first) is not None)

    def reaches(self, form: Form, names: Set[str]) -> bool:
        """Return True if expanding a form may call one of the named macros directly."""
        return any(head_word(inner.items) in names or self.head_varies(inner) for inner in walk((form,)))

    def callers(self, names: Set[str]) -> set[str]:
        """Return the named macros and all that may call them: directly, indirectly or by a computed call."""
        callers = set(names)
        while more := {n for n, calls in self.calls.items() if n not in callers and not callers.isdisjoint(calls)}:
            callers |= more
        return callers | ({name for name, calls in self.calls.items() if "" in calls} if callers else set())

    def recursive(self, name: str) -> bool:
        """Return True if a macro calls itself by name, directly or through others: such a call never ends."""
        if name not in self.circles:
            self.circles[name] = name in self._reached(name)
        return self.circles[name]

    def _reached(self, name: str) -> set[str]:
        return {*steps_from(self.calls.get(name, ()), lambda callee: self.calls.get(callee, ()))}

    def view(self, form: Form) -> View:
        view = self.views.get(form)
        if view is None:
            view = self.views[form] = self._view(form)
        return view

    def _view(self, form: Form) -> View:
        sees: set[int] = set()
        head = head_word(form.items)
        plain = head not in self.macros and head != "define" and not self.head_varies(form)
        size, height = 1, 0
        for item in form.items:
            if isinstance(item, Atom):
                size += 1
                slots = tuple(self._slots(item))
                plain = plain and not slots
                sees.update(slots)
            else:
                inner = self.view(item)
                size += inner.size
                height = max(height, inner.height)
                plain = plain and inner.plain
                sees.update(inner.sees)
        if head in self.macros:
            count = self.arguments(form)
            sees.update(slot for slot in self.macro[head] if slot > count)
        elif self.head_varies(form):
            sees |= self.all
        return View(tuple(sorted(sees)), plain, size, height + 1)


def report_unfilled(slot: re.Match[str], origin: Origin, report: Report) -> None:
    """Report a `$n` for which the enclosing call, or every call of its macro, has no argument."""
    inside = origin.via
    calls = re.findall(rf"\({re.escape(inside.macro)}\s([^()]*)\)", inside.call.source.text) if inside else []
    if inside is None:
        report.add("missing-argument", f"`{slot[0]}` is outside any `define`", origin)
    elif len(calls) > 1 and 0 < (most := max(len(call.split()) for call in calls)) < int(slot[1]):
        report.add("missing-argument", f"no call of `{inside.macro}` has an argument for `{slot[0]}`",
                   Origin(origin.span), label="never given", help=f"did you mean `${most}`?",
                   related=[(inside.call, "a call")])
    else:
        count = max(map(int, SLOT.findall(inside.definition.text)))
        call = " ".join([inside.macro, *(f"${n}" for n in range(1, count + 1))])
        report.add("missing-argument", f"macro `{inside.macro}` needs {number(count, 'argument')}", origin.call,
                   label=f"no argument for `{slot[0]}`", related=[(inside.definition, "the macro")],
                   help=f"write `({call})`, with something in the place of each `$n`")
