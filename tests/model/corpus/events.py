"""Events of a payment service: a message and fields, with numbers that are no card numbers, and planted card data."""

from __future__ import annotations

import base64
import re
from random import Random
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

from generator.numbers import CARDS

from . import clocks

Field = Tuple[str, Any]


class Event(NamedTuple):
    level: str
    message: str
    #: Names in snake_case with values: text, number, list of numbers, truth value, None.
    fields: List[Field]


class Planted(NamedTuple):
    """Card data of one record."""

    #: The number and its digits as written, or empty.
    number: str
    written: str
    #: The security code, or empty.
    code: str


#: Stands for the security code until the record is written, so that the code occurs in no other place of it.
PLACE_OF_CODE = "\ue000"

_NUMBER_NAMES = ("card_number", "card_no", "cc_number", "cc_num", "credit_card_number", "primary_account_number", "pan")
_CODE_NAMES = (
    "security_code",
    "cvv",
    "cvv2",
    "cvc",
    "cvn",
    "card_cvv",
    "cvv_code",
    "card_verification_value",
    "csc",
    "cid",
)
#: Numbers of 12 and 13 digits count only under a name.
_SHORT_CARDS = ("500000000009", "5018000000006")
_SEPARATORS = ("", "", " ", " ", "-", ".", "\u00a0")
_WORDS = "payment order client refund settlement webhook ledger retry queue batch callback session".split()


def planted(random: Random) -> Planted:
    kind = random.randrange(4)
    number = "" if kind == 1 else random.choice(_SHORT_CARDS if kind == 2 and random.random() < 0.2 else CARDS)
    separator = random.choice(_SEPARATORS)
    written = separator.join(number[at : at + 4] for at in range(0, len(number), 4))
    return Planted(number, written, PLACE_OF_CODE if kind in (1, 2) else "")


def event(random: Random, secrets: Optional[Planted]) -> Event:
    fields = {name: value(random) for name, value in random.sample(FIELDS, random.randint(3, 6))}
    words = random.choice(MESSAGES)(random)
    if secrets is not None and secrets.code:
        fields[random.choice(_CODE_NAMES)] = secrets.code
    if secrets is not None and secrets.number and secrets.code:
        fields[random.choice(_NUMBER_NAMES)] = secrets.written
    elif secrets is not None and secrets.number:
        before = random.choice(("card", "paid with", "declined:", "for"))
        words = f"{words}, {before} {secrets.written}, {random.choice(_WORDS)}"
    shuffled = list(fields.items())
    random.shuffle(shuffled)
    return Event(random.choice(("INFO", "INFO", "INFO", "WARN", "ERROR", "DEBUG")), words, shuffled)


# Values


def digits(random: Random, length: int) -> str:
    return f"{random.randrange(10**length):0{length}}"


def hexadecimal(random: Random, length: int) -> str:
    return f"{random.getrandbits(4 * length):0{length}x}"


def uuid(random: Random) -> str:
    return "-".join(hexadecimal(random, length) for length in (8, 4, 4, 4, 12))


def iban(random: Random) -> str:
    account = digits(random, 18)
    check = 98 - int(account + "131400") % 97
    whole = f"DE{check:02}{account}"
    return " ".join(whole[at : at + 4] for at in range(0, 22, 4)) if random.random() < 0.5 else whole


def ean(random: Random) -> str:
    number = random.choice(("590", "400", "460", "978")) + digits(random, 9)
    odd, even = (sum(map(int, number[start::2])) for start in (0, 1))
    return number + str(-(odd + 3 * even) % 10)


def phone(random: Random) -> str:
    return random.choice(("+7 9{}{} {}{}{}-{}{}-{}{}", "+49 15{}{} {}{}{}{}{}{}{}", "+1{}{}{}{}{}{}{}{}{}0")).format(
        *digits(random, 9)
    )


def epoch_ms(random: Random) -> int:
    return 1_790_000_000_000 + random.randrange(10**10)


def date_stamp(random: Random) -> str:
    return f"{clocks.moment(random):%Y%m%d%H%M%S}"


