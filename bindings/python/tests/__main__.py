"""`python tests`: all tests and the shared vectors, and how many of each passed.

`python tests bulk` and `python tests spark`: the tests of one folder, which need other packages.
"""

import sys
import unittest
from pathlib import Path

folder = Path(__file__).parent
sys.path.insert(0, str(folder.parent))
folder = folder.joinpath(*sys.argv[1:])

result = unittest.TextTestRunner(sys.stdout).run(unittest.defaultTestLoader.discover(str(folder)))
failed = {case.id() for case, _ in [*result.failures, *result.errors]}
print(f"tests: {result.testsRun - len(failed)} passed, {len(failed)} failed")
sys.exit(not result.wasSuccessful() or result.testsRun == 0)
