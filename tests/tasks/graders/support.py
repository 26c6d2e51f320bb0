"""What the graders share: the program `payspec`, servers under test, and calls over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

#: The time in which a server under test must listen, and in which a call must be answered.
SECONDS = 15

#: A check: its sentence for the case that the solution does not pass it, and the function that returns whether it does.
Check = tuple[str, Callable[[], bool]]


class Unusable(Exception):
    """The solution cannot be examined at all. The message is the sentence of the grader."""


def payspec() -> str:
    """Returns the program of the variable PAYSPEC_CLI, or of the PATH."""
    program = os.environ.get("PAYSPEC_CLI") or shutil.which("payspec")
    if program is None:
        raise RuntimeError("set PAYSPEC_CLI to the program payspec, or add it to the PATH")
    return os.path.abspath(program)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs `payspec` to its end, with any status."""
    return subprocess.run([payspec(), *arguments], capture_output=True, text=True, check=False)


def answer(*arguments: str | Path) -> Any:
    """Runs `payspec`, and returns its output as JSON."""
    done = run(*arguments)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(f"payspec {arguments[0]}: {done.stderr}") from None


def read_json(folder: Path, name: str) -> Any:
    """Returns the content of a file of the solution."""
    try:
        return json.loads((folder / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unusable(f"The solution has no file {name}.") from None
    except ValueError:
        raise Unusable(f"The file {name} is not JSON.") from None


def failed(checks: Iterable[Check]) -> list[str]:
    """Returns the sentences of the checks that the solution does not pass. No answer is a failure too."""
    sentences = []
    for sentence, passes in checks:
        try:
            passed = passes()
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
            passed = False
        if not passed:
            sentences.append(sentence)
    return sentences


def call(
    url: str, body: Any = None, headers: Mapping[str, str] | None = None, method: str | None = None
) -> tuple[int, Any]:
    """Calls a server: POST with a body, otherwise GET by default. Returns the status, and the body if it is JSON."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    all_headers = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data, all_headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, None


class Server:
    """A server under test, on a port of its own, with a folder for its data that survives a restart."""

    def __init__(self, command: Callable[[int], list[str]], folder: Path, variables: Mapping[str, str]) -> None:
        """Starts the server: `command` is that for a port."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = Path(tempfile.mkdtemp(prefix="payspec-task-"))
        self._command, self._folder, self._variables = command(self.port), folder, variables
        self.start()

    def start(self) -> None:
        """Starts the process, and waits until it listens."""
        variables = {**os.environ, **self._variables, "PORT": str(self.port), "DATA": str(self.data), "URL": self.url}
        self._log = open(self.data / "output.log", "ab")  # noqa: SIM115
        outputs: dict[str, Any] = {"stdout": self._log, "stderr": self._log}
        if shutil.which(self._command[0]) is None:
            raise RuntimeError(f"{self._command[0]} is not installed")
        # A group of its own, so that `kill` ends its workers too.
        self._process = subprocess.Popen(
            self._command, cwd=self._folder, env=variables, start_new_session=True, **outputs
        )
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            if self._listens():
                return
            time.sleep(0.02)
        output = (self.data / "output.log").read_text(errors="replace").strip().splitlines()
        self.close()
        # Node.js prints its version after an error.
        reasons = [line for line in output if "error" in line.lower()] or output or ["it prints nothing"]
        raise Unusable(f"The server does not listen on the port of the variable PORT: {reasons[-1]}")

    def _listens(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """Ends the process and its workers without a warning, as a loss of power."""
        if not self._log.closed:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, 9)
            self._process.wait()
            self._log.close()
            # The workers, which are not children of this process, may take a moment longer.
            end = time.monotonic() + SECONDS
            while self._listens() and time.monotonic() < end:
                time.sleep(0.01)

    def close(self) -> None:
        """Ends the process, and removes its data."""
        self.kill()
        shutil.rmtree(self.data, ignore_errors=True)