def amount(random: Random) -> str:
    return f"{random.randint(1, 10 ** random.randint(2, 7))}.{random.randint(0, 99):02}"


def address(random: Random) -> str:
    return ".".join(str(random.randint(1, 254)) for _ in range(4))


def token(random: Random) -> str:
    return base64.urlsafe_b64encode(random.randbytes(18)).decode()


def small_numbers(random: Random) -> List[int]:
    return [random.randrange(10 ** random.randint(1, 4)) for _ in range(random.randint(3, 12))]


#: What logs of payments contain, and no card numbers.
FIELDS: List[Tuple[str, Callable[[Random], Any]]] = [
    ("payment_id", uuid),
    ("request_id", uuid),
    ("cid", uuid),
    ("correlation_id", lambda random: f"{hexadecimal(random, 12)}-{digits(random, 6)}"),
    ("trace_id", lambda random: hexadecimal(random, 32)),
    ("dd_trace_id", lambda random: str(random.getrandbits(64))),
    ("reference", lambda random: digits(random, 16)),
    ("span_id", lambda random: hexadecimal(random, 16)),
    ("order_id", lambda random: f"ORD-{date_stamp(random)[:8]}-{digits(random, 6)}"),
    ("invoice", lambda random: f"{date_stamp(random)[:8]}{digits(random, 8)}"),
    ("timestamp_ms", epoch_ms),
    ("created_us", lambda random: epoch_ms(random) * 1000 + random.randrange(1000)),
    ("started_ns", lambda random: epoch_ms(random) * 1_000_000 + random.randrange(10**6)),
    ("stamp", date_stamp),
    ("iban", iban),
    ("ean", ean),
    ("phone", phone),
    ("amount", amount),
    ("balance", lambda random: f"{random.randint(1, 9)} {digits(random, 3)} {digits(random, 3)}.{digits(random, 2)}"),
    ("bank_id", lambda random: f"1000000000{digits(random, 2)}"),
    ("rrn", lambda random: f"6{random.randint(100, 365)}{digits(random, 8)}"),
    ("account", lambda random: f"40817810{digits(random, 12)}"),
    ("inn", lambda random: digits(random, 12)),
    ("client_ip", address),
    ("session", token),
    ("bytes", lambda random: [random.randrange(256) for _ in range(random.randint(4, 16))]),
    ("latencies", small_numbers),
    ("ratio", lambda random: f"0.{digits(random, 16)}"),
    ("took_ms", lambda random: random.randrange(10**5)),
    ("attempt", lambda random: random.randint(1, 5)),
    ("csc", lambda random: random.choice(("NYC-01", "main office"))),
    ("cve", lambda random: f"CVE-2024-{digits(random, 5)}"),
    ("company", lambda random: random.choice(("Example LLC", "Beispiel GmbH"))),
    ("is_test", lambda random: random.random() < 0.5),
    ("parent", lambda random: None),
]

MESSAGES: List[Callable[[Random], str]] = [
    lambda random: f"payment {uuid(random)} created",
    lambda random: f"{random.choice(_WORDS)} {date_stamp(random)}-{digits(random, 4)} took {random.randrange(1000)} ms",
    lambda random: f"transfer to {iban(random)} of {amount(random)} EUR",
    lambda random: f"queue sizes {' '.join(map(str, small_numbers(random)))}",
    lambda random: f"callback to https://shop.example/cb?order={digits(random, 8)}&t={epoch_ms(random)} answered 200",
    lambda random: f"SMS to {phone(random)} sent",
    lambda random: f"item EAN {ean(random)} in stock: {random.randrange(1000)}",
    lambda random: f"cpu {' '.join(map(str, (random.randrange(10**6) for _ in range(10))))}",
    lambda random: f"rate limit of {address(random)}: {random.randrange(500)} of 500",
    lambda random: f"bucket [{', '.join(map(str, small_numbers(random)))}]",
]


# Names of the languages


def camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), name)


def pascal(name: str) -> str:
    return camel(f"_{name}")
