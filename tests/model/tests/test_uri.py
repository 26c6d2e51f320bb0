"""URIs: grammar, schemes, credentials, and private hosts."""

import ipaddress
import unittest

from payspec_model.uri import v4
from tests.helpers import of


class Grammar(unittest.TestCase):
    def test_rejects_uris_without_a_valid_host(self):
        for text in (
            "", "/a", "shop.example", "http", "http:", "http:/a", "http://", "http:///a", "http://:80",
            "https://a:65536", "https://a:8a",
            "https://a b", "https://a/\u00e9", "https://a/%zz", "https://a/[b]", "https://a#b#c", "https://[::g]",
            "https://[::1", "1http://a",
            "https://a\\b", " https://a", "https://a\n", "https://[fe80::1%25eth0]", "https://a@b@c",
            "https://%6cocalhost", "http://127%2e0.0.1", "HTTPS://a%41/", "https://u@%41",
        ):  # fmt: skip
            self.assertEqual(of("redirect_url", text), ["uri_syntax"], text)

    def test_accepts_valid_uris(self):
        for text in ("https://a", "HTTP://a", "https://a:", "https://a:65535/", "https://a?b=c/d?e#f/g?h",
        "https://[2001:db8::1]:443",
                     "https://[v1.a:b]", "https://a_b!$&'()*+,;=", "https://a//b/;c=1:@%41?%41#%41",
                     "https://256.1.1.1"):  # fmt: skip
            self.assertEqual(of("redirect_url", text), [], text)

    def test_checks_schemes_before_hosts(self):
        for text in ("javascript:alert(1)", "ftp://a", "data:,a", "ftp://a:65536"):
            self.assertEqual(of("redirect_url", text), ["uri_scheme"], text)
        self.assertEqual(of("redirect_url", "javascript:alert( 1)"), ["uri_syntax"])
        self.assertEqual(of("redirect_url", "http://a", {"urls": {"schemes": ["https"]}}), ["uri_scheme"])

    def test_does_not_require_hosts_for_schemes_of_the_policy(self):
        policy = {"urls": {"schemes": ["https", "myapp"]}}
        for text in ("myapp:", "myapp:a", "myapp://", "myapp:///a", "MyApp:/a?b#c", "myapp://:80", "myapp://%6c"):
            self.assertEqual(of("redirect_url", text, policy), [], text)
        for text in ("myapp:a[b]", "myapp:#a#b", "myapp://:65536", "https:a", "HTTPS:///a"):
            self.assertEqual(of("redirect_url", text, policy), ["uri_syntax"], text)
        self.assertEqual(of("redirect_url", "myapp://a@", policy), ["uri_credentials"])
        self.assertEqual(of("callback", "myapp://a.local", policy), ["uri_private_host"])
        self.assertEqual(of("callback", "myapp://%6cocalhost", policy), [])
        self.assertEqual(of("callback", "myapp://%6c.example", policy), [])

    def test_reports_credentials(self):
        for text in ("https://a@b", "https://a:b@c", "https://@b"):
            self.assertEqual(of("redirect_url", text), ["uri_credentials"])

    def test_checks_the_length_in_bytes_first(self):
        self.assertEqual(of("redirect_url", "https://a/" + "a" * 2038), [])
        self.assertEqual(of("redirect_url", "https://a/" + "a" * 2039), ["text_too_long"])
        self.assertEqual(of("redirect_url", "é" * 1025), ["text_too_long"])


class PrivateHosts(unittest.TestCase):
    def check(self, hosts, expected):
        for host in hosts.split():
            self.assertEqual(of("callback", f"https://{host}/"), expected, host)
            self.assertEqual(of("redirect_url", f"https://{host}/"), [], host)

    def test_reports_hosts_of_the_contract(self):
        self.check(
            "localhost LOCALHOST a.local a.internal 127.0.0.1 127.255.0.1 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1",
            ["uri_private_host"],
        )
        self.check("169.254.169.254 0.0.0.0 127.1 0x7f000001 2130706433 0177.0.0.1 0 10.1", ["uri_private_host"])
        self.check(
            "[::1] [::] [fc00::1] [fdff::1] [fe80::1] [febf::1] [::ffff:127.0.0.1] [::ffff:a00:1]", ["uri_private_host"]
        )

    def test_reports_private_names(self):
        self.check("a.localhost localhost. a.local. nas.home.arpa nas.Home.ARPA.", ["uri_private_host"])
        self.check("redis notlocalhost local redis. a_b!$&'()*+,;=", ["uri_private_host"])
        self.check(
            "localhost.localdomain a.localdomain4 a.localdomain6 a.LAN a.home a.corp a.intranet a.private a.default.svc.",
            ["uri_private_host"],
        )
        self.check("a.localx home.arpa my.homes.example localhost.. a.svc.cluster a.mylan shop.example", [])

    def test_checks_both_ends_of_ranges(self):
        for first, last in (
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "255.255.255.255"),
        ):
            low, high = int(ipaddress.IPv4Address(first)), int(ipaddress.IPv4Address(last))
            for address in (low - 1, low, high, high + 1):
                if not 0 <= address < 2**32:
                    continue
                expected = ["uri_private_host"] if low <= address <= high else []
                dotted = str(ipaddress.IPv4Address(address))
                embedded = f"{address >> 16:x}:{address & 0xFFFF:x}"
                self.check(f"{dotted} {address} 0x{address:x} [::ffff:{dotted}]", expected)
                self.check(f"[64:ff9b::{embedded}] [2002:{embedded}::1]", expected)
        for first, last in (
            ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ):
            low, high = int(ipaddress.IPv6Address(first)), int(ipaddress.IPv6Address(last))
            for address in (low - 1, low, high, high + 1):
                if 0 <= address < 2**128:
                    expected = ["uri_private_host"] if low <= address <= high else []
                    self.check(f"[{ipaddress.IPv6Address(address)}]", expected)

    def test_checks_embedded_addresses(self):
        self.check("[::127.0.0.1] [::8.8.8.8] [64:ff9b:1::8.8.8.8] [64:ff9b::a00:1] [2002:7f00:1::]", ["uri_private_host"])
        self.check("[::ffff:8.8.8.8] [64:ff9b::8.8.8.8] [2002:808:808::7f00:1] [2001:4860::127.0.0.1] [v1.a]", [])

    def test_accepts_hosts_that_are_not_addresses(self):
        self.check("127.0.0.256 127.0.0.1.1 08.1 127.0.0.1..", [])

    def test_parses_notations_of_addresses(self):
        for text, expected in (
            ("0x7f.1", 127 << 24 | 1),
            ("0", 0),
            ("0x", 0),
            ("1.2.3.4.", 0x01020304),
            ("4294967296", None),
            ("1..2", None),
            ("09", None),
        ):
            self.assertEqual(v4(text), expected, text)


if __name__ == "__main__":
    unittest.main()
