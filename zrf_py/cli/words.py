"""`zrf words`: describe the rules of a game in words and pictures."""

import argparse
import sys
from dataclasses import replace

from zrf_py.cli.common import add_game, open_game, write_file


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Describe the rules in words: the board, the start position, how each piece moves (with a picture), forced "
        "moves and the end of the game. The description is derived from the compiled rules and quotes the author's own "
        "texts. Complicated moves are described step by step.")
    add_game(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--md", action="store_true", help="write Markdown, with boards as text (the default)")
    form.add_argument("--html", action="store_true", help="write a web page, with boards as pictures")
    parser.add_argument("--lang", default="en", metavar="LANGUAGE", help="language: en (the default) or de; names stay "
                        "as the rules file writes them, and so do the author's texts, except in bundled games")
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write; - is standard output")


def run(args: argparse.Namespace) -> int:
    """Print or write the rules in words; return exit code 0."""
    from zrf_py.author.words.language import Language
    from zrf_py.author.words.rules import rules_in_words
    from zrf_py.author.words.writing import html, markdown
    from zrf_py.catalogue import titled

    rules = rules_in_words(open_game(args.name, args.variant, "interpret"), args.lang)
    if args.lang != "en":
        rules = replace(rules, title=titled(rules.title, args.lang))
        print(Language(args.lang)("note.names"), file=sys.stderr)
    text = html(rules) if args.html else markdown(rules)
    if args.output is not None:
        write_file(args.output, text.encode("utf-8", "replace"))
    else:
        print(text, end="")
    return 0
