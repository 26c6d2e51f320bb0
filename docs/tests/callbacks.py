"""Tests the receiver of callbacks that the page shows: `callbacks.py FOLDER VECTORS`, with both files of the page in FOLDER."""

import base64
import hmac
import json
import logging
import pathlib
import sys
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime
from http.server import ThreadingHTTPServer

sys.path.insert(0, sys.argv[1])

from callback import receiver
from signature import is_authentic

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def first_of_each_name(members):
    """Lists the members that a receiver has: the first of each name, in lower case."""
    found = {}
    for name, value in members:
        if value is not None:
            found.setdefault(name.lower(), value)
    return found


def vectors():
    """Lists headers, body, secret, time, and verdict of each vector with one symmetric secret and the default tolerance."""
    for path in sorted(pathlib.Path(sys.argv[2]).glob("verify_webhook/*.json")):
        for vector in json.loads(path.read_text())["vectors"]:
            if vector["returns"] not in (0, 1) or not isinstance(vector["inputs"][0], str):
                continue
            context = json.loads(vector["inputs"][1], object_pairs_hook=first_of_each_name)
            headers = {name: value for name, value in context["headers"].items() if isinstance(value, str)}
            # The receivers take whole seconds from 1970 on, one value of each header, and HMAC.
            is_single = not any(isinstance(value, list) for value in context["headers"].values())
            is_usual = "." not in context["now"] and not headers.get("webhook-timestamp", "").startswith("-")
            is_symmetric = len(context["secrets"]) == 1 and not context["secrets"][0].startswith(("whpk_", "whsk_"))
            if is_single and is_usual and is_symmetric and "tolerance_s" not in context:
                now = datetime.fromisoformat(context["now"]).timestamp()
                yield vector, headers, vector["inputs"][0].encode(), context["secrets"][0], now


accepted = rejected = 0
for vector, headers, body, secret, now in vectors():
    assert is_authentic(headers, body, secret, now) is (vector["returns"] == 0), vector["name"]
    accepted += vector["returns"] == 0
    rejected += vector["returns"] == 1
assert accepted >= 10 and rejected >= 50, (accepted, rejected)

logging.disable()  # of the failure that the test wants
taken = []


def take(payment):
    if payment["uid"] == "unknown":
        raise KeyError("no such order")
    taken.append(payment["uid"])


server = ThreadingHTTPServer(("127.0.0.1", 0), receiver(SECRET, take))
threading.Thread(target=server.serve_forever, daemon=True).start()


def post(event, uid, age=0, sent=None):
    """Signs a callback, sends it or another body, and returns the status of the answer."""
    body, timestamp = json.dumps({"uid": uid}).encode(), int(time.time()) - age
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, f"{event}.{timestamp}.".encode() + body, "sha256")).decode()
    headers = {"webhook-id": event, "webhook-timestamp": str(timestamp), "webhook-signature": f"v1,{signature}"}
    url = f"http://127.0.0.1:{server.server_port}/callback"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, sent or body, headers)) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


assert post("evt_1", "1") == 204
assert post("evt_1", "1") == 204
assert post("evt_2", "2", sent=b'{"uid":"3"}') == 401
assert post("evt_2", "2", age=310) == 401
assert post("evt_2", "2", age=-310) == 401
assert post("evt_3", "unknown") == 500
assert post("evt_3", "unknown") == 500, "an event that failed is not taken for one that was seen"
assert taken == ["1"]
print(f"{accepted} vectors accepted, {rejected} rejected")
