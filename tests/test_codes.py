"""Every code that a message can have is explained, and nothing else is."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import zrf_py
from tests.sources import nodes_of
from zrf_py.author.explaining import OPTIONS, TOPICS, explain
from zrf_py.author.tests.pages import Example, FencedBlock, wrap
from zrf_py.compile import compile_source
from zrf_py.text.codes import CODES
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

PACKAGE = Path(zrf_py.__file__).parent
FIRST = {"add", "Diagnostic", "stop", "abort", "give_up"}
"""Calls whose first argument is a code."""
CODE = re.compile(r"[a-z]+(-[a-z]+)*")


def codes_of(module: Path) -> Iterator[str]:
    for node in nodes_of(module):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        texts = [a.value if isinstance(a, ast.Constant) and isinstance(a.value, str) else "" for a in node.args]
        if name in FIRST and len(texts) > 1 and CODE.fullmatch(texts[0]):
            yield texts[0]
        elif name == "ZrfError" and len(texts) > 1:
            yield texts[1]
        elif name in ("look_up", "unknown") and len(texts) > 2:
            yield f"unknown-{texts[2].replace(' ', '-')}" if texts[2] else ""


@cache
def used() -> set[str]:
    return {code for module in PACKAGE.rglob("*.py") for code in codes_of(module)} - {""}


INDIRECT = {"error"}
"""The code of a `ZrfError` that is raised without one."""


def test_every_code_is_explained() -> None:
    assert len(used()) > 50 and not used() - set(CODES)


@pytest.mark.parametrize("table", ["text/codes.json", "author/lint/codes.json"])
def test_no_code_is_explained_twice(table: str) -> None:
    keys: list[str] = []
    json.loads((PACKAGE / table).read_text("utf-8"),
               object_pairs_hook=lambda pairs: keys.extend(key for key, _ in pairs if CODE.fullmatch(key)))
    codes = Counter(key for key in keys if key not in ("meaning", "message", "label", "help", "wrong", "right"))
    assert len(codes) > 50
    assert [code for code, count in codes.items() if count > 1] == []


def test_problems_are_reported_by_code_and_then_message() -> None:
    """A literal first argument is a code that is explained; a literal second argument is no code."""
    count = 0
    for module in PACKAGE.rglob("*.py"):
        for node in nodes_of(module):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            if ast.unparse(node.func)[-10:] in ("report.add", "Diagnostic"):
                code, message = map(ast.unparse, node.args[:2])
                place = f"{module}:{node.lineno}"
                assert " " not in code or code[0] not in "f'", place
                assert code[0] != "'" or ast.literal_eval(code) in CODES, place
                assert message[0] != "'" or ast.literal_eval(message) not in CODES, place
                count += 1
    assert count > 80


def test_every_explained_code_is_used() -> None:
    assert not set(CODES) - used() - INDIRECT


@pytest.mark.parametrize("code", sorted(CODES))
def test_an_explanation_is_short(code: str) -> None:
    meaning = CODES[code].meaning
    assert meaning.endswith(".")
    assert len(meaning) <= 240
    assert bool(CODES[code].wrong) == bool(CODES[code].right)


def problems(rules: str, whole: bool) -> set[str]:
    """Return the codes reported for rules, which need not be a whole file."""
    report = Report()
    text = rules if whole else wrap(Example("", FencedBlock("zrf", "", rules, 1), None)).text
    files = {"moves.inc": Source("moves.inc", "")}
    compile_source(Source("example.zrf", text), lambda name, origin: files.get(name), report)
    return {d.code for d in report.items}


@pytest.mark.parametrize("code", [c for c in CODES if CODES[c].wrong])
def test_only_the_wrong_example_is_reported_with_the_code(code: str) -> None:
    whole = code in ("unknown-section", "missing-game")
    assert code in problems(CODES[code].wrong, whole)
    assert code not in problems(CODES[code].right, whole)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_explanations_of_options_show_values_that_compile(name: str) -> None:
    row, plus = OPTIONS[name], '(version "zrf+") '
    first, *others = row.form.removeprefix(f'(option "{name}" ').removesuffix(")").split("|")
    for value in (first, *others):
        rules = wrap(Example("", FencedBlock("zrf", "", f'{plus}(option "{name}" {value})', 1), None)).text
        report = Report()
        compile_source(Source("x.zrf", rules), lambda name, origin: None, report)
        assert not {d.code for d in report.items} & {"unknown-option", "unknown-value"}, value
    assert row.example.startswith(f'(option "{name}" ') and others


def test_everyday_words_lead_to_keywords() -> None:
    assert explain("macro") == explain("define") and explain('"Pass Turn"') == explain("pass turn")
    assert all(explain(topic)[0] for topic in TOPICS)
