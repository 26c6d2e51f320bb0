"""`python tests/model`: compares library and model for generated bodies, or runs the tests of the model."""

from __future__ import annotations

import argparse
import os
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
sys.dont_write_bytecode = True


def main() -> int:
    parser = argparse.ArgumentParser(prog="model", description=__doc__)
    parser.add_argument(
        "--library", default=os.environ.get("PAYSPEC_LIBRARY"), help="libpayspec; else $PAYSPEC_LIBRARY"
    )
    parser.add_argument("--bodies", type=int, default=1_000_000, help="the minimum number of bodies (%(default)s)")
    parser.add_argument("--texts", type=int, help="compare that many texts instead, with redact_text and redact")
    parser.add_argument("--logs", type=int, help="measure redact_text on that many records of each format instead")
    parser.add_argument("--record", action="store_true", help="with --logs: write the table of the book")
    parser.add_argument("--seed", default="1", help="any text; the same seed generates the same bodies (%(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (%(default)s)")
    parser.add_argument("--tests", action="store_true", help="run the tests of the model instead")
    options = parser.parse_args()
    if options.tests:
        return tests()
    if not options.library:
        parser.error("no library: --library, or PAYSPEC_LIBRARY")
    if min(options.bodies, options.workers, options.texts or 1, options.logs or 1) < 1:
        parser.error("at least one body, text, record, and worker")
    if options.texts:
        import texts

        return texts.run(options.library, options.texts, options.seed, options.workers)
    if options.logs:
        import logs

        return logs.run(options.library, options.logs, options.seed, options.workers, options.record)
    import run

    return run.run(options.library, options.bodies, options.seed, options.workers)


def tests() -> int:
    found = unittest.defaultTestLoader.discover(str(FOLDER / "tests"))
    result = unittest.TextTestRunner(sys.stdout).run(found)
    failed = {case.id() for case, _ in [*result.failures, *result.errors]}
    print(f"tests: {result.testsRun - len(failed)} passed, {len(failed)} failed")
    return int(not result.wasSuccessful() or result.testsRun == 0)


if __name__ == "__main__":
    sys.exit(main())
