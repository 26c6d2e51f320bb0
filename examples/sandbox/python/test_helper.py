"""Tests of the helper itself."""

import dataclasses
import pathlib

import payspec_sandbox
import pytest
from payspec_sandbox import Merchant, SandboxError


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAYSPEC", "/nonexistent/payspec")
    with pytest.raises(SandboxError, match="^PAYSPEC: cannot start /nonexistent/payspec: No such file or directory$"):
        payspec_sandbox.start()
    monkeypatch.delenv("PAYSPEC")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SandboxError, match="^payspec is not on the PATH: cargo install --path cli --locked, or set"):
        payspec_sandbox.start()


def test_the_readme_lists_all_members() -> None:
    readme = pathlib.Path(__file__).parent.parent / "README.md"
    rows = [line.split("|") for line in readme.read_text().split("ANCHOR")[1].splitlines() if line.startswith("| `")]
    listed = {row[1].strip(" `").split("(")[0] for row in rows}
    fields = {field.name for field in dataclasses.fields(Merchant)} - {"sandbox"}
    assert listed == fields | {name for name in vars(Merchant) if not name.startswith("_")}
