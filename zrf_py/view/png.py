"""A scene → PNG, by resvg (the extra `board`)."""

from __future__ import annotations

from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.view.scene import Scene
from zrf_py.view.svg import Style, svg


def png(scene: Scene, *, width: int | None = None, style: Style | None = None) -> bytes:
    """
    The drawing as a PNG file, `width` pixels wide (twice the rules file's own size if None).

    :raises ZrfError: if resvg-py isn't installed, or can't draw it.
    """
    try:
        import resvg_py
    except ImportError:
        raise ZrfError([Diagnostic("needs-extra", "PNG pictures need the package resvg-py", None,
                                   help='type `pip install "zrf-py[board]"`; SVG pictures need nothing')]) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene, style=style), width=width or round(scene.width * 2)))
