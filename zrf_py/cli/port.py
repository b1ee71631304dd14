"""`zrf port`: report which of a collection of old rules files open, play and replay."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.batches import processes, progress_bar
from zrf_py.cli.common import add_json, no_output, print_json, use_color, width

if TYPE_CHECKING:
    from zrf_py.port.collecting import Item
    from zrf_py.port.report import Report
    from zrf_py.port.run import Doing, OnItem

KEPT = "port.jsonl"
QUIET = 10.0
"""Seconds between progress lines if standard error is not a terminal."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Examine every rules file and saved game in folders and .zip archives. Results are stored, so the same command "
        "resumes where it was stopped. Random games are cut off after 400 moves or 4 s of processor time. The exit "
        "code is 1 if there is nothing to examine, if something can't be read, if rules fail in play or zrf fails, or "
        "if a saved game has no rules or doesn't replay to its end although its rules name no engine DLL.")
    parser.add_argument("places", metavar="FOLDER|ZIP", nargs="+", help="folders and archives to examine")
    parser.add_argument("-o", "--output", metavar="DIR", help="folder for report.json and intermediate results")
    parser.add_argument("--html", action="store_true", help="also write report.html, a page with pictures, to the "
                        "folder of -o (default: the current folder)")
    add_json(parser, "print the report as JSON instead of a table")
    parser.add_argument("--workers", type=processes, default=os.cpu_count() or 1, metavar="N",
                        help="worker processes (default: one per processor)")
    parser.add_argument("--fresh", action="store_true", help="ignore earlier results")


def run(args: argparse.Namespace) -> int:
    from zrf_py.cache import state_folder
    from zrf_py.port.collecting import find_items
    from zrf_py.port.run import port

    no_output("-o", args.output, "folder")
    output = Path(args.output) if args.output else None
    folder = output or state_folder()
    results = folder / KEPT if folder else None
    if args.fresh and results is not None:
        results.unlink(missing_ok=True)
    files = find_items(args.places, output)
    try:
        with _progress(len(files.items)) as (tick, doing):
            report = port(args.places, files, results, workers=args.workers, picture=args.html, tick=tick, doing=doing)
    except KeyboardInterrupt:
        print(f"\nStopped. Results so far are saved in {results}; the same command resumes from there." if results else
              "\nStopped; nothing was saved.", file=sys.stderr)
        raise
    written = list(_write(report, output, args.html))
    if args.json:
        print_json(report.as_data())
    else:
        _show(report)
        for path in written:
            print(f"wrote {path}")
    return int(not report.is_good)


def _write(report: Report, output: Path | None, html: bool) -> Iterator[Path]:
    from zrf_py.paths import replace_file
    from zrf_py.port.page import as_page

    folder = output or Path()
    if output:
        output.mkdir(parents=True, exist_ok=True)
        data = json.dumps(report.as_data(), indent=1, ensure_ascii=False)
        replace_file(folder / "report.json", data.encode("utf-8", "replace"))
        yield folder / "report.json"
    if html:
        replace_file(folder / "report.html", as_page(report).encode("utf-8", "replace"))
        yield folder / "report.html"


def _show(report: Report) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from zrf_py.port.report import sentence
    from zrf_py.port.text import HEADINGS, foreign_line, problems, rows

    wide = max(80, width(160)) if sys.stdout.isatty() else 160
    room = max(20, wide - 80)
    console = Console(width=wide, no_color=not use_color("auto"), highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(HEADINGS):
        table.add_column(heading, overflow="ellipsis" if number == 0 else "fold", no_wrap=number == 0,
                         justify="right" if heading in ("Games", "Saved", "Seconds") else "left")
    for name, *row in rows(report):
        table.add_row(name if len(name) <= room else f"…{name[1 - room :]}", *row)
    if report.files:
        console.print(table, markup=False)
    listed = list(problems(report))
    print("\n".join([*listed, ""]) if listed else "", end="\n" if listed else "")
    for line in (foreign_line(report), sentence(report)):
        if line:
            print(line)


@contextmanager
def _progress(count: int) -> Iterator[tuple[OnItem, Doing]]:
    """Show a progress bar on a terminal, else a line every `QUIET` seconds."""
    if not sys.stderr.isatty():
        yield _lines(count)
        return
    with progress_bar(count) as update:
        yield (lambda item: update(advance=1, description=_name(item)),
               lambda item, text: update(description=f"{_name(item)}: {text}"))


def _lines(count: int) -> tuple[OnItem, Doing]:
    done, printed = 0, time.monotonic()

    def tick(item: Item) -> None:
        nonlocal done
        done += 1

    def doing(item: Item, text: str) -> None:
        nonlocal printed
        if time.monotonic() >= printed + QUIET:
            printed = time.monotonic()
            print(f"{done} of {count} files and saved games; {_name(item)}: {text}", file=sys.stderr)

    return tick, doing


def _name(item: Item) -> str:
    return item.name.rsplit("/", 1)[-1][:40]
