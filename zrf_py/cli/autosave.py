"""Saved games of the terminal: their paths, and the autosave on exit."""

import os.path
from pathlib import Path

from zrf_py.cache import state_base
from zrf_py.play.session import Session
from zrf_py.text.diagnostics import ZrfError

AUTOSAVE = "zrf-autosave.zsg"


def path_named(text: str) -> Path:
    """Return the path of a saved game as a user types it: `~` is the home folder, .zsg the usual ending."""
    path = Path(os.path.expanduser(text))
    return path if path.suffix or not path.name else Path(f"{path}.zsg")


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
