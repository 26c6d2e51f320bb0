"""Numbers of texts: card numbers that nobody has, and numbers that are no card numbers.

All digits after the prefix of a scheme are small, so that no output can contain a card number of somebody.
"""

from __future__ import annotations

from random import Random

from payspec_model import card

from .cards import PREFIXES, check_digit

#: The first digit of each script that section 3a names, and of two others.
SCRIPTS = (0x30, 0xFF10, 0x660, 0x6F0)
OTHER_SCRIPTS = (0x966, 0x9E6)
SEPARATORS: tuple[str, ...] = (" ", "  ", *"\t\u00a0\u202f\u2009-\u2010\u2011\u2012\u2013._+", "%20")
OTHER_SEPARATORS: tuple[str, ...] = (
    "   ",
    "/",
    ",",
    "\n",
    "\u2014",
    "\u2003",
    " - ",
    "--",
    "..",
    ":",
    "|",
    "%2D",
    "\\t",
    "\\u00a0",
    "+ ",
)
#: A card number of each scheme: known test numbers, or the prefix with zeros and a check digit.
CARDS = (
    "4111111111111111 4012888888881881 5500000000000004 2223000000000007 378282246310005 340000000000009"
    " 30569309025904 36000000000008 6011000000000004 3530111333300000 213100000000001 180000000000002"
    " 6200000000000005 620000000000000000 62000000000000 2200000000000004 2200000000000000004 5018000000000009"
    " 6304219447607087665 6062820000000003 5060990580000217499 9792030394440796 8600000000000007 9860000000000000"
    " 5066991111111118 9704000000000018 9112000000000014 9417000000000008 9804000000000009"
    " 2205000000000009 1946000000000005 5085000000000007 6069850000000003 8172000000000005"
).split()


def digits(random: Random, length: int) -> str:
    return "".join(random.choices("00011223", k=length))


def card_number(random: Random) -> str:
    if random.random() < 0.6:
        return random.choice(CARDS)
    length = random.choice((12, 13, 14, 15, 16, 16, 16, 17, 18, 19))
    number = (random.choice(PREFIXES) + digits(random, 20))[: length - 1]
    check = check_digit(number)
    return number + (check if random.random() < 0.75 else str((int(check) + 5) % 10))


def grouped(random: Random, number: str) -> str:
    """Returns the number together, in fours, in the groups of its scheme, or in others."""
    manner = random.randrange(10)
    separator = random.choice(SEPARATORS if random.random() < 0.8 else OTHER_SEPARATORS)
    if manner < 4:
        return number
    if manner < 7:
        ends = [*range(4, len(number), 4)]
    elif manner == 7:
        ends = [gap for gap in card.gaps(number) if gap < len(number)]
    elif manner == 8:
        ends = sorted(random.sample(range(1, len(number)), random.randint(1, 4)))
    else:
        ends = [*range(4, len(number), 4)]
        return "".join(
            part + random.choice((separator, random.choice(SEPARATORS)))
            for part in (number[start:end] for start, end in zip([0, *ends], [*ends, len(number)]))
        ).rstrip()
    return separator.join(number[start:end] for start, end in zip([0, *ends], [*ends, len(number)]))


def in_script(random: Random, text: str) -> str:
    """Returns the text with its digits in some script, or in several."""
    zero = random.choice(SCRIPTS[1:] if random.random() < 0.85 else OTHER_SCRIPTS)
    share = random.choice((1.0, 1.0, 0.3))
    return "".join(
        chr(zero + int(character)) if character in "0123456789" and random.random() < share else character
        for character in text
    )


def iban(random: Random, separator: str) -> str:
    """Returns an IBAN, sometimes with a wrong check number, in groups with that separator."""
    country, length = random.choice(
        (("DE", 22), ("NO", 15), ("GB", 22), ("FR", 27), ("RU", 33), ("XX", 20), ("MT", 31))
    )
    account = digits(random, length - 4)
    if country in ("GB", "MT"):
        account = "NWBK" + account[4:]
    rest = "".join(str(int(character, 36)) for character in f"{account}{country}00")
    check = 98 - int(rest) % 97
    if random.random() < 0.2:
        check = check % 90 + 5
    whole = f"{country}{check:02}{account}"
    return separator.join(whole[at : at + 4] for at in range(0, len(whole), 4))


def uuid(random: Random) -> str:
    alphabet = random.choice(("0123456789abcdef", "0123456789ABCDEF", "0011223abc", "01234"))
    return "-".join("".join(random.choices(alphabet, k=length)) for length in (8, 4, 4, 4, 12))


def ean(random: Random) -> str:
    number = random.choice(("590", "400", "501", "978")) + digits(random, 9)
    odd, even = (sum(map(int, number[start::2])) for start in (0, 1))
    return number + str(-(odd + 3 * even) % 10)


def other(random: Random) -> str:
    """Returns a number that is no card number, or only by chance."""
    kind = random.randrange(14)
    if kind == 0:
        return iban(random, random.choice(("", " ", " ", "-", "\u00a0")))
    if kind == 1:
        return uuid(random)
    if kind == 2:
        return ean(random)
    if kind == 3:
        return str(1_790_000_000_000 + random.randrange(10**6)) + random.choice(("", "000", "000000"))
    if kind == 4:
        return f"2026{random.randint(1, 12):02}{random.randint(1, 28):02}{digits(random, 6)}"
    if kind == 5:
        return " ".join(digits(random, random.choice((1, 2, 3, 4, 4, 5))) for _ in range(random.randint(4, 20)))
    if kind == 6:
        return f"[{', '.join(str(random.randrange(256)) for _ in range(random.randint(3, 20)))}]"
    if kind == 7:
        return f"+{random.randint(1, 99)} {digits(random, 3)} {digits(random, 3)} {digits(random, 4)}"
    if kind == 8:
        return f"{digits(random, random.randint(1, 16))}.{digits(random, random.randint(1, 17))}"
    if kind == 9:
        return "".join(random.choices("0123456789abcdef", k=random.choice((16, 20, 24, 32))))
    if kind == 10:
        return ".".join(str(random.randrange(256)) for _ in range(4))
    if kind == 11:
        return f"1000000000{random.randrange(100):02}"
    return digits(random, random.randint(1, 19))


def track(random: Random) -> str:
    """Returns track data, complete or damaged."""
    number = card_number(random)
    data = f"2512101{digits(random, random.randint(0, 13))}"
    first = f"%B{number}^{random.choice(('DOE/JOHN', '', 'A B/C.D'))}^{data}?"
    second = random.choice((f";{number}={data}?", f"{number}D{data}F", f"57 11 {number}D{data}", f"{number}={data}"))
    found = random.choice((first, second, second))
    if random.random() < 0.2:
        at = random.randrange(len(found))
        found = found[:at] + found[at + 1 :]
    return found
