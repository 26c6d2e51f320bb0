"""Rules of single values."""

import unittest

from payspec_model import card, timestamp
from payspec_model.currency import MINOR_UNITS
from tests.helpers import PAY_IN, PAY_OUT, codes, of, with_card


class Money(unittest.TestCase):
    def test_rejects_invalid_amounts(self):
        for amount in (
            "",
            "00",
            "01.5",
            "1.",
            ".5",
            "+1",
            "-1",
            "1e3",
            " 1",
            "1 ",
            "1\n",
            "1_000",
            "1,0",
            "\u0661",
            "１",
            "NaN",
            "0x1",
        ):
            self.assertEqual(of("amount", amount), ["amount_syntax"], amount)

    def test_limits_the_digits_of_amounts(self):
        self.assertEqual(of("amount", "9" * 18), [])
        self.assertEqual(of("amount", "9" * 19), ["amount_out_of_bounds"])
        self.assertEqual(of("amount", "1." + "0" * 18), [])
        self.assertEqual(of("amount", "0." + "0" * 19), ["amount_out_of_bounds"])

    def test_checks_for_zero_before_the_scale(self):
        self.assertEqual(of("amount", "0.000"), ["amount_not_positive"])
        self.assertEqual(of("amount", "0.001"), ["amount_scale"])

    def test_checks_the_scale(self):
        self.assertEqual(of("amount", "100.00", cur="JPY"), [])
        self.assertEqual(of("amount", "100.50", cur="JPY"), ["amount_scale"])
        self.assertEqual(of("amount", "1.001", cur="KWD"), [])
        self.assertEqual(of("amount", "1.0001", cur="KWD"), ["amount_scale"])
        self.assertEqual(of("amount", "1.001", cur="XAU"), ["currency_not_fiat"])

    def test_checks_the_bounds_of_the_policy(self):
        policy = {"limits": {"amount": {"RUB": {"min": "10", "max": "500000"}}}}
        for amount, expected in (
            ("9.99", 1),
            ("10", 0),
            ("10.00", 0),
            ("500000.00", 0),
            ("500000.01", 1),
            ("1000000", 1),
            ("2", 1),
        ):
            self.assertEqual(len(of("amount", amount, policy)), expected, amount)
        self.assertEqual(of("amount", "1", policy, cur="USD"), [])

    def test_rejects_other_currencies(self):
        self.assertEqual(of("cur", "rub"), ["currency_unknown"])
        self.assertEqual(of("cur", "USDT"), ["currency_unknown"])
        for code in ("XAU", "XTS", "XXX", "XDR"):
            self.assertEqual(of("cur", code), ["currency_not_fiat"])
        self.assertEqual(of("cur", "USD", {"currencies": ["RUB"]}), ["currency_not_allowed"])
        self.assertEqual(of("cur", "XAU", {"currencies": ["RUB"]}), ["currency_not_allowed"])

    def test_reads_the_published_list(self):
        self.assertEqual([MINOR_UNITS[code] for code in ("JPY", "RUB", "KWD", "CLF", "XAU")], [0, 2, 3, 4, None])


class Text(unittest.TestCase):
    def test_counts_lengths_in_scalar_values(self):
        self.assertEqual(of("user_id", "\U0001f600" * 255), [])
        self.assertEqual(of("user_id", "a" * 256), ["text_too_long"])
        self.assertEqual(of("description", "a" * 1024), [])
        self.assertEqual(of("description", "a" * 1025), ["text_too_long"])
        self.assertEqual(of("user_id", ""), ["text_empty"])

    def test_reports_control_characters(self):
        for sign in "\x00\x1f\x7f\x80\x9f\u2028\u2029\u202a\u202e\u2066\u2069":
            self.assertEqual(of("description", f"a{sign}"), ["text_control_character"], repr(sign))
        for sign in "\t\n\r":
            self.assertEqual(of("description", sign), [])
            self.assertEqual(of("user_id", sign), ["text_control_character"])
        for sign in "\xa0\u200b\u200f\u202f\u2065\u206a\ufeff":
            self.assertEqual(of("description", sign), [])

    def test_finds_card_numbers_in_texts(self):
        for text in (
            "4111111111111111",
            "4111 1111 1111 1111.",
            "12 4111111111111111",
            "я4111111111111111",
            "４" + "１" * 15,
        ):
            self.assertEqual(of("description", text), ["card_number_in_text"], text)
        for text in (
            "4111111111111112",
            "4111-1111 1111-1111",
            "14111111111111111",
            "x4111111111111111",
            "4222222222222",
        ):
            self.assertEqual(of("description", text), [], text)


