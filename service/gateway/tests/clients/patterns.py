"""Evaluates patterns with RE2. Reads {"patterns", "texts"}, and prints for each pattern which texts it accepts."""

import json
import sys

import re2

given = json.load(sys.stdin)
patterns = [re2.compile(pattern) for pattern in given["patterns"]]
print(json.dumps([[pattern.search(text) is not None for text in given["texts"]] for pattern in patterns]))
