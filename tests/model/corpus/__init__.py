"""A corpus of logs: one generator for each format, with planted card data and with numbers that are no card numbers."""

from __future__ import annotations

import re
from random import Random
from typing import Callable, Dict, NamedTuple, Optional

from . import events, loggers, servers, structures
from .events import PLACE_OF_CODE, Event, Planted

__all__ = ["FORMATS", "PLANTED_EVERY", "Planted", "Record", "record"]

Format = Callable[[Random, Event], str]

FORMATS: Dict[str, Format] = {
    "nginx, combined": servers.nginx_combined,
    "nginx, JSON": servers.nginx_json,
    "Docker, json-file": servers.docker,
    "journald, export": servers.journald,
    "Kubernetes, CRI": servers.kubernetes,
    "syslog, RFC 5424": servers.syslog,
    "HAR": servers.har,
    "SOAP": servers.soap,
    "Windows event": servers.windows,
    "Log4j": loggers.log4j,
    "Logback": loggers.logback,
    "Serilog": loggers.serilog,
    "zap": loggers.zap,
    "slog": loggers.slog,
    "Python logging": loggers.python_logging,
    "Monolog": loggers.monolog,
    "Rails": loggers.rails,
    "Rust, Debug": structures.rust,
    "Go, %+v": structures.go,
    "Java, toString": structures.java,
    "Python, repr": structures.python,
    "PHP, var_dump": structures.php,
    "JavaScript, util.inspect": structures.javascript,
    "Ruby, inspect": structures.ruby,
    "C#, record": structures.csharp,
    "Kotlin, data class": structures.kotlin,
    "Scala, case class": structures.scala,
}

#: One record of this many contains card data.
PLANTED_EVERY = 100


class Record(NamedTuple):
    text: str
    planted: Optional[Planted]


def record(random: Random, name: str, number: int) -> Record:
    """Returns a record of a format. Each hundredth contains card data."""
    secrets = events.planted(random) if number % PLANTED_EVERY == 0 else None
    text = FORMATS[name](random, events.event(random, secrets))
    if secrets is None or not secrets.code:
        return Record(text, secrets)
    # Each format escapes the character that stands for the code in its own manner.
    text = re.sub(ESCAPED_PLACES, PLACE_OF_CODE, text)
    code = unused_code(random, text)
    return Record(text.replace(PLACE_OF_CODE, code), secrets._replace(code=code))


ESCAPED_PLACES = r"\\+ue000|%EE%80%80|\\+xee\\+x80\\+x80"


def unused_code(random: Random, text: str) -> str:
    """Returns three or four digits that do not occur in the text, so that they are found if they are not masked."""
    while True:
        code = events.digits(random, random.choice((3, 3, 4)))
        if code not in text:
            return code
