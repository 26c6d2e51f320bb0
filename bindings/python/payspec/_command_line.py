"""Runs the program of the package payspec-cli: `uvx payspec` is as short as the name of this package.

This package contains no program, so that a service that depends on it does not download one.
"""

import importlib
import os
import shutil
import subprocess
import sys
from importlib import metadata
from typing import NoReturn

from payspec._library import VERSION


def main() -> NoReturn:
    """Runs the installed program of this version; otherwise uv or pipx installs it apart from this environment."""
    if _is_installed():
        importlib.import_module("payspec_cli").main()
        sys.exit()
    command = [*_command(f"payspec-cli=={VERSION}"), *sys.argv[1:]]
    print(f"payspec: {' '.join(command)}", file=sys.stderr, flush=True)
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    # The program gets the signals for this process.
    os.execv(command[0], command)


def _is_installed() -> bool:
    """Returns True if the environment contains the program in the version of this package."""
    try:
        return metadata.version("payspec-cli") == VERSION
    except metadata.PackageNotFoundError:
        return False


def _command(requirement: str) -> list[str]:
    """Returns the command that installs and runs the program."""
    # uv sets UV to its path for the programs that it runs.
    if uv := os.environ.get("UV") or shutil.which("uv"):
        return [uv, "tool", "run", "--from", requirement, "payspec-cli"]
    if pipx := shutil.which("pipx"):
        return [pipx, "run", "--spec", requirement, "payspec-cli"]
    sys.exit(f"payspec: the program is in the package payspec-cli: pip install {requirement}")
