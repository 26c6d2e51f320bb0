"""Required, optional and forbidden members, and the order of violations."""

import unittest

from payspec_model.validate import TYPES
from tests.helpers import CARD, H2H, PAY_IN, PAY_OUT, codes, of, report, told, with_card


class Kind(unittest.TestCase):
    def test_valid_bodies(self):
        for body in (PAY_IN, PAY_OUT, {**H2H, "pay_in_details": {"card": CARD}}):
            self.assertEqual(told(body), [])
            self.assertTrue(report(body).valid)

    def test_the_body_itself(self):
        for text in (b"[]", b"null", b'"{}"', b"1", b"true"):
            self.assertEqual(told(text), [("", "type")])

    def test_required(self):
        self.assertEqual(told({}), [("/payment_type", "missing"), ("/cur", "missing"), ("/amount", "missing")])
        self.assertEqual(codes({**PAY_IN, "amount": None}), ["missing"])
        self.assertEqual(
            told({"payment_type": "pay_out", "cur": "RUB", "amount": "1"}),
            [("/mode", "missing"), ("/subtype", "missing")],
        )

    def test_subtype_may_lack_in_a_pay_in_of_crypto(self):
        self.assertEqual(of("subtype", None, mode="CRYPTO"), [])
        self.assertEqual(of("subtype", None, mode="P2P"), ["missing"])
        self.assertEqual(of("subtype", None, mode=None), ["missing"])
        self.assertIn("missing", codes({**PAY_OUT, "mode": "CRYPTO", "subtype": None}))

    def test_a_policy_requires_more(self):
        policy = {"required": ["/merchant_id", "/pay_in_details/card/security_code", "/pay_out_details/full_name"]}
        self.assertEqual(
            told(PAY_IN, policy), [("/merchant_id", "missing"), ("/pay_in_details/card/security_code", "missing")]
        )
        self.assertEqual(
            told(PAY_OUT, policy), [("/merchant_id", "missing"), ("/pay_out_details/full_name", "missing")]
        )

    def test_case_matters(self):
        for name, value in (("payment_type", "PAY_IN"), ("mode", "p2p"), ("subtype", "sbp ")):
            self.assertEqual(of(name, value), ["unsupported_value"])
        self.assertIsNone(report({**PAY_IN, "mode": "p2p"}).mode)

    def test_types(self):
        for name, value in (
            ("amount", 100),
            ("cur", ["RUB"]),
            ("host2host", "true"),
            ("pay_in_details", []),
            ("description", {}),
            ("mode", 1),
        ):
            self.assertEqual(of(name, value), ["type"])
        for token in (b"1.0", b"1e2", b'"1"'):
            text = (
                b'{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"1","time_to_complete_payment":%s}'
                % token
            )
            self.assertEqual(codes(text), ["type"])

    def test_a_null_counts_as_absent(self):
        for name in ("merchant_id", "user_name", "callback", "host2host", "pay_in_details", "pay_out_details", "mode"):
            self.assertEqual(of(name, None), [])


