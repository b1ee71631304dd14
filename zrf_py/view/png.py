"""A scene → PNG, by resvg (the extra `board`)."""

from math import sqrt

from zrf_py.text.extras import missing_extra
from zrf_py.view.scene import Scene
from zrf_py.view.svg import Style, svg

MAX_PIXELS = 64_000_000


def png(scene: Scene, *, width: int | None = None, style: Style | None = None) -> bytes:
    """
    The drawing as a PNG file, `width` pixels wide (twice the rules file's own size if None), as far as that is
    reasonable: a picture has at most `MAX_PIXELS`.

    :raises ZrfError: if resvg-py isn't installed, or can't draw it.
    """
    try:
        import resvg_py
    except ImportError:
        raise missing_extra("a PNG picture", "board", "SVG pictures need nothing") from None
    wide = width or round(min(scene.width * 2, 4000))
    wide = max(1, min(wide, int(sqrt(MAX_PIXELS * scene.width / max(scene.height, 1)))))
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene, style=style), width=wide))
