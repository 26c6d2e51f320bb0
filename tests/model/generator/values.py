"""Generates a value for a member: a valid one (`valid`), or one at the edge of its rules (`edge`)."""

from __future__ import annotations

from random import Random
from typing import Any, Dict

from payspec_model.currency import MINOR_UNITS
from payspec_model.policy import Policy
from payspec_model.validate import MODES, SUBTYPES, TYPES, VARIANTS

from . import cards, texts, uris
from .tree import Members, Raw

_CODES = sorted(MINOR_UNITS)
_COMMON = ("RUB", "USD", "EUR", "JPY", "KWD", "CLF")
_SPECIAL = (
    "\x00 \x01 \t \n \r \x1f \x7f \x80 \x85 \x9f \xa0 \xad \u200b \u200e \u200f \u061c \u2027 \u2028 \u2029 \u202a \u202e"
    " \u202f \u2065 \u2066 \u2069 \u206a \ufeff \ufffe \uffff \U0001f600 \U0010ffff \U000e0001 é ß 漢 \u0301"
).split(" ")


_WORDS = (
    *VARIANTS,
    *MODES,
    *SUBTYPES,
    "PAY_IN",
    "p2p",
    "Crypto",
    "bank_card ",
    "sbp\n",
    "",
    "pay-in",
    "СRYPTO",
    "cards",
)
_CARDS = ("4111111111111111", "2200000000000004", "5500000000000004", "340000000000009", "6011000000000004")
_NO_CARDS = (
    "4111 1111 1111 1111", "4111-1111-1111-1111", "", "\u0664" + "\u0661" * 15, "\uff14" + "\uff11" * 15,
    "411111111111111a",
    "0" * 12, "0" * 16, "6200000000000000", "810000000000000000", " 4111111111111111", "4111111111111111\n", "+411111111111111",
)  # fmt: skip
_NO_MONEY = (
    "XAU", "XXX", "XTS", "XDR", "rub", "RUR", "RU", "RUBB", "", " RUB", "R\u00dcB", "USDT", "BTC", "XAD", "643",
    "\u0420UB",
)  # fmt: skip
_NO_AMOUNTS = (
    "0", "0.0", "0.00", "00", "01", "1.", ".", ".5", "+1", "-1", "1e3", "1E0", " 1", "1 ", "1,0", "1_000", "\u0661",
    "\uff11",
    "NaN", "Infinity", "0x10", "", "1.0.0", "-0", "00.1", "1.\u0660", "1\n", "\t1", "1..0", "1'000", "1 000", "\u066b5",
    "0.",
)  # fmt: skip
# After one digit of the fraction: on both sides of any currency's minor unit.
_TAILS = ("", "0", "1", "00", "01", "000", "001", "0000", "0001", "10", "100", "00001")
_PHONES = (
    "{}", "+{}", "+{}", "++{}", "{}+", "+ {}", "{} ", "-{}", "+{}x", "00{}", "+\u0661{}", "+{}\n", "+7 ({})", "", "0{}", "+0{}",
)  # fmt: skip
_NO_CODES = ("12a", "", "1 23", "\u0661\u0662\u0663", "123\n", "-12", "000")
_TEXTS = ("", "1", "true", "null", "[]", "1.00")
_NUMBERS = ("0", "1", "-1", "1.0", "1e2", "-0", "100.00", "1E400", "2" * 400)
_INTEGERS = ("-0", "0", "1.0", "1e1", "0.5", "-1", "9" * 19, "9" * 25, "-" + "9" * 30, "9" * 300, "1E0",
             "36e2", "3600.00", "1.5e1", "1e-1", "10e-1", "-0.0", "0e99", "1e400", "1.0e400", "123456e-3", "0.36e4",
             "1e18446744073709551617", "1e-18446744073709551617", "10000000000e-9", "1200e-2", "0.0e-9")  # fmt: skip


