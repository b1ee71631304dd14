"""Completions for a place in a text, and the signature of the form around it."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.cursor import Around, Cursor, cursor_at, pieces_of
from zrf_py.author.editor.hover import keyword, macro
from zrf_py.author.editor.names import names_of
from zrf_py.author.format.files import ENDINGS
from zrf_py.data import data_file
from zrf_py.front import check, keywords, macros, nodes
from zrf_py.ir.ops import GO
from zrf_py.library import STANDARD
from zrf_py.paths import below
from zrf_py.text.source import Source

MAX_ITEMS = 1_000
"""Maximum number of completions returned; a longer list is cut, and editors request it again after the next letter."""
KEYWORD, VALUE, SNIPPET = "keyword", "value", "snippet"
PLACE = (kinds.DIRECTION, kinds.POSITION)
TOP, GAME, BOARD, PIECE, CODE, BLOCKS = "top of the file", "game", "board", "piece", "move code", "moves"
CONDITION, GOAL, NUMBER, ANY, NAMES = "condition", "goal", "number", "anywhere", "names"

_INSIDE: dict[str, str] = json.loads(Path(__file__).with_name("inside.json").read_text("utf-8"))
"""Context inside a form, by its head; other forms keep the context around them."""

_ARGUMENTS: dict[str, list[list[str]]] = json.loads(Path(__file__).with_name("arguments.json").read_text("utf-8"))
"""Kinds of names that a form takes, argument by argument; the last row holds for all further ones."""
_LISTS = {"board-setup": (kinds.PLAYER,), "turn-order": (kinds.PLAYER,), "symmetry": (kinds.DIRECTION,),
          "absolute-config": (kinds.POSITION, kinds.ZONE),
          **dict.fromkeys(("links", "values", "unlink"), (kinds.POSITION,))}
"""Kinds of names that begin the lists inside a form."""
_MAY_LACK_PLAYERS = frozenset({"count-condition", "score-condition"})
_PLACE_TESTS = frozenset(w for w in keywords.CONDITIONS if w.endswith("?") and w.removeprefix("not-") not in _ARGUMENTS)


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion: `kind` is "keyword", "value", "snippet" or a kind of names; `detail` describes it in a line, `text`
    in Markdown. `body` is the text that a snippet inserts, with placeholders such as `$1`."""

    word: str
    kind: str
    detail: str = ""
    text: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """Completions for the text from `start` to `end`; `complete` is False if there were too many."""

    items: tuple[Completion, ...]
    start: int
    end: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Signature:
    """Syntax of a form; `parts` are its arguments, `active` the index of the one at the cursor."""

    label: str
    parts: tuple[str, ...]
    active: int
    text: str = ""


def completions(analysis: Analysis, source: Source, offset: int, snippets: bool = False) -> Completions:
    """Return completions at an offset of `source`; names come from `analysis`, which may be of an earlier text.

    `snippets`: offer whole forms, too.
    """
    cursor = cursor_at(source, offset)
    start = cursor.start if cursor.where == "code" else offset
    if cursor.where == "comment":
        return Completions((), offset, offset)
    if cursor.where == "string":
        return _quoted(source, cursor, offset)
    typed = cursor.typed.casefold()
    matches: dict[tuple[str, bool], Completion] = {}
    for item in (*_offered(analysis, cursor, source), *(_snippets(cursor, source) if snippets else ())):
        if item.word.casefold().startswith(typed) or (len(typed) > 1 and typed in item.word.casefold()):
            matches.setdefault((item.word, item.kind == SNIPPET), item)
            if len(matches) > MAX_ITEMS:
                return Completions(tuple(matches.values())[:MAX_ITEMS], start, cursor.end, False)
    return Completions(tuple(matches.values()), start, cursor.end)


def _quoted(source: Source, cursor: Cursor, offset: int) -> Completions:
    """Complete names of options and files within quotation marks."""
    closed = source.text[cursor.start : cursor.end].endswith('"') and cursor.end > offset
    choices = tuple(Completion(name, VALUE) for name in _strings(cursor.inner, source))
    return Completions(choices, cursor.start + 1, max(cursor.end - 1 if closed else offset, offset))


def _strings(inner: Around | None, source: Source) -> Iterable[str]:
    """Return the strings that the form at the cursor takes next: names of options, or of files to include."""
    if inner is None or inner.index != 1 or inner.head not in ("option", "include"):
        return ()
    return check.OPTIONS if inner.head == "option" else _files(Path(source.name).resolve())


def _files(path: Path) -> list[str]:
    """Return relative names of the files that a file may include: in its folder and below, bundled ones, and `std/`."""
    shelf = data_file("rules").resolve()
    names = [file.relative_to(folder).as_posix() for folder in (path.parent, shelf) for file in below(folder)
             if file.suffix.lower() in (ENDINGS if folder == path.parent else ENDINGS[1:]) and file != path]
    names += [file.relative_to(STANDARD.parent).as_posix() for file in sorted(STANDARD.glob("*.zrf"))]
    return list(dict.fromkeys(names))[:MAX_ITEMS]


