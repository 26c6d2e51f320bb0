"""Generates card numbers of every scheme, at the edges of prefixes and lengths, and texts that contain some."""

from __future__ import annotations

from random import Random

# On both sides of every edge of the table in section 3; some do not belong to a scheme.
PREFIXES = (
    "4 50 51 55 56 57 58 59 49 2220 2221 2222 2719 2720 2721 34 37 33 35 2199 2200 2204 2205 62 81 80 82 3527 3528 3529"
    " 3588 3589 3590 6011 6010 6012 643 644 649 65 66 60 61 63 64 67 68 69 300 305 306 36 38 39 301 3 5 6 8 1 0 9 7 2"
    " 9791 9792 9793 8599 8600 8601 9859 9860 9861 606281 606282 606283 506098 506099 506198 506199 507864 507865 507964"
    " 507965 401177 401178 401179 401180 431273 431274 431275 438934 438935 438936 451415 451416 451417 457392 457393"
    " 457394 457630 457631 457632 457633 504174 504175 504176 506698 506699 506778 506779 508999 509000 509999 510000"
    " 627779 627780 627781 636296 636297 636298 636367 636368 636369 650030 650031 650033 650034 650035 650051 650052"
    " 650404 650405 650439 650440 650484 650485 650538 650539 650540 650541 650598 650599 650699 650700 650718 650719"
    " 650720 650727 650728 650900 650901 650978 650979 651651 651652 651679 651680 654999 655000 655019 655020 655021"
    " 655058 655059 508499 508500 606984 606985 607984 607985 608000 608001 608500 608501 652149 652150 653149 653150"
    " 817199 817200 820199 820200 9703 9704 9705 9112 9111 9417 9416 9051 9052 9804 9805 2206 1946 1945 2131 2132 1800"
    " 1799"
).split()


def check_digit(digits: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 - place % 2)
        total += value // 10 + value % 10
    return str(-total % 10)


def number(random: Random, length: int | None = None, valid: bool | None = None) -> str:
    if length is None:
        length = random.choices((12, 13, 14, 15, 16, 17, 18, 19, 11, 20), (5, 8, 8, 10, 40, 5, 8, 10, 3, 3))[0]
    digits = random.choice(PREFIXES)
    digits = (digits + "".join(random.choices("0123456789", k=20)))[: length - 1]
    check = check_digit(digits)
    if not (random.random() < 0.8 if valid is None else valid):
        check = str((int(check) + random.randint(1, 9)) % 10)
    return digits + check


def grouped(random: Random, digits: str) -> str:
    """Returns the number in groups, with spaces or hyphens."""
    manner = random.randrange(8)
    if manner < 2:
        return digits
    if manner < 5:
        sign = random.choice(" -")
        return sign.join(digits[at : at + 4] for at in range(0, len(digits), 4))
    if manner == 5:
        return "".join(digit + random.choice(("", "", " ", "-")) for digit in digits[:-1]) + digits[-1]
    # Most of these separate its digits.
    sign = random.choice(("  ", "--", " -", "\t", "\u00a0", "\u2013", ".", "/", "_", "\n", "\u2010", ","))
    at = random.randrange(1, len(digits))
    return digits[:at] + sign + digits[at:]


def text(random: Random) -> str:
    """Returns a text with a card number, or nearly one."""
    found = grouped(random, number(random))
    around = (
        "",
        " ",
        "-",
        "card ",
        "№",
        "x",
        "4",
        "0",
        "12 ",
        "3-",
        "\u0661",
        "order:",
        "1" * 5,
        ",",
        "000 000 ",
        "\u00e9",
    )
    before = random.choice(around)
    after = random.choice(around)[::-1] if random.random() < 0.6 else ""
    return before + found + after
