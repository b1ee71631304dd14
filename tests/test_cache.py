"""The disk cache: its location, trusted files, eviction, and damaged entries."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tests.playing import counted
from zrf_py import cache

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs modes, links and locks of POSIX")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "with the package")
    found = cache.folder()
    assert found == tmp_path / "zrf_py"
    return found


@pytest.mark.parametrize(("platform", "environment", "cached", "state"), [
    ("linux", {}, "HOME/.cache/zrf_py", "HOME/.local/state/zrf_py"),
    ("darwin", {}, "HOME/Library/Caches/zrf_py", "HOME/Library/Application Support/zrf_py"),
    ("win32", {"LOCALAPPDATA": "TMP/local"}, "TMP/local/zrf_py", "TMP/local/zrf_py"),
    ("win32", {}, None, "HOME/zrf_py"),
    ("linux", {"XDG_CACHE_HOME": "TMP/xdg"}, "TMP/xdg/zrf_py", "HOME/.local/state/zrf_py"),
    ("linux", {"XDG_STATE_HOME": "TMP/xdg"}, "HOME/.cache/zrf_py", "TMP/xdg/zrf_py"),
    ("win32", {"ZRF_CACHE": "TMP/own", "XDG_CACHE_HOME": "TMP/xdg"}, "TMP/own/zrf_py", "HOME/zrf_py"),
    ("darwin", {"ZRF_STATE": "TMP/state"}, "HOME/Library/Caches/zrf_py", "TMP/state"),
])
def test_each_system_has_its_folders(
    platform: str, environment: dict[str, str], cached: str | None, state: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = tmp_path / "home"
    for name in ("ZRF_CACHE", "ZRF_STATE", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value.replace("TMP", str(tmp_path)))
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: home)

    def path(text: str) -> Path:
        return Path(text.replace("TMP", str(tmp_path)).replace("HOME", str(home)))

    assert cache.folder() == (path(cached) if cached else None)
    assert cache.state_base() == path(state) and cache.state_folder() == path(state) and path(state).is_dir()
    if cached:
        assert path(cached).stat().st_mode & 0o777 == 0o700


def test_without_a_home_or_a_folder_there_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    for name in ("ZRF_CACHE", "ZRF_STATE", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert cache.folder() is None and cache.state_folder() is None
    (tmp_path / "zrf_py").write_text("a file")
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    assert cache.folder() is None and cache.entries() == [] and cache.clear() == 0
    cache.store("a", b"code")
    assert cache.load("a") is None


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o770, 0o777])
def test_a_folder_or_file_that_others_may_write_is_not_trusted(place: Path, mode: int) -> None:
    cache.store("a", b"code")
    (place / "a").chmod(mode)
    assert cache.load("a") is None
    (place / "a").chmod(0o600)
    assert cache.load("a") == b"code"
    place.chmod(mode)
    assert cache.folder() is None
    place.chmod(0o755)
    assert cache.folder() == place


def test_a_link_or_a_file_of_another_user_is_not_trusted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.store("a", b"code")
    (place / "b").symlink_to(place / "a")
    assert (cache.load("a"), cache.load("b")) == (b"code", None)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert cache.load("a") is None and cache.folder() is None
    monkeypatch.delattr(os, "getuid")
    assert cache.load("a") == b"code", "a system without users"


def test_damaged_entries_are_removed_and_not_returned(place: Path) -> None:
    """This holds whichever byte has changed, and for truncated files; the package's entry, if there is one, is returned
    instead."""
    cache.store("a", b"code")
    data = (place / "a").read_bytes()
    spoilt = [data[:i] + bytes([data[i] ^ 1]) + data[i + 1:] for i in range(len(data))]
    for damaged in counted([*spoilt, data[:-1], data + b"x", b"", data[:20]], 50):
        (place / "a").write_bytes(damaged)
        assert cache.load("a") is None and not (place / "a").exists()
    cache.SHIPPED.mkdir()
    (cache.SHIPPED / "a").write_bytes(data)
    assert cache.load("a") == b"code" and cache.load("b") is None
    (cache.SHIPPED / "a").write_bytes(spoilt[-1])
    assert cache.load("a") is None
    cache.store("a", b"mine")
    assert cache.load("a") == b"mine"


def test_large_contents_of_zeros_take_little_room(place: Path) -> None:
    content = bytes(3 << 20) + b"end"
    cache.store("zeros", content)
    assert cache.load("zeros") == content
    assert (place / "zeros").stat().st_size < 1 << 15
    data = (place / "zeros").read_bytes()
    (place / "zeros").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert cache.load("zeros") is None


def test_keys_depend_on_every_part_and_on_where_it_ends() -> None:
    parts = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("c", "ab"), ("a\udcffb",)]
    keys = {cache.key(*each) for each in parts}
    assert len(keys) == 6 and all(len(k) == 40 and int(k, 16) >= 0 for k in keys)
    assert cache.key("ä", b"x") == cache.key("ä".encode(), "x")


def test_the_least_recently_used_entry_is_evicted_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    for age, name in ((300, "old"), (200, "used"), (100, "new")):
        cache.store(name, bytes(1000))
        os.utime(place / name, (now - age, now - age))
    assert [path.name for path, _ in cache.entries()] == ["old", "used", "new"]
    size = (place / "old").stat().st_size
    assert cache.load("old") == bytes(1000), "now it is the most recent"
    assert [path.name for path, _ in cache.entries()] == ["used", "new", "old"]
    monkeypatch.setattr(cache, "ROOM", 4 * size)
    cache.store("more", bytes(1000))
    assert len(cache.entries()) == 4
    monkeypatch.setattr(cache, "ROOM", 4 * size - 1)
    cache.store("more", bytes(1000))
    assert [path.name for path, _ in cache.entries()] == ["new", "old", "more"]
    assert cache.clear() == 3 and cache.entries() == []


def test_files_that_were_never_finished_are_removed_after_an_hour(place: Path) -> None:
    for name, age in (("new-old", 3700), ("new-fresh", 3500), ("whole", 9999)):
        (place / name).write_bytes(b"x")
        os.utime(place / name, (time.time() - age, time.time() - age))
    cache.store("a", b"code")
    assert {path.name for path, _ in cache.entries()} == {"new-fresh", "whole", "a"}


def test_a_write_that_fails_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: object, target: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        cache.store("a", b"code")
    assert list(place.iterdir()) == [] and not cache._half
    half = place / "new-1"
    half.write_bytes(b"x")
    monkeypatch.setattr(cache, "_half", {str(half), str(place / "new-gone")})
    cache.forget_half()
    assert not half.exists()


def test_a_lock_has_one_holder_at_a_time(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with cache.alone("making"):
        assert cache.hold(place / "making.lock", wait=False) is None
    again = cache.hold(place / "making.lock", wait=False)
    assert again is not None
    again.close()
    monkeypatch.setenv("ZRF_CACHE", os.devnull)
    with cache.alone("making"):
        assert cache.folder() is None


def test_the_package_ships_exactly_what_the_cache_holds(place: Path) -> None:
    cache.store("a", b"one")
    cache.store("b", b"two")
    cache.SHIPPED.mkdir()
    (cache.SHIPPED / "stale").write_bytes(b"x")
    for _ in range(2):
        cache.ship()
        assert {path.name: path.read_bytes() for path in cache.SHIPPED.iterdir()} == {
            name: (place / name).read_bytes() for name in ("a", "b")}
    cache.clear()
    assert cache.load("a") == b"one"
