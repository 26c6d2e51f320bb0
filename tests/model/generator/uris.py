"""Generates URIs: each part from valid to invalid, and hosts in every notation that a browser reads."""

from __future__ import annotations

from random import Random

NAMES = (
    "shop.example", "a", "localhost", "LOCALHOST", "localhost.", "x.localhost", "local", "printer.local",
    "printer.LOCAL",
    "printer.local.", "a.internal", "internal", ".internal", "notlocal", "mylocal", "a.localx", "xn--e1afmkfd.example",
    "пример.example",
    "a_b.example", "%6cocalhost", "%61.example", "%zz", "%2", "%", "a..b", ".", "-", "~", "a!$&'()*+,;=b", "a b",
    "a\\b",
    "localhost.localdomain", "a.localdomain4", "a.LOCALDOMAIN6.", "redis", "redis.", "kubernetes.default.svc",
    "a.svc.cluster", "router.lan", "nas.home", "a.corp", "wiki.intranet", "a.private", "lan", ".lan", "mylan.example",
    "localhost%00", "ⓛocalhost", "１２７.0.0.1", "", "nas.home.arpa", "NAS.HOME.ARPA.", "home.arpa", "myhome.arpa",
)  # fmt: skip

V4 = (
    "127.0.0.1", "127.255.255.255", "126.255.255.255", "128.0.0.0", "10.0.0.0", "10.255.255.255", "9.255.255.255",
    "11.0.0.0",
    "172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0", "192.168.0.0", "192.168.255.255", "192.167.255.255",
    "192.169.0.0", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0", "0.0.0.0", "0.0.0.1",
    "100.64.0.1",
    "255.255.255.255", "224.0.0.1", "8.8.8.8", "1.1.1.1", "198.18.0.1", "192.0.2.1", "192.0.0.255", "192.0.1.0",
    "192.0.3.0", "192.88.99.0", "192.88.100.0", "198.17.255.255", "198.20.0.0", "198.51.100.255", "198.51.101.0",
    "203.0.113.0", "203.0.112.255", "223.255.255.255", "240.0.0.0",
)  # fmt: skip

V4_ODD = (
    "127.1", "127.0.1", "0x7f000001", "2130706433", "0177.0.0.1", "017700000001", "0x7f.1", "0X7F.0.0.1",
    "0x7f.0x0.0x0.0x1", "0",
    "0x", "0x.0x.0x.0x", "00", "08", "010.0.0.1", "10.1", "10.0x1", "127.0.0.1.", "127.0.0.1..", "1.2.3.4.5",
    "256.0.0.1",
    "127.0.0.256", "127.0.256", "127.0.65536", "127.16777216", "127.16777215", "4294967295", "4294967296", "3232235777",
    "0300.0250.1", "0xc0.0xa8.1", "0xa9fea9fe", "127..1", ".127.1", "127.0.0.1x", "0x7g", "127.0.0.01", "127.0.0.09",
    "1e3",
    "99999999999999999999999999", "0x00000000000000000000000000007f000001", "00000000000000000000177.0.0.1",
    "+127.0.0.1", "127.0.0.%31",
    "2851995648", "2886729728", "167772160", "184549375", "184549376", "2147483648", "2130706432", "2130706431",
)  # fmt: skip

V6 = (
    "::1", "::", "::2", "0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0000", "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::FFFF:10.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "::127.0.0.1", "0:0:0:0:0:ffff:192.168.1.1", "fc00::",
    "fdff::1",
    "fbff:ffff::1", "fe00::1", "fe80::1", "febf::1", "fe7f::1", "fec0::1", "ff02::1", "2001:db8::1",
    "2001:4860:4860::8888",
    "64:ff9b::7f00:1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::1:2:3:4:5:6:7", "::2:3:4:5:6:7:8",
    "1:2:3:4:5:6:1.2.3.4",
    "1::8:9", "1:2:3:4::5:6:7:8", "1::2::3", "12345::", "::g", "1:2:3", ":1", "1:", ":::", "", "::1.2.3", "::1.2.3.256",
    "::01.2.3.4", "::1.2.3.4:5", "fe80::1%25eth0", "fe80::1%eth0", "::1 ", "v1.a", "vF.a:b", "v.a", "v1.", "V1a.:",
    "vg.a",
    "1fff::1", "2000::1", "2001::", "2001:1ff:ffff::", "2001:200::", "2001:db7::1", "2001:db9::", "3ffe:ffff::",
    "3fff:fff:ffff::", "3fff:1000::", "4000::", "2002:7f00:1::", "2002:808:808::", "2002:c000:200::1", "2003::1",
    "64:ff9b::8.8.8.8", "64:ff9b::c633:64ff", "64:ff9b:1::8.8.8.8", "::8.8.8.8", "::ffff:198.19.255.255",
    "::0001", "::00001", "::FFFF:0x7f.1", "1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::ffff:0.0.0.0", "::ffff:169.254.1.1",
)  # fmt: skip

