"""Migrates the stored bodies of the legacy API with `payspec migrate`, which keeps the text of each value."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ONLY_MERCHANT = "shop-main"
ONLY_MODE = "P2P"


@dataclass
class Migrated:
    """The results by the number of a line: a key and a body, or the paths that cannot be decided."""

    bodies: dict[int, tuple[str, str]]
    rejects: dict[int, list[str]]


def migrate(bodies: dict[int, str], *arguments: str) -> Migrated:
    """Migrates bodies by the number of their line."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "old").write_text("".join(f"{body}\n" for body in bodies.values()), encoding="utf-8")
        files = [f"--{option}={folder / option}" for option in ("output", "rejects", "changes")]
        command = [os.environ["PAYSPEC"], "migrate", *arguments, str(folder / "old"), *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not (folder / "output").exists():
            raise SystemExit(done.stderr)
        new, rejects, changes = (read(folder / name) for name in ("output", "rejects", "changes"))
    lines = list(bodies)
    rejected = {
        lines[one["line"] - 1]: [reason["path"] for reason in one["reasons"]] for one in map(json.loads, rejects)
    }
    keys = {lines[one["line"] - 1]: one.get("idempotency_key") or "" for one in map(json.loads, changes)}
    left = [line for line in lines if line not in rejected]
    return Migrated({line: (keys.get(line, ""), body) for line, body in zip(left, new, strict=True)}, rejected)


def read(file: Path) -> list[str]:
    """Returns the lines of a file. `splitlines` would also split a text at U+2028."""
    return file.read_text(encoding="utf-8").split("\n")[:-1]


def requests(lines: list[str]) -> Migrated:
    """Migrates the requests of both endpoints."""
    both = Migrated({}, {})
    for kind in ("pay_in", "pay_out"):
        split = ((number, line.split("\t", 1)) for number, line in enumerate(lines, 1))
        bodies = {number: body for number, (endpoint, body) in split if endpoint == kind}
        if kind == "pay_out":
            bodies = {number: with_member(body, "mode", ONLY_MODE) for number, body in bodies.items()}
        migrated = migrate(bodies, "requests", "--kind", kind)
        both.bodies |= migrated.bodies
        both.rejects |= migrated.rejects
    return both


def payments(lines: list[str]) -> Migrated:
    """Migrates the payments."""
    return migrate(
        {number: with_member(line, "merchant_id", ONLY_MERCHANT) for number, line in enumerate(lines, 1)}, "payments"
    )


def with_member(text: str, name: str, value: str) -> str:
    """Adds a member to the text of an object that does not have it. The text keeps its numbers."""
    try:
        content = json.loads(text)
    except ValueError:
        return text
    if not isinstance(content, dict) or name in content:
        return text
    member = f"{json.dumps(name)}:{json.dumps(value)}"
    return text.replace("{", f"{{{member}," if content else f"{{{member}", 1)


def rejects(file: str, migrated: Migrated) -> list[dict[str, Any]]:
    """Returns the entries of a file that a person decides."""
    return [{"file": file, "line": line, "paths": paths} for line, paths in sorted(migrated.rejects.items())]


def main(source: Path, target: Path) -> None:
    """Migrates a folder to another one."""

    def write(name: str, content: list[str]) -> None:
        (target / name).write_text("".join(f"{line}\n" for line in content), encoding="utf-8")

    new_requests, new_payments = requests(read(source / "requests.tsv")), payments(read(source / "payments.jsonl"))
    write("requests.tsv", [f"{line}\t{key}\t{body}" for line, (key, body) in sorted(new_requests.bodies.items())])
    write("payments.jsonl", [body for _, (_, body) in sorted(new_payments.bodies.items())])
    left = rejects("requests.tsv", new_requests) + rejects("payments.jsonl", new_payments)
    write("rejects.jsonl", [json.dumps(entry) for entry in left])


main(Path(sys.argv[1]), Path(sys.argv[2]))
