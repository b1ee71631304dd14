"""PNG rendering of a scene by resvg (the extra `board`)."""

from math import sqrt

from zrf_py.text.extras import missing_extra
from zrf_py.view.scene import Scene
from zrf_py.view.svg import svg

MAX_PIXELS = 64_000_000


def png(scene: Scene, *, width: int | None = None) -> bytes:
    """Render a scene as a PNG file.

    :param width: width in pixels, reduced to keep within `MAX_PIXELS`; by default twice the scene's, at most 4000.
    :raises ZrfError: if resvg-py isn't installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise missing_extra("a PNG picture", "board", "SVG pictures need no package") from None
    wide = width or round(min(scene.width * 2, 4000))
    wide = max(1, min(wide, int(sqrt(MAX_PIXELS * scene.width / max(scene.height, 1)))))
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene), width=wide))
