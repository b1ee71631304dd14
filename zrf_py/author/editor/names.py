"""Index of every name in a rules file: definitions, uses, macro arguments; the basis of references and renaming.

The syntax trees classify names, but hold only the first of several calls with the same expansion. So the kind of a
macro's argument applies to all calls of the macro with that word, and a word outside the trees (in a macro that is
never called, in half-typed text) gets a kind only if exactly one kind has that name.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.roles import Roles
from zrf_py.front.macros import SLOT, walk
from zrf_py.front.nodes import STRING, Atom, Form
from zrf_py.text.grouping import by_key
from zrf_py.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name somewhere in the text. `pasted`: the text holds only a part of the name (`$1Man`)."""

    kind: str
    name: str
    span: Span
    defines: bool = False
    pasted: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.name


class Names:
    """The occurrences of all names in a file and its includes, in text order."""

    def __init__(self, occurrences: list[Occurrence]) -> None:
        self.all = sorted(occurrences, key=lambda o: (o.span.source.name, o.span.start, not o.defines))
        self._in = by_key((occurrence.span.source, occurrence) for occurrence in self.all)
        self._of = by_key((occurrence.key, occurrence) for occurrence in self.all)

    def inside(self, source: Source) -> list[Occurrence]:
        return self._in.get(source, [])

    def at(self, source: Source, offset: int) -> list[Occurrence]:
        """Return the names at a place: several if the word there names things of several kinds."""
        names = self.inside(source)
        index = bisect_right(names, offset, key=lambda o: o.span.start)
        occurrences: list[Occurrence] = []
        while index and len(occurrences) < 8:
            index -= 1
            if names[index].span.end < offset:
                break
            occurrences.append(names[index])
        return occurrences

    def of(self, key: tuple[str, str]) -> list[Occurrence]:
        """Return all occurrences of a name of a kind."""
        return self._of.get(key, [])


@lru_cache(maxsize=6)
def names_of(analysis: Analysis) -> Names:
    """Return the names of a text (cached)."""
    return Names(list(_NameFinder(analysis).run()))


class _NameFinder:
    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.known = analysis.known
        self.at: dict[tuple[Source, int, int], dict[tuple[str, str], bool]] = {}
        """Span of text → its names: (kind, name) → True if defined there."""
        self.pasted: set[tuple[Source, int, int]] = set()

    def run(self) -> Iterator[Occurrence]:
        roles = Roles(self.known)
        if self.analysis.stages.tree:
            roles.file(self.analysis.stages.tree)
        for atom, kind, defines in roles.roles:
            self.note(atom, kind, defines)
        forms = list(walk(self.analysis.stages.forms))
        self.macros(forms)
        self.arguments(forms)
        self.left_over(forms)
        for (source, start, end), entries in self.at.items():
            span = Span(source, start, end)
            for (kind, name), defines in entries.items():
                yield Occurrence(kind, name, span, defines, (source, start, end) in self.pasted)

    def note(self, atom: Atom, kind: str, defines: bool) -> None:
        """Record a name; a pasted one is recorded at each of its parts."""
        span = atom.origin.span
        if atom.kind != STRING and span.text == atom.text:
            self.put(span, kind, atom.text, defines)
            return
        for part in (span, *atom.origin.slots):
            if "$" not in part.text and part.text not in self.analysis.macros:
                self.put(part, kind, atom.text, defines)
                self.pasted.add((part.source, part.start, part.end))

    def put(self, span: Span, kind: str, name: str, defines: bool = False) -> None:
        entries = self.at.setdefault((span.source, span.start, span.end), {})
        entries[kind, name] = entries.get((kind, name), False) or defines

    def macros(self, forms: list[Form]) -> None:
        macros = self.analysis.macros
        for form in forms:
            if form.head == "define" and len(form.items) > 1 and isinstance(form.items[1], Atom):
                self.put(form.items[1].origin.span, kinds.MACRO, form.items[1].text, True)
            elif form.items and isinstance(form.items[0], Atom) and form.items[0].text in macros:
                self.put(form.items[0].origin.span, kinds.MACRO, form.items[0].text)
            for item in form.items[1:]:
                if isinstance(item, Atom) and item.kind != STRING and item.text in macros and not self.is_known(item):
                    self.put(item.origin.span, kinds.MACRO, item.text)  # a macro's name passed as an argument

    def is_known(self, atom: Atom) -> bool:
        span = atom.origin.span
        return (span.source, span.start, span.end) in self.at

    def arguments(self, forms: list[Form]) -> None:
        """Give each word the kinds that it has elsewhere as the same argument of the same macro."""
        macros = self.analysis.macros
        by_argument: dict[tuple[str, int, str], dict[tuple[str, str], bool]] = {}
        calls = [(form.head, number, item) for form in forms if form.head in macros
                 for number, item in enumerate(form.items) if number and isinstance(item, Atom)]
        for head, number, item in calls:
            span = item.origin.span
            entries = self.at.get((span.source, span.start, span.end))
            if entries:
                by_argument.setdefault((head, number, item.text), {}).update(entries)
        for head, number, item in calls:
            if not self.is_known(item):
                span = item.origin.span
                key = (span.source, span.start, span.end)
                for (kind, name), defines in by_argument.get((head, number, item.text), {}).items():
                    self.put(span, kind, name, defines)
                    if name != item.text:
                        self.pasted.add(key)

    def left_over(self, forms: list[Form]) -> None:
        """Classify words outside the syntax tree (uncalled macros, incomplete text) if only one kind has that name."""
        keywords = self.analysis.keywords
        for form in forms:
            for number, item in enumerate(form.items):
                if not isinstance(item, Atom) or item.kind == STRING or self.is_known(item):
                    continue
                if item.text in keywords or SLOT.search(item.text) or (number == 0 and form.head in ("define",)):
                    continue
                matches = self.known.kinds(item.text)
                if len(matches) == 1:
                    self.put(item.origin.span, matches[0], item.text)
