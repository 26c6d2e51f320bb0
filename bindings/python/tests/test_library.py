"""Tests what the first use of a name of `payspec` reports if the native module cannot be used."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

import lock
import payspec

FOLDER = Path(__file__).resolve().parent.parent
#: Before the package: no native module, or one of another version.
MISSING = "import sys; sys.modules['payspec._native'] = None\n"
OTHER = """
import sys, types
module = types.ModuleType("payspec._native")
module.VERSION, module.__file__, module.operations = "9.9.9", "/other/_native.abi3.so", dict
import payspec
sys.modules["payspec._native"] = payspec._native = module
"""
ERROR = "^ImportError: the native module of payspec cannot be loaded by cpython 3"


def failure(program: str = "from payspec import Engine") -> str:
    """Returns the last line of the error."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    return ended.stderr.strip().splitlines()[-1] if ended.returncode else ""


class Library(unittest.TestCase):
    def test_names_this_python_if_the_module_is_missing(self) -> None:
        found = failure(MISSING + "from payspec import Engine")
        self.assertRegex(found, ERROR + rf"\S+ on {sys.platform} \w+: .*_native.*; install the package for this Python: ")

    def test_recognizes_another_version(self) -> None:
        expected = "ImportError: /other/_native.abi3.so has the version 9.9.9, this package 0.1.0: install the package again"
        self.assertEqual(failure(OTHER + "payspec.Engine"), expected)

    def test_has_the_version_of_the_package(self) -> None:
        self.assertEqual(failure("import payspec; assert payspec.version() == payspec._library.VERSION"), "")


class Names(unittest.TestCase):
    def test_loads_the_module_with_the_first_name(self) -> None:
        self.assertEqual(failure(MISSING + "import payspec"), "")
        self.assertRegex(failure(MISSING + "import payspec; payspec.Engine"), ERROR)
        self.assertRegex(failure(MISSING + "from payspec import *"), ERROR)

    def test_has_all_names_and_no_others(self) -> None:
        names = {name: getattr(payspec, name) for name in payspec.__all__}
        self.assertEqual([name for name in names if name not in dir(payspec)], [])
        self.assertIs(payspec.Engine, names["Engine"])
        with self.assertRaisesRegex(AttributeError, "^module 'payspec' has no attribute 'Gateway'$"):
            getattr(payspec, "Gateway")

    def test_the_sandbox_needs_neither_the_library_nor_pytest(self) -> None:
        program = "import payspec.sandbox; assert not {'pytest', 'payspec._library'} & {*sys.modules}"
        self.assertEqual(failure(MISSING + program), "")


class Concurrency(unittest.TestCase):
    def test_runs_in_subinterpreters_that_share_the_lock(self) -> None:
        """From Python 3.12 on, an interpreter can have its own lock. PyO3 supports only those that share one."""
        program = "import _xxsubinterpreters as s; i = s.create(isolated=False); s.run_string(i, 'import payspec; " \
            "e = payspec.Engine(); assert not e.accepts(b\"{}\")'); s.destroy(i); " \
            "import payspec; assert not payspec.Engine().accepts(b'{}')"
        if sys.version_info >= (3, 13):
            program = program.replace("_xxsubinterpreters", "_interpreters").replace("isolated=False", "'legacy'")
        self.assertEqual(failure(program), "")

    def test_releases_the_lock_of_python_during_a_call(self) -> None:
        found = lock.counted_during("report = engine.validate_request_json(body)", "report[:14]")
        self.assertEqual(found, "b'{\"valid\":false' True\n")
        found = lock.counted_during("report = engine.validate_request(body)", "report['valid']")
        self.assertEqual(found, "False True\n")

    def test_keeps_the_lock_during_short_calls(self) -> None:
        found = lock.counted_during("report = engine.validate_request_json(b'{}')", "report[:14]", seconds=1)
        self.assertEqual(found, "b'{\"valid\":false' False\n")
