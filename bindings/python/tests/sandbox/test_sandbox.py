"""Tests `payspec.sandbox` with pytest. PAYSPEC_CLI names the program."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from payspec._sandbox_merchant import merchant_name
from payspec._sandbox_program import find
from payspec.sandbox import Merchant, Sandbox, SandboxError

REQUEST = {"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB"}


def pay(merchant: Merchant, amount: str) -> str:
    """Creates a payment, and returns its uid."""
    headers = {"Authorization": f"Bearer {merchant.token}", "Content-Type": "application/json"}
    data = json.dumps(REQUEST | {"amount": amount}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{merchant.api}/v1/payments/new", data, headers)) as response:
        return str(json.load(response)["uid"])


def executable(path: Path, text: str) -> Path:
    """Writes an executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_payment_fails(merchant: Merchant) -> None:
    uid = pay(merchant, "7003")
    merchant.advance(2)
    assert [(payment["uid"], payment["state"]) for payment in merchant.payments()] == [(uid, "fail")]
    assert merchant.webhook_secret.startswith("whsec_")


def test_the_payer_answers_a_challenge(merchant: Merchant) -> None:
    merchant.next_payment("challenge")
    uid = pay(merchant, "100")
    with pytest.raises(SandboxError, match="does not wait for an answer"):
        merchant.answer_challenge(uid, "passed")
    merchant.advance(1)
    assert merchant.answer_challenge(uid, "failed") == "fail"


def test_a_block_ends_the_program() -> None:
    with Sandbox() as sandbox:
        uid = pay(sandbox, "7001")
        sandbox.advance(2)
        assert [(payment["uid"], payment["state"]) for payment in sandbox.payments()] == [(uid, "completed")]
        assert sandbox.now() == sandbox.advance(0), "its clock is stopped"
    sandbox.close()
    with pytest.raises(urllib.error.URLError):
        sandbox.now()


def test_the_end_of_the_interpreter_ends_the_program() -> None:
    program = "from payspec.sandbox import Sandbox; sandbox = Sandbox(); print(sandbox.api); raise SystemExit(3)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 3, ended.stderr
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(ended.stdout.strip())


@pytest.mark.parametrize("amount", ["1500 ₽"])
def test_a_name_that_was_changed_is_that_of_a_merchant(merchant: Merchant, amount: str) -> None:
    assert merchant.name.startswith("test_a_name_that_was_changed_is_that_of_a_merchant-1500")
    assert merchant.payments() == []


def test_a_mistake_of_a_test_is_named(merchant: Merchant) -> None:
    with pytest.raises(SandboxError, match="^status: expected an integer from 400 to 599$"):
        merchant.fail_next(status=200)


def test_finds_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_path = executable(tmp_path / "bin/payspec", "#!/bin/sh\n")
    installed = executable(tmp_path / "packages/payspec_cli/payspec", "")
    module = "import pathlib\nPROGRAM = pathlib.Path(__file__).with_name('payspec')\n"
    installed.with_name("__init__.py").write_text(module)
    monkeypatch.setenv("PATH", str(on_path.parent))
    monkeypatch.setenv("PAYSPEC_CLI", "/named")
    assert find(Path("/option")) == ("/option", "the argument cli")
    assert find(None) == ("/named", "PAYSPEC_CLI")
    monkeypatch.delenv("PAYSPEC_CLI")
    assert find(None) == (str(on_path), "PATH")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    assert find(None) == (str(installed), "payspec-cli")
    del sys.modules["payspec_cli"]


LAUNCHERS = ["from payspec._command_line import main", "--package=payspec-cli@0.1.0", 'exec node "$basedir/../payspec/payspec.cjs"']


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_starts_no_launcher(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, launcher: str) -> None:
    executable(tmp_path / "payspec", f"#!/bin/sh\n{launcher}\n")
    monkeypatch.delenv("PAYSPEC_CLI")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match="^the program payspec is missing: pip install payspec-cli; or name its path by the arg"):
        Sandbox()


def test_a_program_that_does_not_start_is_named(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="^the argument cli: cannot start /none: No such file or directory$"):
        Sandbox("/none")
    for text, reason in [("exit 3", "ended with status 3"), ("yes", "printed no addresses")]:
        other = executable(tmp_path / "other", f"#!/bin/sh\n{text}\n")
        with pytest.raises(SandboxError, match=f"^the argument cli: {other} sandbox {reason}$"):
            Sandbox(other)


def test_merchants_of_other_alphabets_and_of_long_names_differ() -> None:
    for name in ["test_success", "a" * 64, "a-b.c"]:
        assert merchant_name(name) == name
    texts = ["Оплата", "Отмена", "支払い", "支払う", "a b", "a-b", "a_b", "", "a" * 64 + "1", "a" * 64 + "2"]
    names = [merchant_name(text) for text in texts]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9_.-]{1,64}", name) for name in names)


def test_the_readme_of_the_examples_lists_all_members() -> None:
    readme = Path(__file__).parents[4] / "examples/sandbox/README.md"
    rows = [line.split("|") for line in readme.read_text().split("ANCHOR")[1].splitlines() if line.startswith("| `")]
    listed = {row[1].strip(" `").split("(")[0] for row in rows}
    assert listed == {name for name in {*vars(Merchant), *vars(Merchant("", "", "", ""))} if not name.startswith("_")}
