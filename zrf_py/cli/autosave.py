"""Autosave a game on exit."""

from zrf_py.cache import state_base
from zrf_py.play.session import Session
from zrf_py.text.diagnostics import ZrfError

AUTOSAVE = "zrf-autosave.zsg"


def keep_game(session: Session) -> str:
    """Autosave an unsaved game with human players; return a note for the user, "" if nothing is to be saved."""
    if not session.is_changed or not session.has_humans:
        return ""
    path = state_base() / AUTOSAVE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        session.save(path)
        return f"The game was saved in {path}."
    except (OSError, ZrfError):
        return f"The game could not be saved in {path}."
