"""Sounds of a rules file: the files that may be played; all others are ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

import zrf_py
from zrf_py.view import noises as sounds
from zrf_py.view.noises import noise, noises

GAME = """(game (title "Beep") (players White Black) (turn-order White Black) {sounds}
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1" (0 9))) (directions (e 1 0))))
    (piece (name Man) (moves (e (verify empty?) add)))
    (board-setup (White (Man a1))) (win-condition (White) (absolute-config Man (b1))))"""

WAVE = b"RIFFdata"


def heard(folder: Path, names: str) -> dict[str, str]:
    """Return the sounds of a game in `folder/rules`, as paths relative to `folder`."""
    path = folder / "rules" / "beep.zrf"
    path.write_text(GAME.format(sounds=names))
    return {kind: found.resolve().relative_to(folder.resolve()).as_posix()
            for kind, found in noises(zrf_py.load(path)).items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("rules/near.wav", "rules/Deep/in.WAV", "rules/text.txt", "Audio/far.wav", "Audio/near.wav",
                 "Other/no.wav", "rules/Audio/both.wav", "Audio/both.wav", "up.wav"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(WAVE)
    return tmp_path


@pytest.mark.parametrize(("word", "kind"), [
    ("move-sound", "move"), ("release-sound", "move"), ("capture-sound", "take"), ("drop-sound", "drop"),
    ("win-sound", "end"), ("draw-sound", "end"), ("loss-sound", "end"),
])
def test_each_sound_belongs_to_an_event(folder: Path, word: str, kind: str) -> None:
    assert heard(folder, f'({word} "near.wav")') == {kind: "rules/near.wav"}


@pytest.mark.parametrize(("name", "found"), [
    ("near.wav", "rules/near.wav"), ("NEAR.Wav", "rules/near.wav"), ("deep/IN.wav", "rules/Deep/in.WAV"),
    ("Deep\\\\in.wav", "rules/Deep/in.WAV"), ("./near.wav", "rules/near.wav"),
    ("Audio/far.wav", "Audio/far.wav"), ("audio\\\\far.wav", "Audio/far.wav"),
    ("../Audio/far.wav", "Audio/far.wav"), ("Audio/both.wav", "rules/Audio/both.wav"),
    ("far.wav", None), ("Other/no.wav", None), ("../Other/no.wav", None), ("../up.wav", None), ("up.wav", None),
    ("text.txt", None), ("Deep", None), ("missing.wav", None), ("/etc/near.wav", None),
    ("C:\\\\near.wav", None), ("", None),
    ("folder.wav", None),
])
def test_only_sounds_beside_the_rules_or_in_the_audio_folder_are_found(
    folder: Path, name: str, found: str | None,
) -> None:
    (folder / "rules" / "folder.wav").mkdir()
    expected = {"move": found} if found else {}
    assert heard(folder, f'(move-sound "{name}")'.replace("\\\\", "\\")) == expected


def test_the_first_existing_sound_of_an_event_is_used(folder: Path) -> None:
    assert heard(folder, '(move-sound "near.wav") (release-sound "Deep/in.wav")') == {"move": "rules/near.wav"}
    assert heard(folder, '(move-sound "gone.wav") (release-sound "Deep/in.wav")') == {"move": "rules/Deep/in.WAV"}


def test_links_out_of_the_folder_and_oversized_sounds_are_ignored(
    folder: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder / "rules" / "out.wav").symlink_to(folder / "up.wav")
    outside = folder.parent / f"{folder.name}-outside.wav"
    outside.write_bytes(WAVE)
    (folder / "Audio" / "out2.wav").symlink_to(outside)
    (folder / "rules" / "inside.wav").symlink_to(folder / "rules" / "near.wav")
    assert heard(folder, '(move-sound "out.wav") (drop-sound "inside.wav")') == {"drop": "rules/near.wav"}
    assert heard(folder, '(move-sound "Audio/out2.wav")') == {}
    assert sounds.MAX_BYTES == 2 * 1024 * 1024
    for most, expected in ((len(WAVE), {"move": "rules/near.wav"}), (len(WAVE) - 1, {})):
        monkeypatch.setattr(sounds, "MAX_BYTES", most)
        assert heard(folder, '(move-sound "near.wav")') == expected


def test_a_sound_file_is_read(folder: Path) -> None:
    heard(folder, '(move-sound "near.wav")')
    game = zrf_py.load(folder / "rules" / "beep.zrf")
    assert (noise(game, "move"), noise(game, "take"), noise(game, "other")) == (WAVE, b"", b"")
    assert noises(zrf_py.loads(GAME.format(sounds='(move-sound "near.wav")'))) == {}
