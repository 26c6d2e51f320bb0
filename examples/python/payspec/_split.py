"""The exact bytes within an answer."""

import json

_DECODER = json.JSONDecoder()


def split(answer: bytes) -> dict[str, bytes]:
    """The members of an object that the library wrote, each as its text.

    A body that is parsed and written again may come out with other numbers and escapes; a stored one must not.
    """
    text = answer.decode()
    members: dict[str, bytes] = {}
    place = 1
    while text[place - 1] != "}" and text[place] != "}":
        name, place = _DECODER.raw_decode(text, place)
        start = place + 1
        _, place = _DECODER.raw_decode(text, start)
        members[name] = text[start:place].encode()
        place += 1
    return members
