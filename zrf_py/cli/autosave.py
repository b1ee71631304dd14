"""A game that somebody leaves without saving it is kept."""

from zrf_py.cache import state_base
from zrf_py.play.session import Session
from zrf_py.text.diagnostics import ZrfError

AUTOSAVE = "zrf-autosave.zsg"


def keep_game(session: Session) -> str:
    """Save a game that somebody leaves without saving it; what to tell them, "" if there is nothing to keep."""
    if not session.is_changed or not session.has_humans:
        return ""
    path = state_base() / AUTOSAVE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        session.save(path)
        return f"The game is kept in {path}."
    except (OSError, ZrfError):
        return f"The game could not be kept in {path}."