@cache
def _library() -> tuple[Completion, ...]:
    rows = json.loads(Path(__file__).with_name("snippets.json").read_text("utf-8"))
    return tuple(Completion(row["prefix"], SNIPPET, row["description"], body="\n".join(row["body"]))
                 for row in rows.values())


def _snippets(cursor: Cursor, source: Source) -> Iterator[Completion]:
    """Yield the snippets that fit a place, without the parentheses that are already typed."""
    around = cursor.around[:-1] if cursor.is_head else cursor.around
    place = context(around)
    for item in _library() if not around or around[-1].head in _INSIDE else ():
        contexts = keywords.KEYWORDS[item.body[1:].split()[0]].where
        if place != ANY and _stands(contexts, place):
            closed = cursor.is_head and source.text[cursor.end : cursor.end + 1] == ")"
            yield replace(item, body=item.body[cursor.is_head : len(item.body) - closed])


def _offered(analysis: Analysis, cursor: Cursor, source: Source) -> Iterator[Completion]:
    inner = cursor.inner
    if inner is None:
        return
    outer = cursor.around[:-1]
    if cursor.is_head:
        place = context(outer)
        players = bool(outer) and outer[-1].index == 1 and outer[-1].head.endswith("-condition")
        yield from _heads(analysis, NAMES if players and outer[-1].head not in _MAY_LACK_PLAYERS else place)
        yield from _names(analysis, (kinds.PLAYER,) if players else _begin(outer, place))
        return
    yield from (Completion(f'"{name}"', VALUE) for name in _strings(inner, source))
    yield from _arguments(analysis, inner, context(cursor.around), cursor.around)


def context(around: tuple[Around, ...]) -> str:
    """Return the context inside the innermost of the open forms `around`."""
    place = TOP
    for form in around:
        head = form.head
        if head in _INSIDE:
            place = _INSIDE[head]
        elif head in keywords.BODIES:
            place = CONDITION if form.index == 1 else CODE
        elif place == BLOCKS:
            place = CODE
        elif place == TOP:
            place = ANY
    return place


def _stands(contexts: str, place: str) -> bool:
    """Return whether `contexts`, a keyword's list of contexts, admits the context `place`."""
    if contexts == "anywhere":
        return place in (ANY, TOP)
    if place == ANY:
        return True
    return place in re.split(r"[,:] ?", contexts.removeprefix("ZRF+: "))


def _heads(analysis: Analysis, place: str) -> Iterator[Completion]:
    """Yield the words that begin a form: keywords of the context, and macros."""
    code = BLOCKS if place == BLOCKS else place
    for word, row in analysis.keywords.items():
        required = CODE if code == BLOCKS and "moves" not in row.where else code
        if word[0] not in "$;" and word not in ("forced", "each", "lowest", "repeat", "off", "else") \
                and _stands(row.where, required):
            yield Completion(word, KEYWORD, row.meaning, keyword(word, row))
    for name in analysis.macros:
        yield Completion(name, kinds.MACRO, parameters(analysis.macros[name]), macro(analysis, name))


def _begin(outer: tuple[Around, ...], place: str) -> tuple[str, ...]:
    """Return the kinds of names that may begin a form: pieces in the set-up, places in blocks, or those in `_LISTS`."""
    heads = [form.head for form in outer]
    if heads[-2:-1] == ["board-setup"]:
        return (kinds.PIECE,)
    return PLACE if place == BLOCKS else _LISTS.get(heads[-1], ()) if heads else ()


def _arguments(analysis: Analysis, form: Around, place: str, around: tuple[Around, ...]) -> Iterator[Completion]:
    """Yield the words that may follow the head of a form."""
    head, number = form.head, form.index
    if head in analysis.macros:
        yield from _passed(analysis, head, number)
        return
    if head == "option":
        values = check.values_of(form.items[1].strip('"')) if number == 2 else ()
        yield from (Completion(value, VALUE) for value in values)
        return
    heads = [f.head for f in around]
    if head == "go":
        yield from _words(analysis, GO)
    if head in ("go", "default", "name", "title", "description", "include", "version", "dimensions", "start-rectangle"):
        return
    rows = _ARGUMENTS.get(head.removeprefix("not-")) or ((PLACE, ()) if head in _PLACE_TESTS else None)
    if rows is not None:
        yield from _names(analysis, rows[min(number, len(rows)) - 1])
        if head in ("set-flag", "set-attribute", "set-position-flag", "attribute") and number == 2:
            yield from _words(analysis, ("true", "false"))
    if head == "turn-order":
        yield from _words(analysis, ("repeat",))
    if "board-setup" in heads:
        depth = len(heads) - heads.index("board-setup")
        yield from _names(analysis, ((kinds.PLAYER,), (kinds.PIECE,), (kinds.POSITION,))[min(depth, 3) - 1])
        yield from _words(analysis, ("off",) if depth == 3 else ())
    elif rows is None and len(heads) > 1 and heads[-2] in _LISTS:
        by_list = {"symmetry": (kinds.DIRECTION,), "absolute-config": (kinds.POSITION, kinds.ZONE),
                   "turn-order": (kinds.PLAYER, kinds.MOVE_TYPE)}
        yield from _names(analysis, by_list.get(heads[-2], (kinds.POSITION,)))
    elif len(heads) > 1 and heads[-2].endswith("-condition") and around[-2].index == 1:
        yield from _names(analysis, (kinds.PLAYER,))
    elif rows is None:
        yield from _bare(analysis, place)


