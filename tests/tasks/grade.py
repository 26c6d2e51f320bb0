"""Gives out a task, or grades a solution.

python3 tests/tasks/grade.py take shop-python FOLDER
python3 tests/tasks/grade.py check shop-python FOLDER
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent
# The helper of the sandbox, which loads no library.
sys.path[:0] = [str(ROOT), str(ROOT.parents[1] / "bindings/python")]

from graders import gateway, incident, migration, policy, shop  # noqa: E402
from graders.support import Unusable  # noqa: E402


@dataclass
class Task:
    """A task: its folder, the files to start with, and its grader, which the solver does not get."""

    folder: str
    start: list[str]
    grade: Callable[[Path], list[str]]
    """Returns a sentence for each requirement that the solution in a folder does not meet."""


TASKS = {
    "shop-python": Task("shop", ["shop.py"], lambda folder: shop.grade(folder, [sys.executable, "shop.py"])),
    "shop-node": Task("shop", ["shop.mjs"], lambda folder: shop.grade(folder, ["node", "shop.mjs"])),
    "gateway": Task("gateway", ["gateway.php"], gateway.grade),
    "policy": Task("policy", ["policy.json"], lambda folder: policy.grade(folder, ROOT / "policy")),
    "migration": Task("migration", ["migrate.py", "requests.tsv", "payments.jsonl"], migration.grade),
    "incident": Task(
        "incident",
        ["policy.json", "requests.jsonl", "service.log"],
        lambda folder: incident.grade(folder, ROOT / "incident/start"),
    ),
}


def take(name: str, folder: Path) -> None:
    """Writes what a solver gets to a new folder: the text of the task, and the files to start with."""
    task = TASKS[name]
    folder.mkdir(parents=True)
    shutil.copy(ROOT / task.folder / "README.md", folder)
    for file in task.start:
        shutil.copy(ROOT / task.folder / "start" / file, folder)


def check(name: str, folder: Path) -> list[str]:
    """Returns a sentence for each requirement that the solution in a folder does not meet."""
    try:
        return TASKS[name].grade(folder.resolve())
    except Unusable as unusable:
        return [str(unusable)]


def main(arguments: list[str]) -> int:
    """Runs the command line. The status is 1 if a requirement is not met, and 2 if nothing was graded."""
    if len(arguments) != 3 or arguments[0] not in ("take", "check") or arguments[1] not in TASKS:
        print(f"usage: grade.py take|check {'|'.join(TASKS)} FOLDER", file=sys.stderr)
        return 2
    command, name, folder = arguments[0], arguments[1], Path(arguments[2])
    if folder.exists() != (command == "check"):
        print(f"{folder} {'exists' if command == 'take' else 'does not exist'}", file=sys.stderr)
        return 2
    if command == "take":
        take(name, folder)
        print(f"read {folder / 'README.md'}")
        return 0
    try:
        sentences = check(name, folder)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(sentences) or "all requirements are met")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