class Cards(unittest.TestCase):
    def test_checks_card_numbers(self):
        self.assertEqual(with_card(card_number="4111111111111112"), [("card_number", "card_number_checksum")])
        for number in ("41111111111", "4" * 20, "4111 1111 1111 1111", "", "４１１１１１１１１１１１１１１１"):
            self.assertEqual(with_card(card_number=number), [("card_number", "card_number_syntax")])

    def test_checks_zeros_and_numbers_without_a_check_digit(self):
        for number, expected in (
            ("0" * 16, [("card_number", "card_number_checksum")]),
            ("6200000000000000", [("card_number", "card_number_no_check_digit")]),
            ("6200000000000005", []),
        ):
            self.assertEqual(with_card(card_number=number), expected)

    def test_recognizes_schemes(self):
        for digits, scheme in (
            ("4", "visa"), ("51", "mastercard"), ("2221", "mastercard"), ("2720", "mastercard"), ("2721", None), ("34",
            "american_express"),
            ("2200", "mir"), ("2205", "borica"), ("2206", None), ("62", "unionpay"), ("810", "unionpay"), ("3528", "jcb"), ("3590", None),
            ("6011", "discover"),
            ("6012", "maestro"), ("649", "discover"), ("643", "maestro"), ("305", "diners_club"), ("306", None), ("36",
            "diners_club"),
            ("501", "maestro"), ("56", "maestro"), ("69", "maestro"), ("1", None),
            ("401178", "elo"), ("401180", "visa"), ("506778", "elo"), ("506779", "maestro"), ("655020", "discover"),
            ("606282", "hipercard"), ("507964", "verve"), ("507965", "maestro"), ("9792", "troy"), ("8600", "uzcard"),
            ("9860", "humo"), ("9861", None), ("508500", "rupay"), ("508499", "maestro"), ("652150", "rupay"),
            ("817200", "rupay"), ("820199", "rupay"), ("820200", None), ("9704", "napas"), ("9112", "belkart"),
            ("9417", "elcart"), ("9051", None), ("9804", "prostir"), ("1946", "gpn"), ("2131", "jcb"), ("1800", "jcb"),
        ):  # fmt: skip
            self.assertEqual(
                card.scheme(digits.ljust(16, "0") if len(digits) > 3 else digits + "9" * 12), scheme, digits
            )

    def test_checks_security_codes(self):
        for number, code, expected in (
            ("340000000000009", "1234", []), ("340000000000009", "123", ["security_code_syntax"]), ("4111111111111111",
            "1234", ["security_code_syntax"]),
            (None, "123", []), (None, "1234", []), (None, "12", ["security_code_syntax"]), (None, "12345",
            ["security_code_syntax"]),
        ):  # fmt: skip
            found = [each for _, each in with_card(card_number=number, security_code=code)]
            self.assertEqual(found, expected if number else ["host2host_without_card", *expected])

    def test_reports_expired_cards(self):
        last, first = "2026-11-30T23:59:59-12:00", "2026-12-01T12:00:00Z"
        self.assertEqual(with_card(last, expiry_year=2026, expiry_month=11), [])
        self.assertEqual(with_card(first, expiry_year=2026, expiry_month=11), [("expiry_year", "card_expired")])
        self.assertEqual(with_card(first, expiry_year=26, expiry_month=11), [("expiry_year", "card_expired")])
        self.assertEqual(with_card(last, expiry_year=26, expiry_month=12), [("expiry_year", "expiry_year_two_digits")])
        self.assertEqual(with_card("2027-01-01T11:59:59.999999999Z", expiry_year=2026, expiry_month=12), [])
        self.assertEqual(with_card(None, expiry_year=2000), [])

    def test_checks_the_ranges_of_month_and_year(self):
        for month, expected in ((0, 1), (1, 0), (12, 0), (13, 1), (-1, 1), (10**30, 1)):
            self.assertEqual(len(with_card(expiry_month=month)), expected)
        for year, expected in ((2000, []), (2099, []), (2100, ["expiry_year_range"]), (1999, ["expiry_year_range"]), (100,
        ["expiry_year_range"]),
                             (99, ["expiry_year_two_digits"]), (0, ["expiry_year_two_digits"]), (-1,
                             ["expiry_year_range"])):  # fmt: skip
            self.assertEqual([code for _, code in with_card(expiry_year=year)], expected)


class OtherValues(unittest.TestCase):
    def test_checks_phone_numbers(self):
        for number, expected in (
            ("+79000000000", 0),
            ("1234567", 0),
            ("123456", 1),
            ("1" * 15, 0),
            ("+" + "1" * 16, 1),
            ("++1234567", 1),
            ("01234567", 1),
            ("+0123456789", 1),
            ("+7 900", 1),
        ):
            self.assertEqual(len(codes({**PAY_OUT, "pay_out_details": {"phone_number": number}})), expected, number)

    def test_checks_time_to_complete_payment(self):
        for value, expected in ((0, 1), (1, 0), (2**53 - 1, 0), (2**53, 1), (-1, 1), (10**400, 1)):
            self.assertEqual(of("time_to_complete_payment", value), ["integer_range"] * expected)
        policy = {"limits": {"time_to_complete_payment": {"min": 60}}}
        self.assertEqual(of("time_to_complete_payment", 59, policy), ["integer_range"])

    def test_rejects_invalid_timestamps(self):
        for text in (
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00:60Z",
            "2026-02-29T00:00:00Z",
            "2026-01-01T00:00:00",
            "2026-01-01t00:00:00Z",
            "2026-01-01T00:00:00z",
        ):
            self.assertIsNone(timestamp.parse(text), text)
            self.assertRaises(ValueError, codes, PAY_IN, None, text)
        self.assertEqual(timestamp.parse("2026-01-01T01:00:00+01:00"), timestamp.parse("2025-12-31T23:30:00.9-00:30"))


if __name__ == "__main__":
    unittest.main()
