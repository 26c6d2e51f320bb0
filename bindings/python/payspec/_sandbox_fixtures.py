"""The fixtures of `payspec.sandbox` for pytest."""

from collections.abc import Iterator

import pytest

from .sandbox import Merchant, Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Starts a sandbox for all tests."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def merchant(sandbox: Sandbox, request: pytest.FixtureRequest) -> Merchant:
    """Returns a merchant without payments, whose clock is stopped."""
    return sandbox.merchant(request.node.name)
