"""RFC 8259, size, depth, duplicate members."""

import unittest

from payspec_model.reader import NotJson, TooDeep, read, unescape
from tests.helpers import PAY_IN, codes, report, violations


class Syntax(unittest.TestCase):
    def test_rejects_invalid_json(self):
        for text in (
            b"", b"{", b"{}{}", b"{},", b"[1,]", b'{"a":1,}', b"{a:1}", b"{'a':1}", b"NaN", b"Infinity", b"-", b"01",
            b"1.", b".5", b"+1", b"1e",
            b"\xef\xbb\xbf{}", b"{}\x00", b"\x0c{}", b"\xc2\xa0{}", b'"\t"', b'"\\x41"', b'"\\u12"', b'"\\ud800"',
            b'"\\udc00\\ud800"',
            b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xf4\x90\x80\x80"', b"nul", b"TRUE", b'{"a" 1}',
            b'{"a":1 "b":2}', b"/**/{}",
        ):  # fmt: skip
            with self.subTest(text), self.assertRaises(NotJson):
                read(text, 16)

    def test_accepts_valid_json(self):
        for text in (
            b"{}",
            b" \t\r\n{} ",
            b"-0",
            b"1E+05",
            b"1e400",
            b'"\\ud83d\\ude00"',
            b'"\x7f"',
            b'{"":1,"":2}',
            b"[[],{}]",
        ):
            with self.subTest(text):
                read(text, 16)

    def test_decodes_escapes(self):
        self.assertEqual(unescape(r"\u0041\ud83d\ude00\n\/\"\\"), 'A\U0001f600\n/"\\')

    def test_reports_invalid_json_only(self):
        for text in (b'{"amount":1,', b'{"amount":"\\ud800"}', b'{"x":{"y":tru}}'):
            found = report(text)
            self.assertEqual((found.valid, found.variant, found.mode, found.host2host), (False, None, None, False))
            self.assertEqual([tuple(each) for each in found.violations], [("", "json_syntax", "error")])


class Limits(unittest.TestCase):
    def test_counts_the_body_as_depth_1(self):
        self.assertEqual(codes(b"[" * 17), ["too_deep"])
        self.assertEqual(codes(b"[" * 16), ["json_syntax"])
        self.assertEqual(codes({"x": {}}, {"limits": {"depth": 1}}), ["too_deep"])
        self.assertEqual(codes(PAY_IN, {"limits": {"depth": 1}}), [])
        self.assertRaises(TooDeep, read, b'{"x":[{"y":1}]}', 2)

    def test_limits_the_bytes_of_the_body(self):
        self.assertEqual(codes(b" " * 65536), ["json_syntax"])
        self.assertEqual(codes(b" " * 65537), ["body_too_large"])
        self.assertEqual(codes(b"{}}", {"limits": {"body_bytes": 2}}), ["body_too_large"])

    def test_limits_the_violations(self):
        found = report({}, {"limits": {"violations": 2}})
        self.assertEqual((len(found.violations), found.truncated, found.valid), (2, True, False))
        self.assertFalse(report({}, {"limits": {"violations": 3}}).truncated)

    def test_counts_unlisted_violations_in_the_verdict(self):
        body = {"x": 1, **PAY_IN, "amount": "1"}
        policy = {"limits": {"violations": 1}, "severity": {"missing": "warning", "unknown_member": "error"}}
        self.assertFalse(report({**body, "cur": None}, policy).valid)


class Duplicates(unittest.TestCase):
    def test_uses_the_first_value(self):
        text = (
            b'{"payment_type":"pay_in","payment_type":"pay_out","mode":"CRYPTO","mode":"P2P","cur":"RUB","amount":"1"}'
        )
        found = report(text)
        self.assertEqual((found.variant, found.mode), ("pay_in", "CRYPTO"))
        self.assertEqual(codes(text), ["duplicate_member", "duplicate_member"])

    def test_stops_at_a_duplicate_member(self):
        text = b'{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"x","amount":"1"}'
        self.assertEqual(violations(text), [("/amount", "duplicate_member")])
        self.assertEqual(codes(text, {"severity": {"duplicate_member": "off"}}), ["amount_syntax"])
        self.assertEqual(
            codes(text, {"severity": {"duplicate_member": "warning"}}), ["duplicate_member", "amount_syntax"]
        )

    def test_decodes_escapes_in_names(self):
        self.assertIn(("/mode", "duplicate_member"), violations(b'{"mode":"P2P","mod\\u0065":"P2P"}'))

    def test_reports_duplicates_only_in_objects_of_the_request(self):
        body = b'{"x":{"a":1,"a":2},"pay_in_details":{"y":1,"y":1,"card":{"z":1,"z":1}},"x":0}'
        self.assertEqual(
            violations(body)[3:],
            [
                ("/x", "duplicate_member"),
                ("/pay_in_details/y", "duplicate_member"),
                ("/pay_in_details/card/z", "duplicate_member"),
            ],
        )


if __name__ == "__main__":
    unittest.main()
