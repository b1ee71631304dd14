"""Table of all diagnostic codes, with meanings, wrong and right examples. `zrf explain CODE` prints an entry."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Explanation:
    """Explanation of a code: `meaning` in at most two lines; `wrong`, a text that causes it, and `right`, the corrected
    text. `message`, `label` and `help` have placeholders `{0}`, `{1}` …; they are "" if absent or not unique."""

    meaning: str
    wrong: str = ""
    right: str = ""
    message: str = ""
    label: str = ""
    help: str = ""


def explanations(path: Path) -> dict[str, Explanation]:
    """Read explanations by code from a JSON file; its headings, for people who read the file, are dropped."""
    sections = json.loads(path.read_text("utf-8"))
    return {code: Explanation(**text) for section in sections.values() for code, text in section.items()}


CODES = explanations(Path(__file__).with_name("codes.json"))
