"""Each reference solution passes its grader, and each seeded mistake fails with the sentences that name it."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from grade import ROOT, TASKS, check, main, take

Mistake = dict[str, Any]

LIST: list[Mistake] = json.loads((ROOT / "mistakes.json").read_text(encoding="utf-8"))
MISTAKES = {f"{mistake['task']}-{mistake['name']}": mistake for mistake in LIST}


def solution(task: str, folder: Path) -> Path:
    """Writes what a solver gets and the reference solution to a folder. Files of other languages change nothing."""
    take(task, folder)
    shutil.copytree(ROOT / TASKS[task].folder / "reference", folder, dirs_exist_ok=True)
    return folder


def mistaken(mistake: Mistake, folder: Path) -> Path:
    """Writes the reference solution with a mistake to a folder."""
    file = solution(mistake["task"], folder) / mistake["file"]
    text = file.read_text(encoding="utf-8")
    assert text.count(mistake["old"]) == 1, f"{mistake['old']!r} is not once in {mistake['file']}"
    file.write_text(text.replace(mistake["old"], mistake["new"]), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The sentences of the graders by the name of a task, of its files to start with, and of each mistake."""
    root = tmp_path_factory.mktemp("solutions")
    work = []
    for task in TASKS:
        work.append((task, task, solution(task, root / task)))
        take(task, root / f"{task}-start")
        work.append((f"{task}-start", task, root / f"{task}-start"))
    for name, mistake in MISTAKES.items():
        work.append((name, mistake["task"], mistaken(mistake, root / f"mistake-{name}")))
    # A grader waits for timeouts more than it computes.
    with ThreadPoolExecutor(4) as pool:
        graded = pool.map(lambda one: check(one[1], one[2]), work)
        return {name: found for (name, _, _), found in zip(work, graded, strict=True)}


@pytest.mark.parametrize("task", TASKS)
def test_the_reference_solution_passes(sentences: dict[str, list[str]], task: str) -> None:
    assert sentences[task] == []


@pytest.mark.parametrize("task", TASKS)
def test_the_files_to_start_with_do_not_pass(sentences: dict[str, list[str]], task: str) -> None:
    assert sentences[f"{task}-start"] != []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_fails_with_its_sentences(sentences: dict[str, list[str]], name: str) -> None:
    assert sentences[name] == MISTAKES[name]["sentences"]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "solution")
    assert main(["check", "incident", folder]) == 2
    assert main(["take", "incident", folder]) == 0
    assert main(["take", "incident", folder]) == 2
    given = {file.name for file in Path(folder).iterdir()}
    assert given == {"README.md", "policy.json", "requests.jsonl", "service.log"}
    assert main(["check", "incident", folder]) == 1
    assert "The solution has no file answer.json.\n" in capsys.readouterr().out
    shutil.copy(ROOT / "incident/reference/answer.json", folder)
    assert main(["check", "incident", folder]) == 0
    assert capsys.readouterr().out == "all requirements are met\n"


def test_the_mistakes_are_those_of_all_tasks() -> None:
    assert len(MISTAKES) == len(LIST) >= 20
    assert {mistake["task"] for mistake in LIST} == set(TASKS)
