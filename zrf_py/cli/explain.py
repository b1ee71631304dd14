"""`zrf explain`: explain a keyword of the language, an option, or the code of a message."""

import argparse
import textwrap
from typing import Any

from zrf_py.cli.common import add_json, print_json, width


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", metavar="WORD|CODE", nargs="?", help="keyword or code to explain (default: list all)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.author.explaining import EXPLAINED, OPTIONS, explain, known
    from zrf_py.front.keywords import KEYWORDS

    if args.word is None and args.json:
        print_json({"keywords": sorted(KEYWORDS), "options": sorted(OPTIONS), "codes": sorted(EXPLAINED)})
        return 0
    if args.word is None:
        _list("Keywords", sorted(KEYWORDS))
        _list("Options", sorted(f'"{name}"' for name in OPTIONS))
        _list("Codes of messages", sorted(EXPLAINED))
        return 0
    word = known(args.word)
    keyword, code = explain(word)
    if args.json:
        rows = (("keyword", keyword), ("code", code))
        print_json({kind: {name: getattr(row, name) for name in row.__slots__} for kind, row in rows if row})
        return 0
    print("\n\n".join([*([_keyword(word, keyword)] if keyword else ()), *([_code(word, code)] if code else ())]))
    return 0


def _list(heading: str, words: list[str]) -> None:
    print(f"{heading}\n{_wrap('  '.join(words))}\n")


def _wrap(text: str) -> str:
    return textwrap.fill(text, width(), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")


def _keyword(word: str, row: Any) -> str:
    from zrf_py.author.explaining import OPTIONS

    kind = "an option" if row is OPTIONS.get(word) else "a keyword"
    return (f"{word} — {kind} of {row.where}\n{_wrap(row.meaning)}\n\n  form\n{_indented(row.form)}\n\n"
            f"  example\n{_indented(row.example)}")


def _code(word: str, row: Any) -> str:
    text = f"{word} — the code of a message\n{_wrap(row.meaning)}"
    for name, example in (("wrong", row.wrong), ("right", row.right)):
        excerpt = example if len(example) < 400 else f"{example[:200]} …"
        text += f"\n\n  {name}\n{_indented(excerpt)}" if example else ""
    return text
