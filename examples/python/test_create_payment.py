"""Tests the answers and exit codes of create_payment.py."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BODY = b'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'
MOST_BYTES = 1 << 20


def run(
    *arguments: str | bytes | Path, body: bytes = BODY, header: bytes = b"Bearer secret", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    environment = {os.fsencode(name): os.fsencode(value) for name, value in {**os.environ, **variables}.items()}
    environment |= {b"PAYSPEC_TOKEN": b"secret", b"PAYSPEC_AUTHORIZATION": header}
    command = [sys.executable, FOLDER / "create_payment.py", *arguments]
    return subprocess.run(command, input=body, env=environment, capture_output=True, timeout=60)


class Program(unittest.TestCase):
    def answers(self, ended: subprocess.CompletedProcess[bytes], status: int) -> None:
        self.assertEqual(ended.stdout[:13], b"HTTP/1.1 %d " % status, ended.stderr)
        self.assertEqual(ended.returncode, 0 if status == 201 else 1)

    def caller_error(self, ended: subprocess.CompletedProcess[bytes], problem: bytes) -> None:
        self.assertEqual((ended.returncode, ended.stdout), (2, b""))
        self.assertRegex(ended.stderr, problem)
        self.assertNotIn(b"Traceback", ended.stderr)

    def test_answers_any_input_of_a_client(self) -> None:
        self.answers(run("--key", b"k"), 201)
        self.answers(run("--key", b"a\xff"), 400)
        self.answers(run(header=b"Bearer a\xff"), 401)
        self.answers(run(header=b"\xff"), 401)

    def test_reports_an_invalid_context_as_caller_error(self) -> None:
        self.caller_error(run("--url", b"a\xff"), b"utf8 error")
        for name in ("--url", "--uid", "--now"):
            self.caller_error(run(name, ""), b"context error at /" + name[2:].encode())

    def test_rejects_a_long_body(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            lax, record = Path(folder, "policy.json"), Path(folder, "record.json")
            lax.write_text('{"limits":{"body_bytes":4194304}}')
            full = BODY.ljust(MOST_BYTES)
            self.answers(run("--policy", lax, body=full), 201)
            self.answers(run(body=full + b"x"), 413)
            self.answers(run("--policy", lax, body=full + b"x", header=b"Bearer other"), 401)
            # Truncated after the spaces, it would be a valid request.
            self.caller_error(run("--policy", lax, "--key", "k", "--record", record, body=full + b" x"), b"1 MiB")
            self.assertFalse(record.exists())

    def test_reports_a_library_that_cannot_be_loaded(self) -> None:
        self.caller_error(run(PAYSPEC_LIBRARY="/nowhere/libpayspec.so"), b"PAYSPEC_LIBRARY")
        with tempfile.NamedTemporaryFile() as empty:
            self.caller_error(run(PAYSPEC_LIBRARY=empty.name), b"PAYSPEC_LIBRARY")

    @unittest.skipUnless(sys.platform == "linux" and os.environ.get("PAYSPEC_LIBRARY"), "needs PAYSPEC_LIBRARY on Linux")
    def test_finds_the_library_without_a_linker(self) -> None:
        folder = str(Path(os.environ["PAYSPEC_LIBRARY"]).parent)
        self.answers(run(PAYSPEC_LIBRARY="", LD_LIBRARY_PATH=folder, PATH=""), 201)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"tests: {result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0 or result.testsRun == 0)
