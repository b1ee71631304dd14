"""Saved games of `zrf play`: paths as users type them, and the autosave on exit."""

import os.path
import shlex
from pathlib import Path

from zrf_py.cache import state_base
from zrf_py.play.session import Session
from zrf_py.text.diagnostics import ZrfError

AUTOSAVE = "zrf-autosave.zsg"


def path_named(text: str) -> Path:
    """Return the path that a user typed for a saved game: `~` is the home folder, .zsg the default extension."""
    path = Path(os.path.expanduser(text))
    return path if path.suffix or not path.name else Path(f"{path}.zsg")


def keep_game(session: Session) -> str:
    """Autosave an unsaved game with human players; return a note for the user, "" if there is nothing to save."""
    if not session.is_changed or not session.has_humans:
        return ""
    path = state_base() / AUTOSAVE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        session.save(path)
        return f"The game was saved; `zrf play --load {shlex.quote(str(path))}` continues it until another replaces it."
    except (OSError, ZrfError):
        return f"The game could not be saved in {path}."
