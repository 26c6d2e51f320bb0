"""URIs by RFC 3986, and private hosts."""

from __future__ import annotations

import ipaddress
import re
from typing import Iterator, Optional

from .policy import Policy

# RFC 3986, appendix A.
_PCHAR = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
_USERINFO = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*"
_REG_NAME = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*"
_FUTURE = r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+"
_CHARACTERS = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*\Z")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+\-.]*):")
_URI = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+\-.]*):"
    rf"(?://(?:(?P<userinfo>{_USERINFO})@)?(?P<host>\[[0-9A-Fa-f:.]*\]|\[{_FUTURE}\]|{_REG_NAME})(?::(?P<port>[0-9]*))?"
    rf"(?:/{_PCHAR}*)*|/?{_PCHAR}(?:/|{_PCHAR})*|/?)"
    rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:\#(?:{_PCHAR}|[/?])*)?\Z"
)


def broken_rules(text: str, policy: Policy, is_callback: bool) -> Iterator[str]:
    """Yields the codes of the rules that the URI breaks, in their order."""
    if len(text.encode()) > policy.uri_bytes:
        yield "text_too_long"
    scheme = _SCHEME.match(text)
    if scheme is None or _CHARACTERS.match(text) is None:
        yield "uri_syntax"
    if scheme is not None and scheme.group(1).lower() not in [each.lower() for each in policy.schemes]:
        yield "uri_scheme"
    found = _URI.match(text)
    host = found.group("host") if found else None
    if found is None or (host and not _is_host(host)):
        yield "uri_syntax"
        return
    is_web = found.group("scheme").lower() in ("http", "https")
    if (is_web and (not host or "%" in host)) or not _is_port(found.group("port") or ""):
        yield "uri_syntax"
    if found.group("userinfo") is not None:
        yield "uri_credentials"
    if is_callback and host and is_private(host):
        yield "uri_private_host"


def _is_port(digits: str) -> bool:
    digits = digits.lstrip("0")
    return len(digits) <= 5 and int(digits or "0") <= 65535


def _is_host(host: str) -> bool:
    return host[0] != "[" or host[1] in "vV" or _v6(host) is not None


def _v6(host: str) -> Optional[int]:
    try:
        return int(ipaddress.IPv6Address(host[1:-1]))
    except ValueError:
        return None


def is_private(host: str) -> bool:
    """Returns whether the host is private, as `is_private_host` documents it. Nothing is decoded."""
    if host[0] == "[":
        address = _v6(host)
        return address is not None and _private_v6(address)
    name = host.lower()
    number = v4(name)
    if number is not None:
        return _private_v4(number)
    name = name[:-1] if name.endswith(".") else name
    is_one_label = name != "" and not set(name) & set(".%:[]@")
    return is_one_label or name.endswith(_PRIVATE_SUFFIXES)


_PRIVATE_SUFFIXES = tuple(
    f".{name}"
    for name in (
        "localhost local internal home.arpa localdomain localdomain4 localdomain6 lan home corp intranet private svc"
    ).split()
)


def _networks(text: str) -> list[tuple[int, int]]:
    """Returns the number of free bits and the prefix of each network."""
    found = []
    for each in map(ipaddress.ip_network, text.split()):
        free = each.max_prefixlen - each.prefixlen
        found.append((free, int(each.network_address) >> free))
    return found


_V4 = _networks(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 "
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
)
_PUBLIC_V6 = _networks("2000::/3")
_V6 = _networks("2001::/23 2001:db8::/32 3fff::/20")
_V4_LAST = _networks("::ffff:0:0/96 64:ff9b::/96")
_V4_AFTER_PREFIX = _networks("2002::/16")


def _within(address: int, networks: list[tuple[int, int]]) -> bool:
    return any(address >> free == prefix for free, prefix in networks)


def _private_v4(address: int) -> bool:
    return _within(address, _V4)


def _private_v6(address: int) -> bool:
    if _within(address, _V4_LAST):
        return _private_v4(address & 0xFFFF_FFFF)
    if _within(address, _V4_AFTER_PREFIX):
        return _private_v4(address >> 80 & 0xFFFF_FFFF)
    return not _within(address, _PUBLIC_V6) or _within(address, _V6)


def v4(host: str) -> Optional[int]:
    """Parses an IPv4 address like a browser (the IPv4 parser of the URL standard)."""
    parts = host.split(".")
    if len(parts) > 1 and parts[-1] == "":
        parts.pop()
    if len(parts) > 4:
        return None
    numbers = [_part(part) for part in parts]
    if None in numbers or any(number > 255 for number in numbers[:-1]):  # type: ignore[operator]
        return None
    rest = 5 - len(numbers)
    if numbers[-1] >= 256**rest:
        return None
    address = numbers[-1]
    for index, number in enumerate(numbers[:-1]):
        address += number * 256 ** (3 - index)
    return address


def _part(text: str) -> Optional[int]:
    for pattern, base, skip in ((r"0[xX][0-9a-fA-F]*\Z", 16, 2), (r"0[0-7]+\Z", 8, 1), (r"0\Z|[1-9][0-9]*\Z", 10, 0)):
        if re.match(pattern, text):
            return _long(text[skip:], base)
    return None


def _long(digits: str, base: int) -> int:
    digits = digits.lstrip("0")
    return int(digits or "0", base) if len(digits) <= 40 else 10**40
