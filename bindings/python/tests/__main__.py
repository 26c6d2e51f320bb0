"""`python tests`: all tests and the shared vectors, and how many of each passed."""

import sys
import unittest
from pathlib import Path

folder = Path(__file__).parent
sys.path.insert(0, str(folder.parent))

result = unittest.TextTestRunner(sys.stdout).run(unittest.defaultTestLoader.discover(str(folder)))
failed = {case.id() for case, _ in [*result.failures, *result.errors]}
print(f"tests: {result.testsRun - len(failed)} passed, {len(failed)} failed")
sys.exit(not result.wasSuccessful() or result.testsRun == 0)
