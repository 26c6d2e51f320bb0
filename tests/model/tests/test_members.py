"""Required, optional and forbidden members, and the order of violations."""

import unittest

from payspec_model.validate import TYPES
from tests.helpers import CARD, H2H, PAY_IN, PAY_OUT, codes, of, report, violations, with_card


class Kind(unittest.TestCase):
    def test_accepts_valid_bodies(self):
        for body in (PAY_IN, PAY_OUT, {**H2H, "pay_in_details": {"card": CARD}}):
            self.assertEqual(violations(body), [])
            self.assertTrue(report(body).valid)

    def test_rejects_bodies_that_are_not_objects(self):
        for text in (b"[]", b"null", b'"{}"', b"1", b"true"):
            self.assertEqual(violations(text), [("", "type")])

    def test_reports_missing_members(self):
        self.assertEqual(violations({}), [("/payment_type", "missing"), ("/cur", "missing"), ("/amount", "missing")])
        self.assertEqual(codes({**PAY_IN, "amount": None}), ["missing"])
        self.assertEqual(
            violations({"payment_type": "pay_out", "cur": "RUB", "amount": "1"}),
            [("/mode", "missing"), ("/subtype", "missing")],
        )

    def test_does_not_require_subtype_in_a_pay_in_of_crypto(self):
        self.assertEqual(of("subtype", None, mode="CRYPTO"), [])
        self.assertEqual(of("subtype", None, mode="P2P"), ["missing"])
        self.assertEqual(of("subtype", None, mode=None), ["missing"])
        self.assertIn("missing", codes({**PAY_OUT, "mode": "CRYPTO", "subtype": None}))

    def test_requires_members_of_the_policy(self):
        policy = {"required": ["/merchant_id", "/pay_in_details/card/security_code", "/pay_out_details/full_name"]}
        self.assertEqual(violations(PAY_IN, policy), [("/merchant_id", "missing")])
        details = {"pay_in_details": {"card": {"card_number": "4111111111111111"}}}
        self.assertEqual(
            violations({**H2H, **details}, policy),
            [("/merchant_id", "missing"), ("/pay_in_details/card/security_code", "missing")],
        )
        self.assertEqual(violations(PAY_IN, {"required": ["/pay_in_details"]}), [("/pay_in_details", "missing")])
        self.assertEqual(violations({**PAY_IN, "pay_in_details": None}, policy), [("/merchant_id", "missing")])
        self.assertEqual(
            violations(PAY_OUT, policy), [("/merchant_id", "missing"), ("/pay_out_details/full_name", "missing")]
        )

    def test_compares_values_with_case(self):
        for name, value in (("payment_type", "PAY_IN"), ("mode", "p2p"), ("subtype", "sbp ")):
            self.assertEqual(of(name, value), ["unsupported_value"])
        self.assertIsNone(report({**PAY_IN, "mode": "p2p"}).mode)

    def test_reports_types(self):
        for name, value in (
            ("amount", 100),
            ("cur", ["RUB"]),
            ("host2host", "true"),
            ("pay_in_details", []),
            ("description", {}),
            ("mode", 1),
        ):
            self.assertEqual(of(name, value), ["type"])

    def test_reads_integers_by_value(self):
        body = b'{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"1","time_to_complete_payment":%s}'
        for token in (b"1.5", b"1e-1", b'"1"', b"105e-1", b"1e-99999999999999999999", b"0.00001e4"):
            self.assertEqual(codes(body % token), ["type"], token)
        for token in (b"3600.0", b"36e2", b"1.50E1", b"100e-2", b"0.00001e5", b"1" + b"0" * 400 + b"e-400"):
            self.assertEqual(codes(body % token), [], token)
        for token in (b"0.0", b"-0", b"0e99999999999999999999", b"1e400", b"-36e2", b"1e99999999999999999999"):
            self.assertEqual(codes(body % token), ["integer_range"], token)

    def test_treats_null_as_absent(self):
        for name in ("merchant_id", "user_name", "callback", "host2host", "pay_in_details", "pay_out_details", "mode"):
            self.assertEqual(of(name, None), [])


