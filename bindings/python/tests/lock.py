"""Finds out in another process whether a call releases the lock of Python."""

import os
import subprocess
import sys
from pathlib import Path

#: A second thread counts while the first one calls. A thread keeps the lock for a minute unless the call releases it.
_PROGRAM = """
import sys, threading, time
{prepare}
sys.setswitchinterval(60)
counted, running = 0, True
def count():
    global counted
    while running:
        counted += 1
        if counted % 1000 == 0:
            time.sleep(0)
threading.Thread(target=count, daemon=True).start()
before, end = counted, time.monotonic() + {seconds}
while counted - before < 1000 and time.monotonic() < end:
    {call}
running = False
print({result}, counted - before >= 1000)
"""

#: A body whose validation takes some milliseconds, with an engine that accepts its size.
PREPARE = """
import payspec
engine = payspec.Engine({"limits": {"body_bytes": 1 << 24}})
body = b'{"a":[' + b'"text",' * (1 << 20) + b'1]}'
"""


def counted_during(call: str, result: str, prepare: str = "", seconds: int = 20) -> str:
    """Returns a result of the calls, and whether another thread ran during them."""
    program = _PROGRAM.format(prepare=PREPARE + prepare, call=call, result=result, seconds=seconds)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60).stdout