class Values:
    def __init__(self, random: Random, policy: Policy) -> None:
        self.random = random
        self.policy = policy

    def valid(self, path: str) -> Any:
        """Returns a value that breaks no rule of the default policy."""
        random, name = self.random, path.rpartition("/")[2]
        listed: Dict[str, tuple[str, ...]] = {"payment_type": VARIANTS, "mode": MODES, "subtype": SUBTYPES}
        if name in listed:
            return random.choice(listed[name])
        if name == "cur":
            return random.choice(_COMMON)
        if name == "amount":
            return f"{random.randint(1, 10 ** random.randint(1, 9))}{random.choice(('', '.0', '.00'))}"
        if name in ("callback", "redirect_url"):
            return uris.uri(random, 0, public=True)
        if name == "host2host":
            return random.random() < 0.5
        if name == "card_number":
            return random.choice(_CARDS)
        if name == "phone_number":
            return random.choice(("", "+")) + self.digits(random.randint(7, 15))
        if name == "expiry_year":
            return Raw(str(random.randint(2027, 2099)))
        if name == "expiry_month":
            return Raw(str(random.randint(1, 12)))
        if name == "security_code":
            return "".join(random.choices("0123456789", k=3))
        if name == "time_to_complete_payment":
            return Raw(str(random.randint(1, 10**6)))
        return random.choice(("shop-42", "Anna Petrova", "Анна", "Example Bank", "x", "order 1007", "a/b", "日本"))

    def edge(self, path: str, now: str | None) -> Any:
        """Returns a value that usually has the right type."""
        random, name = self.random, path.rpartition("/")[2]
        if random.random() < 0.12:
            return self.other_type()
        if TYPES[path] == "object":
            return Members() if random.random() < 0.5 else self.other_type()
        if name in ("payment_type", "mode", "subtype"):
            return random.choice(_WORDS)
        kinds = {
            "cur": self.cur, "amount": self.amount, "card_number": self.card_number, "phone_number": self.phone_number,
            "security_code": self.security_code, "time_to_complete_payment": self.time,
        }  # fmt: skip
        if name in kinds:
            return kinds[name]()
        if name in ("callback", "redirect_url"):
            return uris.uri(random, self.policy.uri_bytes)
        if name == "host2host":
            return random.choice((True, False, None, "true", Raw("1")))
        if name == "expiry_year":
            return self.year(now)
        if name == "expiry_month":
            return self.month(now)
        return self.text(path)

    def other_type(self) -> Any:
        nested: tuple[Any, ...] = ([], [Members()], ["a", None], Members(), Members([("amount", "1")]))
        return self.random.choice((None, None, True, False, *nested, *_TEXTS, *map(Raw, _NUMBERS)))

    def number(self, *values: int) -> Raw:
        random = self.random
        value = random.choice(values)
        if random.random() < 0.85:
            return Raw(str(value))
        edge = (*_INTEGERS, f"{value}.0", f"{value}e0", f"{value}.00e0", f"{value}0e-1", f"{value}.5")
        return Raw(random.choice(edge))

    def cur(self) -> str:
        random = self.random
        if random.random() < 0.6:
            return random.choice(_CODES)
        return random.choice((*_COMMON, *_NO_MONEY))

    def amount(self) -> str:
        random = self.random
        kind = random.randrange(6)
        if kind == 0:
            return random.choice(_NO_AMOUNTS)
        if kind == 1:
            return self.digits(random.choice((17, 18, 19, 20, 40))) + random.choice(("", ".0", ".00", ".5"))
        if kind == 2:
            return (
                random.choice(("0", "1", "99"))
                + "."
                + "0" * random.choice((0, 16, 17, 18, 19))
                + random.choice(("", "0", "1"))
            )
        if kind == 3:
            # On both sides of the minor unit of any currency.
            return f"{self.digits(random.randint(1, 6))}.{random.choice('0159')}{random.choice(_TAILS)}"
        if kind == 4 and self.policy.amounts:
            bound: str = random.choice(list(random.choice(list(self.policy.amounts.values())).values()))
            return self.near(bound)
        return self.digits(random.randint(1, 18)) + "." + self.digits(random.randint(1, 18))

    def near(self, bound: str) -> str:
        """Returns the bound in some notation, or a value next to it."""
        integer, _, fraction = bound.partition(".")
        places = max(len(fraction), self.random.choice((0, 1, 2, 3, 18)))
        value = int(integer + fraction.ljust(places, "0")) + self.random.choice((-1, 0, 0, 1))
        text = str(max(value, 0)).rjust(places + 1, "0")
        return text[: len(text) - places] + ("." + text[-places:] if places else "")

    def digits(self, count: int) -> str:
        return self.random.choice("123456789") + "".join(self.random.choices("0123456789", k=count - 1))

    def card_number(self) -> str:
        random = self.random
        if random.random() < 0.75:
            return cards.number(random)
        return random.choice(_NO_CARDS)

    def phone_number(self) -> str:
        random = self.random
        digits = self.digits(random.choice((1, 6, 7, 8, 14, 15, 16)))
        return random.choice(_PHONES).format(digits)

    def security_code(self) -> str:
        random = self.random
        if random.random() < 0.4:
            return random.choice(_NO_CODES)
        return "".join(random.choices("0123456789", k=random.choice((2, 3, 3, 4, 4, 5))))

    def time(self) -> Raw:
        low, high = self.policy.time
        machine = (2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**64, -(2**63))
        return self.number(low - 1, low, low + 1, high - 1, high, high + 1, 0, 1, -1, 3600, *machine)

    def year(self, now: str | None) -> Raw:
        near = int(now[:4]) if now else 2026
        years = (near - 1, near, near + 1, near, near)
        short = tuple(year % 100 for year in years if 2000 <= year <= 2099)
        return self.number(*years, *short, 1999, 2000, 2099, 2100, 99, 100, 0, -1, 1)

    def month(self, now: str | None) -> Raw:
        near = int(now[5:7]) if now else 6
        before = (near - 2) % 12 + 1
        return self.number(before, before, near, near % 12 + 1, 0, 1, 12, 13, -1, 255, 256, 2**32 + 1)

    def text(self, path: str) -> str:
        random = self.random
        limit: int = self.policy.description_chars if path == "/description" else self.policy.text_chars
        kind = random.randrange(10)
        if kind < 3:
            return cards.text(random)
        if kind < 5:
            return texts.piece(random, random.randrange(20))
        if kind == 5:
            fill = random.choice(("a", "é", "漢", "\U0001f600", "a\u0301"))
            return (fill * limit)[: limit + random.choice((-1, 0, 0, 1, 1))]
        if kind == 6:
            return random.choice(("", " ", "\t", "\u00a0", "null", "\\", '"', "/"))
        special = random.choice(_SPECIAL)
        return (
            random.choice(("", "a", "Anna "))
            + special
            + random.choice(("", "b", cards.text(random) if kind == 7 else ""))
        )
