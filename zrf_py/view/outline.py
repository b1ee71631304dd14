"""Outlines of places as SVG path data."""

from zrf_py.view.geometry import DrawnPlace
from zrf_py.view.xml import number


def outline(place: DrawnPlace, inset: float = 0, circle: bool = False) -> str:
    """Return a place's outline as path data, `inset` pixels inside its edge; `circle`: points on lines are round."""
    x, y = place.x, place.y
    if place.shape == "hex":
        scale = 1 - 2 * inset / (place.room or 1)
        corners = [f"{number(x + (a - x) * scale)} {number(y + (b - y) * scale)}" for a, b in place.outline]
        return "M" + "L".join(corners) + "Z"
    if place.shape == "point" and circle:
        r = max(place.room / 2 - inset, 0.1)
        return f"M{number(x - r)} {number(y)}a{number(r)} {number(r)} 0 1 0 {number(2 * r)} 0" \
               f"a{number(r)} {number(r)} 0 1 0 {number(-2 * r)} 0Z"
    w, h = place.w - 2 * inset, place.h - 2 * inset
    return f"M{number(x - w / 2)} {number(y - h / 2)}h{number(w)}v{number(h)}h{number(-w)}Z"
