"""A position as a picture in a file: `zrf show --svg` and `--png`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from zrf_py.cli.common import add_position, one_output, whole, write_file

if TYPE_CHECKING:
    from zrf_py.play.game import Position

MAX_WIDTH = 10_000


def add_picture(parser: Any) -> None:
    """Add the options for the position and its picture."""
    add_position(parser)
    group = parser.add_argument_group("picture instead of text")
    group.add_argument("--svg", metavar="FILE", help="write the board as SVG; - is standard output")
    group.add_argument("--png", metavar="FILE", help="write the board as PNG; - is standard output")
    group.add_argument("--width", metavar="PIXELS", type=whole(16, MAX_WIDTH), help="width of the PNG")
    group.add_argument("--overlay", metavar="NAME", action="append", default=[],
                       choices=("zones", "links", "directions"),
                       help="draw `zones`, `links` or `directions` over the board; may be repeated")
    group.add_argument("--plain", action="store_true", help="draw symbols instead of the game's bitmaps")


def write_pictures(position: Position, args: argparse.Namespace) -> None:
    """Write the pictures that the options name.

    :raises ZrfError: if a file can't be written, or PNG isn't available here.
    """
    from zrf_py.view.png import png
    from zrf_py.view.scene import scene
    from zrf_py.view.svg import svg

    one_output(args.svg, args.png)
    drawn = scene(position, overlays=args.overlay, bitmaps=not args.plain)
    if args.svg is not None:
        write_file(args.svg, svg(drawn).encode("utf-8"))
    if args.png is not None:
        write_file(args.png, png(drawn, width=args.width))
    if names := [name for name in (args.svg, args.png) if name not in (None, "-")]:
        print(f"Wrote {' and '.join(names)}; any browser can display the picture.", file=sys.stderr)
