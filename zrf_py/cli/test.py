"""`zrf test`: run the tests of games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.common import beside, is_place, print_problems, write_file
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import harmless

if TYPE_CHECKING:
    from zrf_py.author.tests.running import Result, Test


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run the tests of rules files. The tests of hop.zrf are blocks that start with ```moves, in hop.md or in "
        "comments of hop.zrf, with lines such as `play: a1 a2, b5 b4`, `can: b1 b2`, `cannot: c1 c4`; see "
        "grammar/tests.md.")
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER",
                        help="rules files, Markdown files with tests, or folders or .zip archives of them")
    parser.add_argument("--junit", metavar="FILE", help="also write the results as JUnit XML; - is standard output")
    parser.add_argument("-v", "--verbose", action="store_true", help="also list the tests that pass")


def run(args: argparse.Namespace) -> int:
    """Return exit code 2 if no test was run, 1 if one fails or a file can't be read, 0 otherwise."""
    from zrf_py.author.tests.running import junit

    unread: list[ZrfError] = []
    with beside(args.junit):
        results = _run(args.files, args.verbose, unread)
    if args.junit is not None:
        write_file(args.junit, junit(results).encode("utf-8", "replace"))
    return 2 if not results else int(bool(unread) or any(result.problem for result in results))


def _run(files: list[str], verbose: bool, unread: list[ZrfError]) -> list[Result]:
    """Run the tests and print each result at once; return all results. Errors while reading files go to `unread`."""
    from zrf_py.author.tests.running import tests_of

    tests: list[Test] = []
    for path in _paths(files, unread):
        with _noted(unread):
            tests += tests_of(path)
    results = []
    for number, test in enumerate(tests, 1):
        if sys.stderr.isatty():
            print(f"\r{number}/{len(tests)}", end="\r", file=sys.stderr)
        result = test.run()
        results.append(result)
        if result.problem:
            lines = f"FAILED {result.place} {result.name}", *result.problem.split("\n")
            print("\n    ".join(map(harmless, lines)))
        elif verbose:
            print(harmless(f"passed {result.place} {result.name} ({result.seconds:.1f} s)"))
        sys.stdout.flush()
    failed = sum(bool(result.problem) for result in results)
    counts = f"{len(results) - failed} passed, {failed} failed" + (f", {len(unread)} not read" if unread else "")
    print(counts if results else
          "no tests: write blocks that begin with ```moves in a file of the same name that ends in .md")
    return results


@contextmanager
def _noted(unread: list[ZrfError]) -> Iterator[None]:
    """Context manager for reading a file or archive: print an error and append it to `unread` instead of raising it."""
    try:
        yield
    except ZrfError as error:
        unread.append(error)
        print_problems(error.diagnostics, stream=sys.stderr)
        print(file=sys.stderr)


def _paths(names: list[str], unread: list[ZrfError]) -> list[Path]:
    """Return the named files; for folders and archives, their rules files, and those Markdown files with tests that are
    not the page of a rules file."""
    from zrf_py.archives import on_disk, rules_in
    from zrf_py.library import find, read_source

    files: list[Path] = []
    for name in names:
        if not is_place(name):
            files.append(find(name))
            continue
        rules: list[Path] = []
        pages: list[Path] = []
        for path, problems in rules_in(Path(name), endings=(".zrf", ".md")):
            with _noted(unread):
                if problems:
                    raise ZrfError(problems)
                (pages if path.suffix.lower() == ".md" else rules).append(on_disk(path))
        tested = {path.with_suffix(".md") for path in rules}
        files += [*rules, *(page for page in sorted(pages)
                            if page not in tested and "```moves" in read_source(page).text)]
    return list(dict.fromkeys(files))
