"""A payment service for tests: starts `payspec sandbox`, and gives each test a merchant of its own.

    from payspec.sandbox import Sandbox

    with Sandbox() as sandbox:
        shop = Shop(sandbox.api, sandbox.token)  # any code with an address and a token
        shop.pay("1500.00")
        sandbox.advance(2)  # seconds

For pytest, `conftest.py` names this module: `pytest_plugins = ["payspec.sandbox"]`. Its fixtures are `sandbox`, one for all
tests, and `merchant`, a new one for each test. The library of this package is not loaded, and pytest only by pytest.

The program is that of the argument `cli`, of the variable PAYSPEC_CLI, of the package payspec-cli, or of the PATH.
"""

import atexit
import itertools
from os import PathLike
from types import TracebackType
from typing import Self

from ._sandbox_merchant import Merchant, SandboxError, call, merchant_name
from ._sandbox_program import find, start

__all__ = ["Merchant", "Sandbox", "SandboxError"]

#: The module with the fixtures, for pytest.
pytest_plugins = ["payspec._sandbox_fixtures"]

#: The number of lines that the program prints when it accepts connections.
_LINES = 5


class Sandbox(Merchant):
    """A running sandbox with a free port: its merchant `default`, whose clock is stopped.

    The program ends with the block, or at the latest with the interpreter.
    """

    def __init__(self, cli: str | PathLike[str] | None = None) -> None:
        """Starts the program. Raises SandboxError if it is missing or does not start."""
        program, source = find(cli)
        self._process = process = start(program, source)
        # Not with the last reference: a merchant may outlive it.
        atexit.register(self.close)
        printed = list(itertools.islice(process.stdout or (), _LINES))
        lines = dict(line.rstrip("\n").split(": ", 1) for line in printed if ": " in line)
        if "secret" not in lines:
            ended = len(printed) < _LINES
            reason = f"ended with status {process.wait()}" if ended else "printed no addresses"
            self.close()
            raise SandboxError(f"{source}: {program} sandbox {reason}")
        super().__init__(lines["api"], "default", lines["token"], lines["secret"])
        self.console = lines["console"]
        self.advance(0)

    def merchant(self, name: str) -> Merchant:
        """Returns the merchant of a name, such as that of a test: without payments, its clock stopped.

        A hash replaces characters that a name cannot have.
        """
        name = merchant_name(name)
        created = call(self.api, "POST", "merchants", {"name": name})
        merchant = Merchant(self.api, name, created["token"], created["webhook_secret"])
        merchant.reset()
        merchant.advance(0)
        return merchant

    def close(self) -> None:
        """Ends the program. A second call does nothing."""
        atexit.unregister(self.close)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.terminate()
        self._process.wait()

    def __enter__(self) -> Self:
        """Returns the sandbox."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Ends the program."""
        self.close()
