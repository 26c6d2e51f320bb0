"""Finds the program `payspec`, and starts it."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

from ._sandbox_merchant import SandboxError

_MISSING = (
    "the program payspec is missing: pip install payspec-cli; or name its path by the argument cli or the variable "
    "PAYSPEC_CLI; or add it to the PATH, such as by cargo install --path cli --locked"
)
#: Texts in the launchers of the packages payspec, of pip, of npm, and of pnpm, which would download the program.
_LAUNCHER = re.compile(rb"payspec\._command_line|--package=payspec-cli@|payspec[\\/]payspec\.cjs")
_LONGEST_LAUNCHER = 65_536


def start(program: str, source: str) -> subprocess.Popen[str]:
    """Starts a sandbox with a free port."""
    command = [program, "sandbox", "--listen", "127.0.0.1:0"]
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise SandboxError(f"{source}: cannot start {program}: {error.strerror}") from None


def find(cli: str | os.PathLike[str] | None) -> tuple[str, str]:
    """Returns the path of the program, and a text for errors that names the source of the path."""
    if cli is not None:
        return os.fspath(cli), "the argument cli"
    if named := os.environ.get("PAYSPEC_CLI"):
        return named, "PAYSPEC_CLI"
    if installed := _of_package():
        return str(installed), "payspec-cli"
    file = "payspec.exe" if sys.platform == "win32" else "payspec"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = Path(folder, file)
        if _is_program(path):
            return str(path), "PATH"
    raise SandboxError(_MISSING)


def _of_package() -> Path | None:
    """Returns the program in the package payspec-cli, if it is installed."""
    try:
        program: Path = importlib.import_module("payspec_cli").PROGRAM
    except ImportError:
        return None
    return program if program.exists() else None


def _is_program(path: Path) -> bool:
    """Returns whether a file is executable, and no launcher. The program itself has some megabytes."""
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    return path.stat().st_size > _LONGEST_LAUNCHER or not _LAUNCHER.search(path.read_bytes())
