"""Generates texts and JSON bodies for `redact_text` and `redact`: card data, and what looks like it, in every wrapping."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, List, Tuple

from payspec_model.texts import names as card_names

from . import numbers

_STRONG = (
    *card_names.NUMBERS, *card_names.CODES,
    "card_number", "cardNumber", "Card-Number", "card.number", "CARD_NO", "cc-number", "ccNum", "PrimaryAccountNumber",
    "security_code", "securityCode", "SECURITY-CODE", "card_cvv", "cardCvv", "cvvCode", "cc-csc", "cvv_code", "CVV", "CVC2",
    "card_verification_value", "card number", "security code", "x.cvv", "card_security_code", "CvvResult",
)  # fmt: skip
_WEAK = ("pan", "PAN", "Pan", "cid", "CID", "csc", "cav", "cve", "CVE")
_OTHER = (
    # Not `name` and `value`: in two pieces they are no pair of one object.
    "amount", "card_numbers", "xcvv", "cvvs", "span", "company", "number", "code", "card", "id", "uid", "order",
    "acid", "cardcvv", "securitycodes", "phone", "token", "pin", "verification",
)  # fmt: skip
_SEPARATORS = ("=", "=", ":", ": ", ": ", " = ", " => ", "=>", " : ", ":=", " ", "\t", " is ", ",", "::", " - ", "->", ".: ", "[]=")
_WRAPPERS = (
    'Some("{}")', 'Optional("{}")', "b'{}'", 'string(3) "{}"', 'NumberLong("{}")', 'CardCode{{value="{}"}}', "({})", "Some({})",
    "Card(value={})", '["{}"]', "[{}]", '{{"v":"{}"}}', "u'{}'", '"{}"', "'{}'", "`{}`", "List({})", '&"{}"', "#<Card {}>",
)  # fmt: skip
#: What is around names and values. If something else touches a value, 3a leaves open what belongs to it.
_AROUND_VALUES = (", ", "; ", "\n", "& ", " and ")
_COLOURS = (
    "\x1b[32m",
    "\x1b[1;31m",
    "\x1b[0m",
    r"\u001b[36m",
    r"\x1b[0m",
    r"\033[31m",
    "#033[0m",
    r"\e[1m",
    "^[[39;49m",
)
_WORDS = (
    "paid", "card", "order 12", "GET /pay?", "ERROR", "卡号", "оплата", "x", "D", "B", "%)", "7", "12 27", "…", "v1.2", "a=b",
    '{"a":1}', "[", "]", "{", "}", "<b>", "</b>", "'", '"', "\\", "&amp;", "%20", "\u202e", "é", "№", "**", "__",
)  # fmt: skip
_JOINERS = (
    "",
    "",
    " ",
    " ",
    " ",
    ",",
    ", ",
    ";",
    "&",
    "\n",
    "\t",
    "|",
    "/",
    "-",
    "_",
    ".",
    ". ",
    '"',
    "'",
    "(",
    ")",
    "\x00",
)


def text(random: Random) -> str:
    """Returns a text of some pieces, sometimes escaped as a whole, once to three times."""
    result = joined(random)
    # Of a number and groups after its point, both may be one: `6516801322309704.0000.0000.0018`.
    while re.search(r"\d{12}\.\d{4}\.\d{4}", result):
        result = joined(random)
    for _ in range(random.choice((0, 0, 0, 1, 1, 2, 3))):
        result = escaped(random, result)
    return result


def joined(random: Random) -> str:
    """Returns some pieces with little between them."""
    result = ""
    last = -1
    for _ in range(random.choice((1, 1, 2, 2, 3, 5))):
        kind = random.randrange(20)
        found = piece(random, kind)
        if last in _WITH_DIGITS and kind in _WITH_DIGITS:
            # Which digits belong to which of two numbers is left open.
            result += ", "
        last = kind
        if kind in _WITH_NAMES:
            result += random.choice(_AROUND_VALUES) + found + random.choice(_AROUND_VALUES)
        else:
            result += found + random.choice(_JOINERS)
    return result


#: The kinds of pieces that contain names.
_WITH_NAMES = range(5, 14)
#: The kinds that begin or end with digits.
_WITH_DIGITS = (*range(5), *range(14, 18))


def piece(random: Random, kind: int) -> str:
    """Returns a piece of a kind from 0 to 19."""
    if kind < 5:
        return number(random)
    if kind < 12:
        return named(random)
    if kind < 14:
        return markup(random)
    if kind == 14:
        return numbers.track(random) + random.choice("? ;,")
    if kind < 18:
        return numbers.other(random)
    return random.choice(_WORDS)


def number(random: Random) -> str:
    """Returns a card number, or nearly one, alone or with something directly before and after."""
    result = numbers.grouped(random, numbers.card_number(random))
    if random.random() < 0.15:
        result = numbers.in_script(random, result)
    if random.random() < 0.1:
        result = random.choice(_COLOURS) + result + random.choice(_COLOURS)
    if random.random() < 0.3:
        beside = (
            "x",
            "0",
            "1 ",
            "12-",
            ".",
            "0.",
            "-",
            "_",
            "я",
            "号",
            # Not `%` alone: `%22` before further digits may be a quote.
            "%(",
            "D",
            "=",
            "\\n",
            "%3D",
            "&#34;",
            "\\u0022",
            "E",
        )
        result = random.choice((*beside, "")) + result + random.choice((*beside, ".0", ".00", ".5", " 12 27", ""))
    return result


def name(random: Random) -> str:
    result = random.choices((random.choice(_STRONG), random.choice(_WEAK), random.choice(_OTHER)), (60, 20, 20))[0]
    if random.random() < 0.05:
        result = random.choice((str.upper, str.title, str.swapcase))(result)
    return result


def value(random: Random) -> str:
    """Returns the value of a member, without quotes, in one line."""
    return _value(random).replace("\n", " ").strip()


def _value(random: Random) -> str:
    kind = random.randrange(12)
    if kind < 4:
        return numbers.digits(random, random.choice((3, 3, 3, 4, 4, 1, 2, 5)))
    if kind < 8:
        result = numbers.card_number(random)
        result = numbers.grouped(random, result) if random.random() < 0.3 else result
        return numbers.in_script(random, result) if random.random() < 0.1 else result
    if kind == 8:
        return numbers.uuid(random)
    if kind == 9:
        return numbers.other(random)
    return random.choice(
        ("tok_1", "***", "******", "411111******1111", "null", "None", "true", "", "M", "a b", "12*", "1,5")
    )


def plain_value(random: Random) -> str:
    """Returns a value for notations without quotes: 3a leaves open where others end."""
    if random.random() < 0.4:
        return numbers.digits(random, random.choice((3, 3, 3, 4, 4, 1, 2, 5)))
    return random.choice((numbers.card_number(random), numbers.uuid(random), "tok_1", "***", "true", "M"))


def named(random: Random) -> str:
    """Returns a name and a value in some language's notation."""
    kind = random.randrange(8)
    found, content = name(random), value(random) if kind < 2 or kind == 5 else plain_value(random)
    if kind == 0:
        separator = random.choice((":", ": ", " : ", ":\n  "))
        return f'"{found}"{separator}{quoted(random, content)}'
    if kind == 1:
        return f"'{found}'{random.choice((': ', '=>', ' => '))}{quoted(random, content)}"
    if kind == 2:
        return f"card[{found}]={content}&"
    if kind == 3:
        separator, wrapper = random.choice(_SEPARATORS[:10]), random.choice(_WRAPPERS)
        return f"{found}{separator}{wrapper.format(content)}"
    if kind == 4:
        colours = [random.choice(_COLOURS) for _ in range(3)]
        return f"{colours[0]}{found}{colours[1]}{random.choice((':', '=', ': '))}{colours[2]}{content}"
    if kind == 5:
        return f'["{found}"]=>\n  {random.choice(("string(3) ", "int(3) ", ""))}"{content}"'
    return f"{found}{random.choice(_SEPARATORS)}{content}"


