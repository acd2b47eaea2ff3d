"""A real browser for tests: headless Chromium, spoken to over its own pipe, so that no port is opened."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DEADLINE_S = 30


class Browser:
    """One tab. Commands are those of the Chrome DevTools Protocol, NUL-separated JSON on two pipes."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._number = 0
        self._scripts = True
        self._session: str | None = None
        self.complaints: list[str] = []
        """What the page's console and the security policy said."""

    def attach(self) -> None:
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.requests: list[str] = []

    def send(self, method: str, **arguments: Any) -> Mapping[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, page: Path, fragment: str = "") -> None:
        """Load the page, or only move to another fragment of it; returns when it is there and its script has run."""
        self.send("Page.navigate", url=page.as_uri() + fragment)
        while self.run("document.readyState") != "complete":
            pass
        if self._scripts:  # events of the move are tasks of the page; without scripts no promise is ever kept
            self.run("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def scripts(self, allowed: bool) -> None:
        """Let pages run scripts, or not."""
        self._scripts = allowed
        self.send("Emulation.setScriptExecutionDisabled", value=not allowed)

    def run(self, script: str) -> Any:
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        code = {"Enter": 13, "Home": 36, "End": 35, "Tab": 9, "/": 191}.get(key, 0)
        text = {"Enter": "\r", "/": "/"}.get(key)
        extra = {"text": text} if text else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **extra)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def screen(self, width: int, height: int, *, dark: bool = False, media: str = "") -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def _next(self) -> Mapping[str, Any]:
        while b"\0" not in self._buffer:
            assert select.select([self._read], [], [], DEADLINE_S)[0], "the browser does not answer"
            block = os.read(self._read, 1 << 16)
            assert block, "the browser is gone"
            self._buffer += block
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event: Mapping[str, Any]) -> None:
        method, said = event.get("method"), event.get("params", {})
        if method == "Log.entryAdded":
            self.complaints.append(said["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(said["exceptionDetails"]))
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"dialog: {said['message']}")
            os.write(self._write, b'{"id":0,"method":"Page.handleJavaScriptDialog","params":{"accept":true}}\0')
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser with its own profile, and end it."""
    assert PROGRAM
    to_read, write = os.pipe()
    read, to_write = os.pipe()
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--hide-scrollbars",
        "--disable-background-networking",
        "--disable-component-update",
        "--remote-debugging-pipe",
        f"--user-data-dir={profile}",
    ]
    # The browser reads file descriptor 3 and writes 4; only a shell can put ours there for a child alone.
    shell = f'exec "$@" 3<&{to_read} 4>&{to_write}'
    process = subprocess.Popen(
        ["bash", "-c", shell, "bash", PROGRAM, *options],
        pass_fds=(to_read, to_write),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(to_write)
    made = Browser(write, read)
    try:
        made.attach()
        yield made
        made._session = None
        made.send("Browser.close")
    finally:
        os.close(write)
        os.close(read)
        try:
            process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
