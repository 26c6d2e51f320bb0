"""The shared vectors: every call has the same answer as in the other bindings."""

import json
import os
import unittest
from pathlib import Path
from typing import Any

import payspec
from payspec._library import OPERATIONS

FOLDER = Path(os.environ.get("PAYSPEC_VECTORS") or Path(__file__).resolve().parents[3] / "tests/vectors")
NUMBERS = {"argument": -1, "utf8": -2, "panic": -3, "context": -4, "policy": -5}


def decoded(value: Any) -> bytes | None:
    match value:
        case None:
            return None
        case str():
            return value.encode()
        case _:
            return bytes.fromhex(value["hex"])


def called(operation: str, vector: dict[str, Any]) -> tuple[int, bytes]:
    """Returns the return code and the buffer of the C function. The text of an error has the members in this order."""
    try:
        with payspec.Engine(vector.get("policy")) as engine:
            answer = engine.answer(operation, *map(decoded, vector["inputs"]))
            return (0 if answer.accepted else 1), answer.json
    except payspec.PayspecError as error:
        members = {"code": error.code, "path": error.path, "message": error.message}
        text = json.dumps({"error": members}, ensure_ascii=False, separators=(",", ":"))
        return NUMBERS[error.code], text.encode()


def in_batches() -> dict[tuple[str, str | None, bytes | None], list[dict[str, Any]]]:
    """Returns the vectors of operations with a body, by operation, policy and second input."""
    batches: dict[tuple[str, str | None, bytes | None], list[dict[str, Any]]] = {}
    for path in sorted(FOLDER.glob("*/*.json")):
        file = json.loads(path.read_bytes())
        names = OPERATIONS[file["operation"]]
        for vector in file["vectors"]:
            inputs = [decoded(value) for value in vector["inputs"]]
            if names[:1] == ("body",) and inputs[:1] not in ([], [None]) and len(inputs) <= len(names):
                shared = inputs[1] if len(inputs) > 1 else None
                batches.setdefault((file["operation"], vector.get("policy"), shared), []).append(vector)
    return batches


def called_together(
    operation: str, policy: str | None, shared: bytes | None, vectors: list[dict[str, Any]]
) -> list[tuple[int, str]]:
    bodies = [decoded(vector["inputs"][0]) or b"" for vector in vectors]
    try:
        with payspec.Engine(policy) as engine:
            answers = engine.answers(operation, bodies, shared)
            assert engine.verdicts(operation, bodies, shared) == [answer.accepted for answer in answers]
            return [(0 if answer.accepted else 1, answer.json.decode()) for answer in answers]
    except payspec.PayspecError as error:
        members = {"code": error.code, "path": error.path, "message": error.message}
        text = json.dumps({"error": members}, ensure_ascii=False, separators=(",", ":"))
        return [(NUMBERS[error.code], text)] * len(vectors)


class Vectors(unittest.TestCase):
    def test_batches(self) -> None:
        total = 0
        for (operation, policy, shared), vectors in in_batches().items():
            with self.subTest(operation, policy=policy, shared=shared):
                expected = [(vector["returns"], vector["answer"]) for vector in vectors]
                self.assertEqual(called_together(operation, policy, shared, vectors), expected)
                total += len(vectors)
        self.assertGreater(total, 1000)

    def test_vectors(self) -> None:
        total = failed = 0
        for path in sorted(FOLDER.glob("*/*.json")):
            file = json.loads(path.read_bytes())
            for vector in file["vectors"]:
                total += 1
                with self.subTest(vector["name"]):
                    failed += 1
                    returns, text = called(file["operation"], vector)
                    self.assertEqual(text.decode(), vector["answer"])
                    self.assertEqual(returns, vector["returns"])
                    failed -= 1
        print(f"\nvectors: {total - failed} passed, {failed} failed")
        self.assertGreater(total, 0, "there are no vectors")


if __name__ == "__main__":
    unittest.main()
