"""A small driver of Firefox by WebDriver BiDi, for tests: Playwright drives only its own build of Firefox."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.serving import PATIENCE

KEYS = {"Enter": "\ue007", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
        "Control": "\ue009", "Backspace": "\ue003", "End": "\ue010"}
SPOT = """(it) => {
  if (!it?.getClientRects().length) return null;
  it.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = it.getBoundingClientRect();
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)];
  const top = document.elementFromPoint(...at); // a piece on a place is beside it in the drawing
  return [it, it.ownerSVGElement].some((each) => each?.contains(top)) ? at : null;
}"""
"""Function that returns the middle of an element as [x, y], or null if it is hidden or covered."""
WIDE, NARROW = (1440, 900), (390, 844)


def firefox() -> str | None:
    """Return the path of Firefox on this machine; None if there is none."""
    return os.environ.get("ZRF_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


@contextmanager
def started(folder: Path) -> Iterator[Firefox]:
    """Start a headless browser, with its own profile in a folder."""
    program, log = firefox(), folder / "firefox.log"
    assert program
    (folder / "user.js").write_text('user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                                    'user_pref("app.update.enabled", false);\n'
                                    'user_pref("ui.prefersReducedMotion", 1);\n', "utf-8")
    command = [program, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True,
                                   env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"})
    try:
        end = time.monotonic() + PATIENCE
        while not (match := re.search(r"WebDriver BiDi listening on (ws://\S+)\n", log.read_text("utf-8"))):
            assert process.poll() is None and time.monotonic() < end, log.read_text("utf-8")
            time.sleep(0.1)
        # a browser that is loading Python answers no ping in time
        with connect(f"{match[1]}/session", max_size=None, open_timeout=PATIENCE, ping_interval=None) as socket:
            yield Firefox(socket, process.pid)
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Firefox:
    """A connection to a browser; `group` is the process group of all its processes."""

    def __init__(self, socket: ClientConnection, group: int) -> None:
        self.socket, self.group = socket, group
        self.numbers = count(1)
        self.errors: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result; meanwhile collect the errors that pages report."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=PATIENCE))
            if message["type"] == "event":
                if message["params"].get("level") == "error":
                    self.errors.append(str(message["params"].get("text")))
            elif message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    @contextmanager
    def page(self, size: tuple[int, int] = WIDE) -> Iterator[Page]:
        """Open a new tab of a first-time visitor; an error in a script fails the test.

        Close the tab before its server ends, or the page reports the lost connection.
        """
        user = self.call("browser.createUserContext")["userContext"]
        context = self.call("browsingContext.create", type="tab", userContext=user)["context"]
        self.call("browsingContext.setViewport", context=context, viewport={"width": size[0], "height": size[1]})
        self.errors.clear()
        yield Page(self, context)
        assert not self.errors, self.errors
        self.call("browser.removeUserContext", userContext=user)


class Page:
    """A tab, or a frame in it."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self.browser, self.context = browser, context

    def goto(self, address: str, wait: str = "complete") -> None:
        self.browser.call("browsingContext.navigate", context=self.context, url=address, wait=wait)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page, converted to JSON and back."""
        result = self.browser.call("script.evaluate", target={"context": self.context}, awaitPromise=False,
                                   expression=f"JSON.stringify({expression}) ?? 'null'")
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def until(self, expression: str) -> None:
        """Wait until an expression holds."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"in vain: {expression}; {self.browser.errors}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Click in the middle of an element with the pointer, once it has stopped moving and nothing covers it."""
        before, spot, end = None, None, time.monotonic() + PATIENCE
        while not spot or spot != before:
            assert time.monotonic() < end, f"can't be clicked: {selector}; {self.browser.errors}"
            time.sleep(0.05)
            before, spot = spot, self.evaluate(f"({SPOT})(document.querySelector({json.dumps(selector)}))")
        self._perform("pointer", [{"type": "pointerMove", "x": spot[0], "y": spot[1]},
                                  {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def press(self, *keys: str) -> None:
        """Press keys one after the other; `Control+a` holds the first key down."""
        actions = []
        for key in keys:
            parts = [KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
            actions += [{"type": "keyDown", "value": part} for part in parts]
            actions += [{"type": "keyUp", "value": part} for part in reversed(parts)]
        self._perform("key", actions)

    def _perform(self, kind: str, actions: list[dict[str, Any]]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self.browser.call("input.performActions", context=self.context, actions=[source])

    def frame(self) -> Page:
        """Return the page in the only frame."""
        self.until("document.querySelector('iframe').contentWindow.location.pathname.length > 1")
        [tree] = self.browser.call("browsingContext.getTree", root=self.context)["contexts"]
        return Page(self.browser, tree["children"][0]["context"])

    def at(self, ply: int) -> None:
        """Wait until a board shows the position after this many moves."""
        self.until(f"document.querySelector('#board svg')?.dataset.ply === '{ply}'")

    def go(self, *places: str) -> None:
        """Click on places one after the other, each as soon as a click there has an effect."""
        for place in places:
            self.click(f"#board .place.can[data-place={place}]")