def _bare(analysis: Analysis, place: str) -> Iterator[Completion]:
    """Yield the words without parentheses: steps, instructions, tests, goals."""
    if place in (CODE, BLOCKS, ANY):
        yield from _names(analysis, PLACE)
        yield from _words(analysis, (w for w in keywords.INSTRUCTIONS if f"({w}" not in _least(analysis, w)))
        yield from _words(analysis, ("else",))
    if place in (CONDITION, ANY):
        yield from _words(analysis, (w for w in keywords.CONDITIONS if f"({w}" not in _least(analysis, w)))
        yield from _names(analysis, (kinds.ATTRIBUTE,))
    if place == GOAL:
        yield from _words(analysis, ("stalemated", "repetition"))


def _least(analysis: Analysis, word: str) -> str:
    """Return the first syntax that the keyword table has for a word; "(" and the word if it is not in the table."""
    row = analysis.keywords.get(word)
    return row.form.partition(" · ")[0] if row else f"({word}"


def _passed(analysis: Analysis, name: str, number: int) -> Iterator[Completion]:
    """Yield completions for a macro's argument: names of the kinds that other calls have there, or of common kinds."""
    kind_names: set[str] = set()
    names = names_of(analysis)
    for at in names.of((kinds.MACRO, name))[:200]:
        around = cursor_at(at.span.source, at.span.end)
        if around.is_head and around.inner:
            kind_names.update(_kinds_at(analysis, at.span.source, around.inner.start, number))
    yield from _names(analysis, sorted(kind_names) or [kinds.PIECE, *PLACE, kinds.ZONE, kinds.MACRO])


def _kinds_at(analysis: Analysis, source: Source, start: int, number: int) -> list[str]:
    """Return the kinds of names used as argument `number` of the form that starts at an offset."""
    depth = count = 0
    for kind, begin, _ in pieces_of(source):
        if begin < start or kind == "COMMENT":
            continue
        if depth == 1 and kind != "CLOSE":
            if count == number:
                return [o.kind for o in names_of(analysis).at(source, begin) if o.kind != kinds.MACRO]
            count += 1
        depth += (kind == "OPEN") - (kind == "CLOSE")
        if depth == 0:
            break
    return []


def _names(analysis: Analysis, kind_names: Iterable[str]) -> Iterator[Completion]:
    for kind in kind_names:
        if kind == kinds.MACRO:
            yield from (Completion(name, kind, parameters(m)) for name, m in analysis.macros.items())
            continue
        for name in sorted(analysis.known.of(kind), key=lambda name: [  # in natural order: `a2` before `a10`
                (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,9})", name)]):
            yield Completion(name, kind, kind.replace("-", " "))


def _words(analysis: Analysis, words: Iterable[str]) -> Iterator[Completion]:
    for word in words:
        row = analysis.keywords.get(word)
        if row is not None:
            yield Completion(word, KEYWORD, row.meaning, keyword(word, row))


def parameters(definition: nodes.Macro) -> str:
    """Return a macro's call with its parameters: `(leap $1 $2)`."""
    return " ".join([f"({definition.name}", *(f"${n}" for n in range(1, _arity(definition) + 1))]) + ")"


def _arity(definition: nodes.Macro) -> int:
    return min(max((int(n) for n in macros.SLOT.findall(definition.definition.text)), default=0), 20)


def signature(analysis: Analysis, source: Source, offset: int) -> Signature | None:
    """Return the signature of the innermost form with a head around an offset; None if no signature is known for it."""
    cursor = cursor_at(source, offset)
    for form in reversed(cursor.around):
        index = form.index
        if form.head in analysis.macros:
            entry = analysis.macros[form.head]
            parts = tuple(f"${n}" for n in range(1, _arity(entry) + 1))
            text = entry.definition.text if len(entry.definition.text) < 600 else ""
            return Signature(parameters(entry), parts, index - 1, f"```zrf\n{text}\n```" if text else "")
        row = analysis.keywords.get(form.head)
        if row is not None and form.head != "define" and index:
            label = row.form.split(" · ")[-1]
            parts = tuple(re.findall(r"\[[^\]]*\]|\([^()]*\)…?|\"[^\"]*\"…?|[A-Z]+…?", label[len(form.head) + 1 :]))
            return Signature(label, parts, min(index - 1, max(len(parts) - 1, 0)), row.meaning)
        if form.head:
            return None
    return None