def quoted(random: Random, content: str) -> str:
    kind = random.randrange(6)
    if kind == 0:
        return plain_value(random)
    if kind == 1:
        return random.choice(_WRAPPERS).format(plain_value(random))
    return f'"{content}"' if kind < 5 else f"'{content}'"


def markup(random: Random) -> str:
    # Names of elements have no spaces.
    found, content = name(random).replace(" ", ""), re.sub(r"(?:\s|\\[nrt])+$", "", value(random))
    kind = random.randrange(6)
    if kind == 0:
        return f"<{found}>{content}</{found}>"
    if kind == 1:
        return f"<ns:{found} a='b'>{content}</ns:{found}>"
    if kind == 2:
        return f"<{found}><![CDATA[{content}]]></{found}>"
    if kind == 3:
        return f'<input name="{found}" value="{content}"/>'
    if kind == 4:
        return f'{{"name":"{found}","value":"{content}"}}'
    return random.choice((f"<{found}/>{content}", f"x<{found}>{content}</{found}>", f'{{"value":"{content}","name":"{found}"}}'))


def escaped(random: Random, plain: str) -> str:
    """Returns the text escaped once, in one manner."""
    # Loggers write colour sequences; pages and addresses contain none.
    has_colour = re.search(r"\x1b|\\u001b|\\x1b|\\033|#033|\\e\[|\^\[\[", plain) is not None
    kind = random.randrange(4 if has_colour else 8)
    if kind < 4:
        inner = json.dumps(plain, ensure_ascii=random.random() < 0.5)
        return random.choice((inner[1:-1], f'{{"log":{inner},"n":1}}'))
    if kind == 4:
        return re.sub(r"[^0-9A-Za-z_.~\-]", lambda found: percent(found.group()), plain)
    if kind == 5:
        return plain.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    if kind == 6:
        return re.sub(r"[\"'&<>=:]", lambda found: f"&#{ord(found.group())};", plain)
    return re.sub(r"[\"\\\x00-\x1f]", lambda found: f"\\x{ord(found.group()):02x}", plain)


def percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8"))


def body(random: Random) -> str:
    """Returns a JSON body for `redact`: members and texts, and JSON texts inside strings.

    No long digits are repeated: the library masks a number that a member declares in other texts too, which is not in 3a.
    """
    while True:
        result = written(random, tree(random, 0))
        shown = re.sub(r"\\u([0-9a-f]{4})", lambda escape: chr(int(escape.group(1), 16)), result)
        shown = shown.replace("\\t", " ")
        shown = re.sub(r"(?<=\d)(?:%[0-9A-F]{2}|[^\w\"]|_)+(?=\d)", "", shown)
        runs = ["".join(str(int(digit)) for digit in run) for run in re.findall(r"\d{12,}", shown)]
        if all(sum(each.count(run) for each in runs) == 1 for run in runs):
            return result


Tree = Any


def tree(random: Random, depth: int) -> Tree:
    kind = random.randrange(10)
    if depth == 0 or (kind < 3 and depth < 4):
        return Pairs([(member_name(random), tree(random, depth + 1)) for _ in range(random.choice((1, 2, 3)))])
    if kind == 3 and depth < 4:
        return [tree(random, depth + 1) for _ in range(random.choice((1, 2)))]
    if kind == 4 and depth < 4:
        return Pairs([("name", name(random)), ("value", tree(random, 4))])
    if kind == 5 and depth < 3:
        inner = written(random, tree(random, depth + 1))
        # The next reading of an escaped quote or line break in a string has other strings.
        if re.search(r"&#|&quot|\\u0022|\\n|\\x22|%22", inner):
            return scalar(random)
        return inner + random.choice(("", "\n"))
    if kind == 6:
        return text(random)
    return scalar(random)


class Pairs(List[Tuple[str, Tree]]):
    """An object: its members in order."""


def member_name(random: Random) -> str:
    return number(random) if random.random() < 0.05 else name(random)


def scalar(random: Random) -> Tree:
    kind = random.randrange(8)
    if kind == 0:
        return random.choice((None, True, False, 0, 123, 1234, 1.5, -1))
    if kind == 1:
        return int(numbers.card_number(random))
    return value(random) if kind < 6 else number(random)


def written(random: Random, value_of_tree: Tree) -> str:
    if isinstance(value_of_tree, Pairs):
        members = [f"{written(random, name)}:{space(random)}{written(random, each)}" for name, each in value_of_tree]
        return "{" + ",".join(members) + space(random) + "}"
    if isinstance(value_of_tree, list):
        return "[" + ",".join(written(random, each) for each in value_of_tree) + "]"
    if isinstance(value_of_tree, str):
        result = json.dumps(value_of_tree, ensure_ascii=random.random() < 0.3)
        return result.replace("4", "\\u0034") if random.random() < 0.05 and not re.search(r"\\u|-", result) else result
    return json.dumps(value_of_tree)


def space(random: Random) -> str:
    return random.choice(("", "", " ", "\n  "))
