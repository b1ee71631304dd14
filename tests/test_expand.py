"""Expansion of macros in forms: substitution, sharing, origins and limits."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zrf_py.front.expand import expand
from zrf_py.front.forms import read_forms
from zrf_py.front.nodes import MAX_NESTING, STRING, Atom, Expanded, Form, Node
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

Plain = str | list["Plain"]


def run(text: str) -> tuple[Expanded, Report]:
    report = Report()
    forms = read_forms(Source("game.zrf", text), report, lambda name, origin: None)
    return expand(forms, report), report


def plain(node: Node) -> Plain:
    if isinstance(node, Form):
        return [plain(item) for item in node.items]
    return f'"{node.text}"' if node.kind == STRING else node.text


def show(text: str) -> str:
    """Return the expanded text with single blanks."""

    def words(node: Plain) -> str:
        return node if isinstance(node, str) else f"({' '.join(map(words, node))})"

    return " ".join(words(plain(node)) for node in run(text)[0].nodes)


def codes(text: str) -> list[str]:
    return [d.code for d in run(text)[1].items]


def forms(nodes: tuple[Node, ...]) -> Iterator[Form]:
    for node in nodes:
        if isinstance(node, Form):
            yield node
            yield from forms(node.items)


def distinct(nodes: tuple[Node, ...]) -> set[Form]:
    """Return the distinct forms among nodes and inside them."""
    found: set[Form] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, Form) and node not in found:
            found.add(node)
            todo.extend(node.items)
    return found


def atom(text: str, word: str) -> Atom:
    """Expand `text`, and return the first atom within its forms that reads `word`."""
    nodes = run(text)[0].nodes
    atoms = [n for f in forms(nodes) for n in f.items if isinstance(n, Atom)]
    return next(a for a in atoms if a.text == word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(define go2 $1 $1)(m (go2 n))", "(m n n)"),
        ("(define hop ($1 add))(m (hop n))", "(m (n add))"),
        ("(m (hop n))(define hop ($1 add))", "(m (n add))"),
        ("(define none)(m (none) x)", "(m x)"),
        ('(define p (name $1Dragon) "i/$1$2.bmp")(m (p Red 7))', '(m (name RedDragon) "i/Red7.bmp")'),
        ("(define p is-$1 $1$2)(m (p Red 7))", "(m is-Red Red7)"),
        ("(define q $12)(m (q a b c d e f g h i j k l))", "(m l)"),
        ("(define n -$1)(m (n 5))", "(m -5)"),
        ("(define fish done)(define call ($1))(m (call fish))", "(m done)"),
        ("(define fish done)(m fish (x fish))", "(m fish (x fish))"),
        ("(define a (b) (b x))(define b $1$2)(m (a 1 2))", "(m 12 x2)"),
        ("(define a (b))(define b (c x))(define c $1 $2 $3)(m (a 1 2 3))", "(m x 2 3)"),
        ("(define pair n e)(define swap $2 $1)(m (swap (pair)))", "(m e n)"),
        ("(define twice $1 $1)(m (twice (x y)))", "(m (x y) (x y))"),
        ("(define who BRG)(players ((who)))", "(players (BRG))"),
        ("(define who go)(define go $1 add)(m ((who) n))", "(m n add)"),
        ("(define 5x5 (grid))(board (5x5))(define 10 ten)(m (10))", "(board (grid)) (m ten)"),
        ("(variant (define y 1) (piece (define z 2) (m (y) (z))))", "(variant (piece (m 1 2)))"),
        ("(define top (game) (variant))(top)", "(game) (variant)"),
        ('(history "costs $5")', '(history "costs $5")'),
        ("(define big $1)(m (Big x))", "(m (Big x))"),
    ],
)
def test_calls_are_expanded(text: str, expected: str) -> None:
    assert show(text) == expected
    assert codes(text) == []


def test_a_pasted_number_is_a_number() -> None:
    text = "(define n -$1 x$1)(m (n 5))"
    assert [atom(text, word).kind for word in ("-5", "x5")] == ["number", "name"]


def test_the_later_definition_wins() -> None:
    text = "(define x 1)(m (x))(define x 2)"
    assert (show(text), codes(text)) == ("(m 2)", ["defined-twice"])
    assert codes("(define x (a $1))(define x ( a $1 ) ; same\n)") == []


def test_expansion_returns_its_macros() -> None:
    expanded, _ = run("(define step $1 add)(m (step n))")
    assert list(expanded.macros) == ["step"]
    assert expanded.macros["step"].definition.text == "(define step $1 add)"


# --- sharing ---


def test_calls_with_equal_arguments_are_one_object() -> None:
    expanded, _ = run("(define s (t $1))(m (s n) (s n) (s e))")
    [form] = expanded.nodes
    assert isinstance(form, Form)
    assert form.items[1] is form.items[2]
    assert form.items[1] is not form.items[3]


def test_parts_of_a_macro_that_use_no_argument_are_shared() -> None:
    expanded, _ = run("(define s ($1 (verify empty?) (if $2 (x))))(m (s n 1) (s e 2))")
    inner = [f for f in forms(expanded.nodes) if f.head in ("verify", "x")]
    assert len({id(f) for f in inner}) == 2


def test_unused_arguments_do_not_matter() -> None:
    expanded, _ = run("(define a (b x))(define b (t $1))(m (a 1) (a 2) (a))")
    [form] = expanded.nodes
    assert isinstance(form, Form)
    assert len({id(item) for item in form.items[1:]}) == 1


def test_a_large_expansion_has_few_distinct_forms() -> None:
    levels = "".join(f"(define m{i} (p (m{i + 1}) (m{i + 1}) (m{i + 1})))" for i in range(13))
    expanded, report = run(levels + "(define m13 (add))(moves (m0))")
    assert report.items == []
    assert expanded.size == 2 + sum(2 * 3**i for i in range(14))
    assert len(distinct(expanded.nodes)) == 15


def test_size_counts_as_if_nothing_were_shared() -> None:
    text = "(define a (x $1 (y)))(define b (a $1) (a 2) (a n))(m (b n) z (q (b 2)))"
    expanded, _ = run(text)
    count = sum(1 + sum(isinstance(i, Atom) for i in f.items) for f in forms(expanded.nodes))
    assert expanded.size == count


# --- origins ---


def test_an_argument_keeps_its_origin() -> None:
    text = "(define step ($1 add))\n(define two (step $1))\n(m (two n))"
    n = atom(text, "n")
    assert str(n.origin) == "game.zrf:3:9"
    assert n.origin.via is None
    assert [str(slot) for slot in n.origin.slots] == ["game.zrf:2:19", "game.zrf:1:15"]


def test_origins_of_body_words_include_the_calls() -> None:
    text = "(define step ($1 add))\n(define two (step $1))\n(m (two n))"
    add = atom(text, "add")
    assert str(add.origin) == "game.zrf:1:18"
    chain = []
    via = add.origin.via
    while via:
        chain.append((via.macro, str(via.call), via.definition.text[:8]))
        via = via.parent
    assert chain == [("step", "game.zrf:2:13", "(define "), ("two", "game.zrf:3:4", "(define ")]


def test_a_pasted_word_has_both_origins() -> None:
    word = atom("(define p (name p$1))\n(m (p x))", "px")
    assert str(word.origin) == "game.zrf:1:17"
    assert [str(slot) for slot in word.origin.slots] == ["game.zrf:2:7"]
    assert word.origin.via is not None


# --- problems ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(define a (a))(m (a))", ["recursive-macro"]),
        ("(define a (b) (b))(define b (a) (a))(m (a))", ["recursive-macro"]),
        ("(define a (a $1x) (a $1y))(m (a z))", ["recursive-macro"]),
        ("(define a ($1 $1))(m (a a))", ["recursive-macro"]),
        ("(define a ($1 $1 $2x) ($1 $1 $2y))(m (a a z))", ["recursive-macro"]),
        ("(define a ($1 $1 (x $2)))(m (a a z))", ["recursive-macro"]),
        ("(define a (a))(m)", []),
        ("(define a $1 $2)(m (a x))", ["missing-argument"]),
        ("(define a (b $1 $2))(define b $1)(m (a x))", []),
        ("(define a $1 $2)", []),
        ("(m $1)", ["missing-argument"]),
        ("(define)", ["bad-define"]),
        ("(define (a) b)", ["bad-define"]),
        ("(define game x)(game)", ["keyword-redefined"]),
        ("(define a x$1)(m (a (b)))", ["list-in-name", "missing-argument"]),
    ],
)
def test_problems_of_expansion_are_reported(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def chain(body: str, last: str, count: int = 60) -> str:
    levels = (f"(define a{i} {body.replace('NEXT', f'a{i + 1}')})" for i in range(count))
    return "".join(levels) + f"(define a{count} {last})(m (a0 z))"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (chain("(NEXT) (NEXT)", "x"), "expansion-too-large"),
        (chain("(p (NEXT) (NEXT))", "x"), "expansion-too-large"),
        (chain("(NEXT $1$1)", "$1"), "expansion-too-large"),
        (chain("(NEXT (p $1 $1))", "$1"), "expansion-too-large"),
        (chain("(NEXT)", "x", 400), "too-deep"),
        (chain("(p (NEXT))", "x", 400), "too-deep"),
        ("(define m " + "(b $1 " * 240 + ")" * 240 + ")" + "(a " * 240 + "(m x)" + ")" * 240, "too-deep"),
        ("(define m (p " + "(b " * 240 + ")" * 240 + "))(x (m) " + "(a " * 240 + "(m)" + ")" * 241, "too-deep"),
    ],
)
def test_expansion_bombs_are_refused(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_distinct_forms_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.front.expand.MAX_NODES", 10_000)
    assert codes(chain("(p (NEXT $1x) (NEXT $1y))", "$1")) == ["expansion-too-large"]


def test_deeply_nested_calls_are_expanded() -> None:
    deep = "(a " * (MAX_NESTING - 3) + "(f x)" + ")" * (MAX_NESTING - 3)  # a call counts as one level or two
    assert codes("(define f $1)" + deep) == []
    assert codes("(define f " + deep.replace("(f x)", "$1") + ")(f x)") == []


# --- comparison with plain replacement of text until no call is left ---


def textual(nodes: list[Plain]) -> list[Plain]:
    """Expand macros by plain replacement, without sharing: first the calls in the arguments and in the body, then the
    body's `$n`, then the calls that result. A `$n` without an argument stays."""
    macros: dict[str, list[Plain]] = {}
    for node in nodes:
        if isinstance(node, list) and node[0] == "define":
            macros[str(node[1])] = node[2:]

    def fill(node: Plain, arguments: list[Plain]) -> Plain:
        if isinstance(node, list):
            return [fill(item, arguments) for item in node]

        def argument(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            return str(arguments[index]).strip('"') if 0 <= index < len(arguments) else match[0]

        if re.fullmatch(r"\$\d+", node) and int(node[1:]) <= len(arguments):
            return arguments[int(node[1:]) - 1]
        return re.sub(r"\$(\d+)", argument, node)

    def replace(node: Plain) -> list[Plain]:
        if isinstance(node, str):
            return [node]
        if node[:1] == ["define"]:
            return []
        items = [new for item in node for new in replace(item)]
        if items and isinstance(items[0], str) and items[0] in macros:
            body = [new for item in macros[items[0]] for new in replace(item)]
            return [new for item in body for new in replace(fill(item, items[1:]))]
        return [items]

    return [new for node in nodes for new in replace(node)]


# No word begins with a digit: `textual` would read an unfilled `$1` before the word `7` as `$17`.
WORDS = st.sampled_from(["n", "e", "x1", "$1", "$2", "$3", "p$1", "$1$2", '"i$2"', "-7"])


def calls(names: list[str]) -> st.SearchStrategy[str]:
    words = st.lists(WORDS, max_size=3).map(" ".join)
    call = st.builds(lambda name, given: f"({name} {given})", st.sampled_from(names), words)
    body = st.lists(st.one_of(WORDS, call), max_size=4).map(" ".join)
    return st.one_of(call, st.builds(lambda inner: f"(if {inner})", body))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Generate macros that call only later ones, and a form with a few calls."""
    count = draw(st.integers(1, 5))
    names = [f"m{i}" for i in range(count)] + ["list"]
    text = ""
    for i in range(count):
        body = draw(st.lists(st.one_of(WORDS, calls(names[i + 1 :])), max_size=4))
        text += f"(define m{i} {' '.join(body)})\n"
    return text + "(game " + " ".join(draw(st.lists(calls(names), min_size=1, max_size=4))) + ")"


@settings(max_examples=50)
@given(programs())
def test_expansion_agrees_with_textual_replacement(text: str) -> None:
    forms_read = read_forms(Source("game.zrf", text), Report(), lambda name, origin: None)
    assert [plain(node) for node in run(text)[0].nodes] == textual([plain(node) for node in forms_read])


@settings(max_examples=300)
@given(st.text(alphabet='()"; $12ab', max_size=60).map(lambda t: f"(define a {t})(define b {t[::-1]})(a (b) b a)"))
def test_any_text_is_expanded_or_refused(text: str) -> None:
    run(text)