class Variants(unittest.TestCase):
    def test_members_of_the_other_variant(self):
        self.assertEqual(told({**PAY_IN, "pay_out_details": {}}), [("/pay_out_details", "variant_mismatch")])
        self.assertEqual(told({**PAY_OUT, "user_name": "\0", "pay_in_details": {"bank_name": ""}})[:3],
                         [("/user_name", "variant_mismatch"), ("/user_name", "text_control_character"),
                          ("/pay_in_details", "variant_mismatch")])  # fmt: skip
        self.assertEqual(
            told({**PAY_OUT, "user_name": "\0"}, {"severity": {"variant_mismatch": "error"}}),
            [("/user_name", "variant_mismatch")],
        )
        twice = b'{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"1","pay_out_details":{},"pay_out_details":{}}'
        for severity, expected in (("error", ["duplicate_member"]), ("warning", ["duplicate_member"]), ("off", [])):
            self.assertEqual(codes(twice, {"severity": {"duplicate_member": severity}}), expected)
        self.assertIn(
            ("/pay_in_details/bank_name", "text_empty"), told({**PAY_OUT, "pay_in_details": {"bank_name": ""}})
        )

    def test_without_a_variant_its_rules_are_passed_over(self):
        body = {
            "cur": "RUB",
            "amount": "1",
            "payment_type": "x",
            "host2host": True,
            "user_name": "a",
            "pay_out_details": {},
            "subtype": "sbp",
        }
        self.assertEqual(told(body), [("/payment_type", "unsupported_value")])

    def test_cards_and_host_to_host(self):
        card = {"card": CARD}
        self.assertEqual(
            told({**H2H, "host2host": False, "pay_in_details": card}),
            [("/pay_in_details/card", "card_without_host2host")],
        )
        self.assertEqual(told(H2H), [("/pay_in_details/card", "host2host_without_card")])
        self.assertEqual(told({**H2H, "subtype": "sbp"}), [])
        for number in ({}, {"card_number": None}):
            self.assertEqual(
                told({**H2H, "pay_in_details": {"card": number}}),
                [("/pay_in_details/card", "host2host_without_card")],
            )
        self.assertEqual(
            told({**H2H, "pay_in_details": {"card": None}}), [("/pay_in_details/card", "host2host_without_card")]
        )

    def test_recipients(self):
        self.assertEqual(
            told({**PAY_OUT, "pay_out_details": None}), [("/pay_out_details/phone_number", "recipient_incomplete")]
        )
        self.assertEqual(
            told({**PAY_OUT, "subtype": "bank_card"}), [("/pay_out_details/card_number", "recipient_incomplete")]
        )


class Strays(unittest.TestCase):
    def test_they_come_last_and_in_the_order_met(self):
        body = {
            "zzz": 1,
            "currency": 2,
            "pay_in_details": {"card": {"payer_account": 1, **CARD}, "x/y~z": 1},
            **H2H,
            "amount": "",
        }
        self.assertEqual(told(body), [
            ("/amount", "amount_syntax"), ("/zzz", "unknown_member"), ("/currency", "legacy_member"),
            ("/pay_in_details/card/payer_account", "legacy_member"), ("/pay_in_details/x~1y~0z", "unknown_member"),
        ])  # fmt: skip

    def test_legacy_at_their_place_alone(self):
        self.assertEqual(of("payer_account", 1), ["unknown_member"])
        self.assertEqual(of("pay_in_details", {"currency": "RUB"}), ["unknown_member"])
        self.assertEqual(
            told({"x": 1, **PAY_IN, "system": None}), [("/system", "legacy_member"), ("/x", "unknown_member")]
        )

    def test_a_slash_in_a_name_is_no_path(self):
        self.assertEqual(told({**PAY_IN, "pay_in_details/card": 1}), [("/pay_in_details~1card", "unknown_member")])


class Order(unittest.TestCase):
    def test_all_members_as_section_2_2_has_them(self):
        body = {path[1:]: 1.5 for path in reversed(list(TYPES)) if path.count("/") == 1}
        wanted = [path for path in TYPES if path.count("/") == 1]
        self.assertEqual([path for path, _ in told(body)], wanted)

    def test_severities(self):
        body = {**PAY_IN, "x": 1}
        self.assertTrue(report(body).valid)
        self.assertFalse(report(body, {"severity": {"unknown_member": "error"}}).valid)
        self.assertEqual(codes(body, {"severity": {"unknown_member": "off"}}), [])
        self.assertTrue(report({**PAY_IN, "cur": "X"}, {"severity": {"currency_unknown": "warning"}}).valid)

    def test_where_a_rule_is_off_the_next_one_runs(self):
        policy = {"severity": {"currency_unknown": "off"}, "currencies": ["USD"]}
        self.assertEqual(of("cur", "BTC", policy), ["currency_not_allowed"])
        self.assertEqual(with_card("2032-01-01T00:00:00Z", expiry_year=31), [("expiry_year", "card_expired")])


if __name__ == "__main__":
    unittest.main()
