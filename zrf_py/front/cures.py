"""Hints for syntax errors: what to type instead. Many are for habits that authors bring from other languages.

`around` holds the forms that enclose a node, innermost first. The hint "" stands for the list of expected words.
"""

import json
import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Any

from zrf_py.data import data_text
from zrf_py.front.keywords import CONDITIONS, GOALS, KEYWORDS
from zrf_py.front.nodes import NAME, NUMBER, STRING, Atom, Form, Node

_TABLES: dict[str, dict[str, str]] = json.loads(data_text("front/cures.json"))
"""Hints by table and key, often the enclosing form; `{words}` stands for a node and the numbers after it, `{turned}`
for these numbers and then the node, `{name}` for an unknown name."""
DEFINE, SIGNS = _TABLES["define"], _TABLES["signs"]
STANDARD = {macro: file for file, macros in _TABLES["std"].items() for macro in macros.split()}
"""The macros of `std/`, each with its file."""
_OF_NUMBERS = {"equal?", "less?", "greater?", "sum", "difference", "product", "score"}
_FRACTION = re.compile(r"[+-]?\d*[.,]\d+")
WHOLE = "numbers are whole: write it without a fraction"


def cure(node: Any, around: Sequence[Form]) -> str:
    """Return a hint for a misplaced node, or ""."""
    heads = [form.head for form in around[:2]]
    if not isinstance(node, Atom) or not heads:
        key = "zone" if heads == ["positions", "zone"] else heads[0] or heads[-1] if heads else ""
        here = heads and (heads[0] == "positions" or (node in around[0].items[:2]) != heads[0].endswith("-condition"))
        return _TABLES["first"].get(key, "") if here else ""
    if heads[0] == "version" and node.kind != STRING:
        return f'write `(version "{node.text}")`'
    if _FRACTION.fullmatch(node.text):
        return WHOLE
    test = around[0].items[1] if len(around[0].items) > 1 else node
    if heads[0] == "not" and isinstance(test, Atom) and test.text in CONDITIONS:
        return f"write `(not {as_form(test)})`"
    if heads[0].endswith("-condition") and node.kind == NAME:
        before = takewhile(lambda item: isinstance(item, Atom), around[0].items[1:])
        players = [name for name in before if isinstance(name, Atom) and name.text not in GOALS]
        if node.text in GOALS and re.search("[A-Z]", KEYWORDS[node.text].form):
            return f"a goal with arguments needs parentheses: `{as_form(node)}`"
        if node in players:
            return f"put the players in parentheses: `({' '.join(player.text for player in players)})`"
    if heads[1:] == ["out-condition"] and heads[0] in GOALS:
        return f"the players come first: `(out-condition (White Black) ({heads[0]} …))`"
    if heads[1:] == ["links"]:
        names = [item.text for item in around[0].items[:4] if isinstance(item, Atom)]
        pairs = " ".join(f"({a} {b})" for a, b in pairwise(names))
        return f"a link joins two positions: write `{pairs}`" if len(names) > 2 else ""
    if heads[0] in _TABLES["value"] and (node.kind == NUMBER or node.text in ("true", "false", *"<=>")):
        return _TABLES["value"][heads[0]].replace("{words}", node.text)
    atoms = [item for item in around[0].items if isinstance(item, Atom)]
    if heads[1:] == ["dimensions"] and node.kind == NUMBER:
        return f'put the steps in parentheses: `("…" ({" ".join(atom.text for atom in atoms[1:])}))`'
    if node.kind != NAME and heads[0] != "relative-config":
        return ""
    if heads[1:] == ["board-setup"]:
        return f"write `({' '.join(atom.text for atom in atoms[1:])})`"
    if node.text == "else":
        return "put `else` inside the parentheses of its `if`: `(if (enemy? n) capture else add)`"
    if heads[0] == "option" and node.text.replace("-", "").isalpha():
        words = [item.text for item in atoms[1:]]
        return f'put the name of the option in quotation marks: `"{" ".join(words[:-1] or words).replace("-", " ")}"`'
    if heads[0] in _OF_NUMBERS:
        return f"write `({node.text})`" if node.text in KEYWORDS else f"for a counter, write `(counter {node.text})`"
    if heads[0] in ("moves", "drops"):
        if node.text == "move-type":
            return "put it in its own parentheses: `(move-type …)`"
        via = next((item.origin.via for item in around[0].items if item.origin.via), None)
        if via and node.origin.slots:
            return f"the block in `{via.macro}` needs its own parentheses: `(define {via.macro} ($1 …))`"
        return "a block needs its own parentheses: `(n (verify empty?) add)`"
    if heads[0] in ("piece", "zone", "measure") and node in around[0].items[1:2]:
        return f"write `(name {node.text})`"
    if heads[0].endswith("-condition") and any(isinstance(item, Form) for item in around[0].items):
        return "an end condition has one goal: write `(and …)` or `(or …)` around both goals"
    steps = [item.text for item in takewhile(lambda item: item.kind == NUMBER, atoms[atoms.index(node) + 1 :])]
    return _TABLES["bare"].get(heads[0], "").replace("{words}", " ".join([node.text, *steps])).replace(
        "{turned}", " ".join([*(steps or ["0"]), node.text]))


def as_form(word: Atom, count: int = -1) -> str:
    """Return the form, such as `(piece? Man)`, that a word without parentheses was meant to begin: the word and the
    `count` words after it in the text (-1: as many as its keyword needs)."""
    count = count if count >= 0 else len(re.findall("[A-Z]+", re.sub(r"\[.*?\]", "", KEYWORDS[word.text].form)))
    span = (*word.origin.slots, word.origin.span)[0]
    words = re.split(r"[()\";]", span.source.text[span.end :], maxsplit=1)[0].split()[:count]
    return f"({' '.join([word.text, *words])}{' …' if len(words) < count else ''})"


def form_of(form: Node | None) -> str:
    """Return a reminder of the syntax of a form's keyword, or ""."""
    syntax = KEYWORDS[form.head].form.rpartition(" · ")[2] if isinstance(form, Form) and form.head in KEYWORDS else ""
    return f"; write `{syntax}`" if syntax.startswith("(") else ""


def cure_of_head(form: Form, around: Sequence[Form]) -> str:
    """Return a hint for a form whose first word can't begin a form at this place, or ""."""
    first = form.items[0]
    assert isinstance(first, Atom)
    if first.kind == NAME and _FRACTION.fullmatch(first.text):
        return WHOLE
    if around and around[0].head == "dimensions":
        return 'a dimension begins with its labels: `("a/b/c" (48 0))`'
    if first.kind == STRING:
        return f"write a name without quotation marks: `{first.text}`"
    if first.text in SIGNS:
        return f"did you mean `{SIGNS[first.text]}`?"
    parts = _TABLES["parts"].get(around[0].head, "").split() if around else []
    written = {item.head for item in around[0].items if isinstance(item, Form)} if parts else set()
    missing = next((part for part in parts if part not in written), "")
    words = [item.text for item in form.items if isinstance(item, Atom)]
    return f"write `({missing} {' '.join(words[:3])}{' …' if len(words) > 3 else ''})`" if missing and words else ""
