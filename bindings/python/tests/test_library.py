"""Tests what the first use of a name of `payspec` reports if there is no usable library."""

import ctypes.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import lock
import payspec

FOLDER = Path(__file__).resolve().parent.parent


def failure(program: str = "from payspec import Engine", **variables: str) -> str:
    """Returns the last line of the error."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER), **variables}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    return ended.stderr.strip().splitlines()[-1] if ended.returncode else ""


class Library(unittest.TestCase):
    def test_names_the_path_of_a_missing_library(self) -> None:
        found = failure(PAYSPEC_LIBRARY="/none/libpayspec.so")
        self.assertRegex(found, r"^ImportError: libpayspec cannot be opened on linux \w+: .*searched /none/libpayspec\.so; set ")
        hint = "; set PAYSPEC_LIBRARY to the path of libpayspec.so, such as $HOME/payspec/lib/libpayspec.so"
        self.assertTrue(found.endswith(hint), found)

    def test_recognizes_another_library(self) -> None:
        other = ctypes.util.find_library("c") or "libc.so.6"
        self.assertRegex(failure(PAYSPEC_LIBRARY=other), rf"^ImportError: {other} is another library than libpayspec: ")

    def test_recognizes_a_file_that_is_no_library(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            file.write(b"no library")
            file.flush()
            self.assertRegex(failure(PAYSPEC_LIBRARY=file.name), "^ImportError: libpayspec cannot be opened on ")

    def test_recognizes_another_version(self) -> None:
        source = Path(payspec.__file__).with_name("_library.py").read_text().replace("\nABI = 1", "\nABI = 999")
        program = f"exec({source!r}, {{'__file__': {str(Path(payspec.__file__).with_name('_library.py'))!r}, '__name__': 'x'}})"
        self.assertRegex(failure(program), r"^ImportError: .* has the ABI 1, this package needs 999; set PAYSPEC_LIBRARY ")

    def test_reports_a_python_without_libffi(self) -> None:
        program = "import sys; sys.modules['_ctypes'] = None; from payspec import Engine"
        expected = "ImportError: payspec needs the module ctypes: this Python was built without libffi"
        self.assertEqual(failure(program), expected)


class Names(unittest.TestCase):
    def test_opens_the_library_with_the_first_name(self) -> None:
        self.assertEqual(failure("import payspec", PAYSPEC_LIBRARY="/none"), "")
        self.assertRegex(failure("import payspec; payspec.Engine", PAYSPEC_LIBRARY="/none"), "^ImportError: libpayspec cannot")
        self.assertRegex(failure("from payspec import *", PAYSPEC_LIBRARY="/none"), "^ImportError: libpayspec cannot")

    def test_has_all_names_and_no_others(self) -> None:
        names = {name: getattr(payspec, name) for name in payspec.__all__}
        self.assertEqual([name for name in names if name not in dir(payspec)], [])
        self.assertIs(payspec.Engine, names["Engine"])
        with self.assertRaisesRegex(AttributeError, "^module 'payspec' has no attribute 'Gateway'$"):
            getattr(payspec, "Gateway")

    def test_the_sandbox_needs_neither_the_library_nor_pytest(self) -> None:
        program = "import payspec.sandbox, sys; assert not {'pytest', 'payspec._library'} & {*sys.modules}"
        self.assertEqual(failure(program, PAYSPEC_LIBRARY="/none"), "")


class Concurrency(unittest.TestCase):
    def test_runs_in_subinterpreters(self) -> None:
        program = "import _xxsubinterpreters as s; i = s.create(); s.run_string(i, 'import payspec; e = payspec.Engine(); " \
            "assert not e.accepts(b\"{}\")'); s.destroy(i); import payspec; assert not payspec.Engine().accepts(b'{}')"
        if sys.version_info >= (3, 13):
            program = program.replace("_xxsubinterpreters", "_interpreters")
        self.assertEqual(failure(program), "")

    def test_releases_the_lock_of_python_during_a_call(self) -> None:
        found = lock.counted_during("report = engine.validate_request_json(body)", "report[:14]")
        self.assertEqual(found, "b'{\"valid\":false' True\n")
