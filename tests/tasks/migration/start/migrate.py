"""Migrates the stored bodies of the legacy API. It writes empty files yet."""

import sys
from pathlib import Path

source, target = Path(sys.argv[1]), Path(sys.argv[2])
for name in ("requests.tsv", "payments.jsonl", "rejects.jsonl"):
    (target / name).write_text("")
