"""Tests of the generated texts and logs, and of their comparison, with the model in the place of the library."""

import unittest
from collections import Counter
from random import Random

import corpus
import logs
import texts
from corpus.events import PLACE_OF_CODE, Planted
from generator.numbers import CARDS
from payspec_model import card
from payspec_model.texts import names, redact, redact_text


def model(operation, text):
    return texts.MODELS[operation](text)


class GeneratedTexts(unittest.TestCase):
    def generated(self, seed):
        return [case for number in range(10) for case in texts.cases(seed, number)]

    def test_are_the_same_for_a_seed(self):
        self.assertEqual(self.generated("a"), self.generated("a"))
        self.assertNotEqual(self.generated("a"), self.generated("b"))

    def test_cover_names_escapes_and_both_operations(self):
        cases = self.generated("a")
        everything = "\n".join(case.text for case in cases)
        for part in (
            *names.NUMBERS,
            *names.CODES,
            *names.WEAK_CODES,
            "pan",
            "%B",
            "&#34;",
            "\\u00",
            "\\x22",
            "%22",
            "\\\\",
        ):
            self.assertIn(part.lower(), everything.lower())
        for zero in (0xFF10, 0x660, 0x6F0):
            self.assertIn(chr(zero), everything)
        self.assertEqual({case.operation for case in cases}, {"redact", "redact_text"})
        self.assertGreater(sum(model(*case) != case.text for case in cases), len(cases) / 2)

    def test_contain_only_card_numbers_that_nobody_has(self):
        for number in CARDS:
            self.assertTrue(card.looks_like_card(number), number)


class Comparison(unittest.TestCase):
    def test_accepts_the_model_itself(self):
        counts, kinds = texts.checked(texts.cases("a", 1), model)
        self.assertEqual(kinds, {})
        self.assertEqual(counts["redact_text"] + counts["redact"], texts.CHUNK)

    def test_accepts_other_escapes_in_masked_strings_only(self):
        case = texts.Case("redact", '{"a":"\\u0436 4111111111111111","b":"\\u0436"}')
        good = '{"a":"ж 411111******1111","b":"\\u0436"}'
        self.assertTrue(texts.same(case, redact(case.text), good))
        self.assertFalse(texts.same(case, redact(case.text), good.replace("\\u0436", "ж")))

    def test_detects_what_a_library_misses(self):
        def without_codes(operation, text):
            return model(operation, text.replace("cvv", "qqq")).replace("qqq", "cvv")

        found = texts.compared(texts.Case("redact_text", "x: 1, cvv: 123, y: 2"), without_codes)
        self.assertTrue(found.kind.startswith("redact_text: masks less"))
        self.assertRegex(texts.least(found, without_codes).case.text, "cvv: ?[0-9]")
        found = texts.compared(texts.Case("redact", '{"a":[{"cvv":"123"}],"b":"4111111111111111"}'), without_codes)
        self.assertEqual(texts.least(found, without_codes).case.text.count("cvv"), 1)

    def test_detects_remaining_numbers_and_repeated_changes(self):
        case = texts.Case("redact_text", "card 4111111111111111")
        self.assertIn("a card number in the answer", texts.compared(case, lambda _, text: text).kind)
        self.assertIn("not idempotent", texts.compared(case, lambda _, text: text.replace("11", "1")).kind)

    def test_shows_digits_of_test_numbers_only(self):
        shown = texts.hidden("4111111111111111 4539578763621486 500000000009 1234")
        self.assertEqual(shown, "4111111111111111 # # 1234")


class Logs(unittest.TestCase):
    def test_masks_all_that_is_planted_in_every_format(self):
        for name in corpus.FORMATS:
            seen = Counter()
            for seed in range(20):
                random = Random(f"{name}{seed}")
                record = corpus.record(random, name, 0)
                self.assertNotIn(PLACE_OF_CODE, record.text)
                self.assertTrue(logs.shows(record.planted, record.text), record)
                redacted = redact_text(record.text)
                self.assertFalse(logs.shows(record.planted, redacted), (record, redacted))
                seen.update(number=bool(record.planted.number), code=bool(record.planted.code))
            self.assertGreater(min(seen["number"], seen["code"]), 2, name)

    def test_changes_other_records_only_by_chance(self):
        for name in corpus.FORMATS:
            counts, errors = logs.measured(name, 0, "a", 60, redact_text)
            self.assertEqual(errors, [])
            self.assertEqual(counts[name, "planted"], 1)
            self.assertFalse(logs.is_failed(counts, name))

    def test_detects_a_library_that_masks_nothing_or_all(self):
        counts, errors = logs.measured("HAR", 0, "a", 30, lambda text: text)
        self.assertEqual([result for _, result, *_ in errors], ["missed"])
        self.assertTrue(logs.is_failed(counts, "HAR"))
        counts, _ = logs.measured("HAR", 0, "a", 30, lambda text: "*")
        self.assertTrue(logs.is_failed(counts, "HAR"))
        self.assertEqual(counts["HAR", "masked"], 1)
        self.assertEqual(counts["HAR", "false"] + counts["HAR", "by chance"], 29)
        self.assertIn("| HAR | 1 | 1 | 0 | 29 |", "\n".join(logs.table(counts)))

    def test_finds_numbers_with_any_separator(self):
        planted = Planted("4111111111111111", "4111 1111 1111 1111", "")
        for text in (
            "4111 1111 1111 1111",
            "4111%201111%201111%201111",
            r"4111\u00a01111\u00a01111\u00a01111",
            "4111-1111-1111-1111",
        ):
            self.assertTrue(logs.shows(planted, text), text)
        self.assertFalse(logs.shows(planted, "4111 11** **** 1111"))


if __name__ == "__main__":
    unittest.main()
