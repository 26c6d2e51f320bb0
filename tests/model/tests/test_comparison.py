"""Tests of the generator and the comparison."""

import unittest
from random import Random

import generator
from compare import Case, compared, least, like
from payspec_model import Policy, validate_request
from payspec_model.policy import SEVERITIES
from payspec_model.report import Violation


class IncompleteLibrary:
    """A library without one rule, which is also its engine."""

    def __init__(self, without, policy=None):
        self.without = without
        self.policy = Policy(policy)

    def engine(self, policy):
        return IncompleteLibrary(self.without, policy)

    def report(self, body, now):
        found = validate_request(body, now, self.policy)
        return found._replace(violations=tuple(each for each in found.violations if each.code != self.without))

    def verdict(self, body, now):
        del body, now
        return 0


class Generator(unittest.TestCase):
    def generated(self, seed):
        random = Random(seed)
        policy = Policy(generator.policy(random))
        for _ in range(60):
            now = generator.timestamp(random)
            yield generator.body(random, policy, now), now, policy

    def test_generates_the_same_bodies_from_a_seed(self):
        first, again, other = ([case[:2] for case in self.generated(seed)] for seed in ("a", "a", "b"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_covers_every_code(self):
        codes = set()
        for seed in range(100):
            for body, now, policy in self.generated(seed):
                try:
                    codes.update(each.code for each in validate_request(body, now, policy).violations)
                except ValueError:
                    codes.add("now")
        self.assertEqual(codes, {*SEVERITIES, "now"})


class Comparison(unittest.TestCase):
    BODY = b'{"x":[1,2,3],"payment_type":"pay_in","subtype":"sbp","cur":"RUB","description":"a","amount":"0.00"}'

    def test_detects_a_missing_rule(self):
        case = Case(self.BODY, None, {})
        self.assertIsNone(compared(case, IncompleteLibrary("too_deep"), Policy())[1])
        found = compared(case, IncompleteLibrary("amount_not_positive"), Policy())[1]
        self.assertEqual(found.kind, "amount_not_positive against nothing")

    def test_requires_an_error_for_an_invalid_timestamp(self):
        found = compared(Case(self.BODY, "today", {}), IncompleteLibrary(""), Policy())[1]
        self.assertEqual(found.kind, "now")

    def test_reduces_the_case(self):
        library = IncompleteLibrary("amount_not_positive")
        case = Case(self.BODY, "2026-01-01T00:00:00Z", {"required": ["/mode"]})
        found = least(compared(case, library.engine(case.policy), Policy(case.policy))[1], library)
        self.assertEqual((found.case.now, found.case.policy), (None, {}))
        self.assertEqual(found.case.body, b'{"amount":"0"}')

    def test_requires_masks_in_names_like_card_numbers(self):
        def named(path):
            return Violation(path, "unknown_member", "warning")

        self.assertTrue(like(named("/4111111111111111"), named("/411111******1111")))
        self.assertFalse(like(named("/4111111111111111"), named("/4111111111111111")))
        self.assertFalse(like(named("/4111111111111111"), named("/411111*****1111")))
        self.assertFalse(like(named("/x1"), named("/x*")))


if __name__ == "__main__":
    unittest.main()