SCHEMES = "https http HTTPS HtTp ftp javascript data file ws a+b-c.9 mailto intent ht+tps".split()
BAD_SCHEMES = ("", "1http", "ht tp", "-a", "ht_tp", "http ", " http", "\thttps", "httpſ", "h%74tp", "+", ".a")
PORTS = ":80 :443 :0 : :65535 :65536 :99999 :00080 :065535 :0065536 :123456789012345678901234567890 :8a :-1 :+1 :８０ :80:80".split()
USERS = ("user@", "user:pass@", "@", ":@", "a:b:c@", "a@b@", "%41@", "%4@", "a b@", "[::1]@", "shop.example@")
PATHS = (
    "/", "/a", "/a/b", "//a", "/a//", "/.", "/a%20b", "/a%2", "/a%zz", "/a b", "/а", "/[a]", "/a|b", "/{id}", "/a^b",
    "/`",
    '/"', "/<a>", "/\\", "\\a", "/a:b@c", "/!$&'()*+,;=", "/~", "/\t", "/\n", "/\x7f", "/\x00", "/%", "/%00", "a", "[",
)  # fmt: skip
TAILS = (
    "?",
    "?a=b",
    "?a?b/c",
    "?a=[1]",
    "?%4",
    "#",
    "#a",
    "#a#b",
    "#a?b/c",
    "?a#b",
    "#%zz",
    "?а=б",
    "#[",
    "? ",
    "?a|b",
    "#\u200b",
)


def uri(random: Random, bytes_allowed: int, public: bool = False) -> str:
    """Returns a URI. With `public`, it breaks no rule of the default policy."""
    if public:
        name = random.choice(
            ("shop.example", "pay.example.com:8443", "8.8.8.8", "[2a00:1450::1]", "xn--e1afmkfd.example")
        )
        return f"https://{name}{random.choice(('', '/', '/orders/1007', '/a?b=c', '/a%20b', '#done'))}"
    if random.random() < 0.06:
        return sized(random, bytes_allowed)
    if random.random() < 0.06:
        return random.choice(("", " ", "/a", "//shop.example/a", "shop.example", "http", "http:", "http:/", "http://",
        "https:///a",
                              "http:a", "mailto:a@b.example", "javascript:alert(1)", "urn:a:b", ":", "://", "http:/a/b",
                              "?a", "#a",
                              "http:?a", "http:#a", "https:////a", "http:[", "ftp:[", "javascript:alert[1]",
                              "data:,a b"))  # fmt: skip
    scheme = random.choice(SCHEMES) if random.random() < 0.35 else random.choice(("https", "http"))
    if random.random() < 0.05:
        scheme = random.choice(BAD_SCHEMES)
    user = random.choice(USERS) if random.random() < 0.12 else ""
    port = random.choice(PORTS) if random.random() < 0.25 else ""
    path = random.choice(PATHS) if random.random() < 0.35 else random.choice(("", "/a"))
    tail = random.choice(TAILS) if random.random() < 0.25 else ""
    result = f"{scheme}://{user}{host(random)}{port}{path}{tail}"
    if random.random() < 0.05:
        at = random.randint(0, len(result))
        result = (
            result[:at]
            + random.choice(("", " ", "\n", "%", "%41", "[", "]", "é", "@", ":", "#", "\u202e", "\\", "//"))
            + result[at:]
        )
    return result


def host(random: Random) -> str:
    kind = random.randrange(10)
    if kind < 3:
        return random.choice(NAMES)
    if kind == 3:
        return "shop.example"
    if kind == 4:
        return random.choice(V4)
    if kind < 7:
        return random.choice(V4_ODD)
    if kind < 9:
        return f"[{random.choice(V6)}]"
    return random.choice((any_v4, any_v6))(random)


def any_v4(random: Random) -> str:
    """Returns an address near the ends of the private networks, in some notation."""
    high = random.choice((0, 9, 10, 11, 100, 126, 127, 128, 169, 172, 192, 198, 203, 223, 224, 239, 240, 255))
    address = high << 24 | random.choice(
        (0, 1, 0x0F0000, 0x100000, 0x1F0000, 0x200000, 0xA80000, 0xA90000, 0xFE0000, 0xFFFFFF)
        + (0x0000FF, 0x000100, 0x000200, 0x0002FF, 0x000300, 0x58_6300, 0x58_6400, 0x12_0000, 0x13_FFFF, 0x14_0000)
        + (0x33_6400, 0x33_6500, 0x00_7100, 0x00_7200)
    )
    parts = random.randint(1, 4)
    numbers = [address >> 24 - 8 * index & 255 for index in range(parts - 1)]
    numbers.append(address & (1 << 8 * (5 - parts)) - 1)
    form = random.choice(("{:d}", "0x{:x}", "0{:o}", "0X{:X}"))
    return ".".join((form if random.random() < 0.8 else "{:d}").format(number) for number in numbers)


def any_v6(random: Random) -> str:
    groups = [
        random.choice(
            ("0", "1", "ffff", "7f00", "fe80", "fd00", "abcd", "0000", "2000", "2001", "1ff", "200", "db8", "2002")
            + ("3fff", "fff", "1000", "64", "ff9b", "c000", "808", "a00")
        )
        for _ in range(random.randint(1, 9))
    ]
    if random.random() < 0.7:
        at = random.randrange(len(groups) + 1)
        return f"[{':'.join(groups[:at])}::{':'.join(groups[at:])}]"
    return f"[{':'.join(groups)}]"


def sized(random: Random, bytes_allowed: int) -> str:
    """Returns a URI near the policy's limit in bytes, sometimes with characters of two bytes."""
    start = "https://shop.example/"
    fill = random.choice(("a", "a", "é"))
    expected = bytes_allowed + random.choice((-1, 0, 0, 1, 1, 2)) - len(start)
    return start + fill * (max(expected, 0) // len(fill.encode()))
