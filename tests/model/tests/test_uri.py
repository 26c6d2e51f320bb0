"""Addresses: grammar, schemes, credentials, and hosts that no callback from outside should reach."""

import unittest

from payspec_model.uri import v4
from tests.helpers import of


class Grammar(unittest.TestCase):
    def test_what_is_no_uri_with_a_host(self):
        for text in (
            "", "/a", "shop.example", "http", "http:", "http:/a", "http://", "http:///a", "http://:80",
            "https://a:65536", "https://a:8a",
            "https://a b", "https://a/\u00e9", "https://a/%zz", "https://a/[b]", "https://a#b#c", "https://[::g]",
            "https://[::1", "1http://a",
            "https://a\\b", " https://a", "https://a\n", "https://[fe80::1%25eth0]", "https://a@b@c",
        ):  # fmt: skip
            self.assertEqual(of("redirect_url", text), ["uri_syntax"], text)

    def test_what_is_one(self):
        for text in ("https://a", "HTTP://a", "https://a:", "https://a:65535/", "https://a?b=c/d?e#f/g?h",
        "https://[2001:db8::1]:443",
                     "https://[v1.a:b]", "https://a_b!$&'()*+,;=%41", "https://a//b/;c=1:@",
                     "https://256.1.1.1"):  # fmt: skip
            self.assertEqual(of("redirect_url", text), [], text)

    def test_schemes_before_hosts(self):
        for text in ("javascript:alert(1)", "ftp://a", "data:,a", "ftp://a:65536"):
            self.assertEqual(of("redirect_url", text), ["uri_scheme"], text)
        self.assertEqual(of("redirect_url", "javascript:alert( 1)"), ["uri_syntax"])
        self.assertEqual(of("redirect_url", "http://a", {"urls": {"schemes": ["https"]}}), ["uri_scheme"])

    def test_credentials(self):
        for text in ("https://a@b", "https://a:b@c", "https://@b"):
            self.assertEqual(of("redirect_url", text), ["uri_credentials"])

    def test_length_in_bytes_comes_first(self):
        self.assertEqual(of("redirect_url", "https://a/" + "a" * 2038), [])
        self.assertEqual(of("redirect_url", "https://a/" + "a" * 2039), ["text_too_long"])
        self.assertEqual(of("redirect_url", "é" * 1025), ["text_too_long"])


class PrivateHosts(unittest.TestCase):
    def check(self, hosts, wanted):
        for host in hosts.split():
            self.assertEqual(of("callback", f"https://{host}/"), wanted, host)
            self.assertEqual(of("redirect_url", f"https://{host}/"), [], host)

    def test_of_the_contract(self):
        self.check(
            "localhost LOCALHOST a.local a.internal 127.0.0.1 127.255.0.1 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1",
            ["uri_private_host"],
        )
        self.check("169.254.169.254 0.0.0.0 127.1 0x7f000001 2130706433 0177.0.0.1 0 10.1", ["uri_private_host"])
        self.check(
            "[::1] [::] [fc00::1] [fdff::1] [fe80::1] [febf::1] [::ffff:127.0.0.1] [::ffff:a00:1]", ["uri_private_host"]
        )

    def test_beyond_it(self):
        self.check(
            "a.localhost localhost. a.local. 100.64.0.1 0.0.0.1 [::127.0.0.1] [64:ff9b::10.0.0.1]",
            ["uri_private_host"],
        )

    def test_others(self):
        self.check(
            "%6cocalhost 127.0.0.%31 notlocalhost local internal a.localx 172.15.255.255 172.32.0.1 192.169.0.1 11.0.0.1 128.0.0.1 1.0.0.1 100.128.0.1",
            [],
        )
        self.check(
            "[2001:db8::1] [::ffff:8.8.8.8] [fec0::1] [fe7f::1] [ff02::1] 127.0.0.256 127.0.0.1.1 08.1 127.0.0.1..", []
        )

    def test_notations(self):
        for text, wanted in (
            ("0x7f.1", 127 << 24 | 1),
            ("0", 0),
            ("0x", 0),
            ("1.2.3.4.", 0x01020304),
            ("4294967296", None),
            ("1..2", None),
            ("09", None),
        ):
            self.assertEqual(v4(text), wanted, text)


if __name__ == "__main__":
    unittest.main()
