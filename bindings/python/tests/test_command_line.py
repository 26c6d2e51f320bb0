"""Tests which program the command `payspec` runs."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from payspec._library import VERSION

FOLDER = Path(__file__).resolve().parent.parent
PROGRAM = "import sys\n\ndef main():\n    print('installed', *sys.argv[1:])\n    sys.exit(1)\n"
#: Writes its arguments as uv would get them.
UV = "#!/bin/sh\necho uv \"$@\"\nkill -TERM $$\n"


def run(version: str | None, has_uv: bool) -> "subprocess.CompletedProcess[str]":
    """Runs `payspec validate` beside a package payspec-cli of a version."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if version is not None:
            (folder / "payspec_cli.py").write_text(PROGRAM)
            information = folder / f"payspec_cli-{version}.dist-info"
            information.mkdir()
            (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: payspec-cli\nVersion: {version}\n")
        if has_uv:
            (folder / "uv").write_text(UV)
            (folder / "uv").chmod(0o700)
        environment = {**os.environ, "PATH": name, "PYTHONPATH": os.pathsep.join([str(FOLDER), name])}
        environment.pop("UV", None)
        command = [sys.executable, "-c", "from payspec._command_line import main; main()", "validate"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


class CommandLine(unittest.TestCase):
    def test_runs_the_installed_program_of_the_same_version(self) -> None:
        ended = run(VERSION, has_uv=True)
        self.assertEqual((ended.stdout, ended.returncode), ("installed validate\n", 1), ended.stderr)

    def test_another_version_does_not_run(self) -> None:
        hint = f"payspec: the program is in the package payspec-cli: pip install payspec-cli=={VERSION}\n"
        for version in ["99.0.0", None]:
            ended = run(version, has_uv=False)
            self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("", hint, 1))

    @unittest.skipIf(sys.platform == "win32", "Windows cannot replace a process")
    def test_uv_replaces_the_process(self) -> None:
        ended = run("99.0.0", has_uv=True)
        self.assertEqual(ended.stdout, f"uv tool run --from payspec-cli=={VERSION} payspec-cli validate\n", ended.stderr)
        self.assertEqual(ended.returncode, -15)