class Variants(unittest.TestCase):
    def test_reports_members_of_the_other_variant(self):
        self.assertEqual(violations({**PAY_IN, "pay_out_details": {}}), [("/pay_out_details", "variant_mismatch")])
        self.assertEqual(violations({**PAY_OUT, "user_name": "\0", "pay_in_details": {"bank_name": ""}})[:3],
                         [("/user_name", "variant_mismatch"), ("/user_name", "text_control_character"),
                          ("/pay_in_details", "variant_mismatch")])  # fmt: skip
        self.assertEqual(
            violations({**PAY_OUT, "user_name": "\0"}, {"severity": {"variant_mismatch": "error"}}),
            [("/user_name", "variant_mismatch")],
        )
        twice = b'{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"1","pay_out_details":{},"pay_out_details":{}}'
        for severity, expected in (("error", ["duplicate_member"]), ("warning", ["duplicate_member"]), ("off", [])):
            self.assertEqual(codes(twice, {"severity": {"duplicate_member": severity}}), expected)
        self.assertIn(
            ("/pay_in_details/bank_name", "text_empty"), violations({**PAY_OUT, "pay_in_details": {"bank_name": ""}})
        )

    def test_skips_rules_of_variants_without_a_variant(self):
        body = {
            "cur": "RUB",
            "amount": "1",
            "payment_type": "x",
            "host2host": True,
            "user_name": "a",
            "pay_out_details": {},
            "subtype": "sbp",
        }
        self.assertEqual(violations(body), [("/payment_type", "unsupported_value")])

    def test_requires_cards_in_host_to_host_mode_only(self):
        card = {"card": CARD}
        self.assertEqual(
            violations({**H2H, "host2host": False, "pay_in_details": card}),
            [("/pay_in_details/card", "card_without_host2host")],
        )
        self.assertEqual(violations(H2H), [("/pay_in_details/card", "host2host_without_card")])
        self.assertEqual(violations({**H2H, "subtype": "sbp"}), [])
        for number in ({}, {"card_number": None}):
            self.assertEqual(
                violations({**H2H, "pay_in_details": {"card": number}}),
                [("/pay_in_details/card", "host2host_without_card")],
            )
        self.assertEqual(
            violations({**H2H, "pay_in_details": {"card": None}}), [("/pay_in_details/card", "host2host_without_card")]
        )

    def test_requires_recipients(self):
        self.assertEqual(
            violations({**PAY_OUT, "pay_out_details": None}),
            [("/pay_out_details/phone_number", "recipient_incomplete")],
        )
        self.assertEqual(
            violations({**PAY_OUT, "subtype": "bank_card"}), [("/pay_out_details/card_number", "recipient_incomplete")]
        )


class UnknownMembers(unittest.TestCase):
    def test_reports_them_last_in_the_order_of_the_body(self):
        body = {
            "zzz": 1,
            "currency": 2,
            "pay_in_details": {"card": {"payer_account": 1, **CARD}, "x/y~z": 1},
            **H2H,
            "amount": "",
        }
        self.assertEqual(violations(body), [
            ("/amount", "amount_syntax"), ("/zzz", "unknown_member"), ("/currency", "legacy_member"),
            ("/pay_in_details/card/payer_account", "legacy_member"), ("/pay_in_details/x~1y~0z", "unknown_member"),
        ])  # fmt: skip

    def test_reports_legacy_members_only_at_their_path(self):
        self.assertEqual(of("payer_account", 1), ["unknown_member"])
        self.assertEqual(of("pay_in_details", {"currency": "RUB"}), ["unknown_member"])
        self.assertEqual(
            violations({"x": 1, **PAY_IN, "system": None}), [("/system", "legacy_member"), ("/x", "unknown_member")]
        )

    def test_escapes_slashes_in_names(self):
        self.assertEqual(
            violations({**PAY_IN, "pay_in_details/card": 1}), [("/pay_in_details~1card", "unknown_member")]
        )


class Order(unittest.TestCase):
    def test_reports_members_in_the_order_of_section_2_2(self):
        body = {path[1:]: 1.5 for path in reversed(list(TYPES)) if path.count("/") == 1}
        expected = [path for path in TYPES if path.count("/") == 1]
        self.assertEqual([path for path, _ in violations(body)], expected)

    def test_applies_severities(self):
        body = {**PAY_IN, "x": 1}
        self.assertTrue(report(body).valid)
        self.assertFalse(report(body, {"severity": {"unknown_member": "error"}}).valid)
        self.assertEqual(codes(body, {"severity": {"unknown_member": "off"}}), [])
        self.assertTrue(report({**PAY_IN, "cur": "X"}, {"severity": {"currency_unknown": "warning"}}).valid)

    def test_runs_the_next_rule_if_a_rule_is_off(self):
        policy = {"severity": {"currency_unknown": "off"}, "currencies": ["USD"]}
        self.assertEqual(of("cur", "BTC", policy), ["currency_not_allowed"])
        self.assertEqual(with_card("2032-01-01T00:00:00Z", expiry_year=31), [("expiry_year", "card_expired")])


if __name__ == "__main__":
    unittest.main()
