"""Tests of the helper itself."""

import dataclasses
import pathlib
import re

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


def test_merchants_of_other_alphabets_and_of_long_names_differ() -> None:
    for name in ["test_success", "a" * 64, "a-b.c"]:
        assert payspec_sandbox.merchant_name(name) == name
    texts = ["Оплата", "Отмена", "支払い", "支払う", "a b", "a-b", "a_b", "", "a" * 64 + "1", "a" * 64 + "2"]
    names = [payspec_sandbox.merchant_name(text) for text in texts]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9_.-]{1,64}", name) for name in names)


@pytest.mark.parametrize("amount", ["1500 ₽"])
def test_a_name_that_was_changed_is_that_of_a_merchant(merchant: Merchant, amount: str) -> None:
    assert merchant.name.startswith("test_a_name_that_was_changed_is_that_of_a_merchant-1500")
    assert merchant.payments() == []


def test_the_readme_lists_all_members() -> None:
    readme = pathlib.Path(__file__).parent.parent / "README.md"
    rows = [line.split("|") for line in readme.read_text().split("ANCHOR")[1].splitlines() if line.startswith("| `")]
    listed = {row[1].strip(" `").split("(")[0] for row in rows}
    fields = {field.name for field in dataclasses.fields(Merchant)} - {"sandbox"}
    assert listed == fields | {name for name in vars(Merchant) if not name.startswith("_")}
