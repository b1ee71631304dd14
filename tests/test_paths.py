"""File names as old rules write them, found on this disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from zrf_py import paths


def _made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", "utf-8")


@pytest.mark.parametrize(("name", "parts"), [
    (r"Rules\Chess.zrf", ("Rules", "Chess.zrf")), (r"..\a/b.zrf", ("..", "a", "b.zrf")),
    (r"C:Chess.zrf", None), (r"C:\Chess.zrf", None), (r"\Chess.zrf", None), ("/Chess.zrf", None), ("a\0b", None),
])
def test_only_relative_names_are_split_into_steps(name: str, parts: tuple[str, ...] | None) -> None:
    assert paths.parts_of(name) == parts


def test_an_exact_name_is_preferred_to_one_in_other_case(tmp_path: Path) -> None:
    _made(tmp_path, "Rules/CHESS.zrf", "Rules/chess.zrf", "rules/x.zrf")
    assert paths.same_name(tmp_path, ("Rules", "chess.zrf")) == tmp_path / "Rules" / "chess.zrf"
    assert paths.same_name(tmp_path, ("RULES", ".", "Chess.ZRF")) == tmp_path / "Rules" / "CHESS.zrf"
    assert paths.same_name(tmp_path, ("rules", "X.zrf")) == tmp_path / "rules" / "x.zrf"
    assert paths.same_name(tmp_path, ("rules", "chess.zrf")) is None


def test_nearest_files_come_first_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    _made(tmp_path, "a/deep/1.zrf", "a/2.zrf", "b/3.zrf", "z.zrf")
    (tmp_path / "b" / "round").symlink_to(tmp_path, target_is_directory=True)
    found = [path.relative_to(tmp_path).as_posix() for path in paths.below(tmp_path)]
    assert found == ["z.zrf", "a/2.zrf", "b/3.zrf", "a/deep/1.zrf"]


def test_the_number_of_entries_read_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _made(tmp_path, *(f"{number}.zrf" for number in range(9)))
    monkeypatch.setattr(paths, "MAX_ENTRIES", 5)
    assert len(list(paths.below(tmp_path))) == 5
