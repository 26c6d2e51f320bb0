"""Card data in texts, sentence by sentence of section 3a."""

import unittest

from payspec_model.texts import contains_card_number, redact, redact_text
from payspec_model.texts import names
from payspec_model.texts.iban import ibans
from payspec_model.texts.mask import hidden

CARD = "4111111111111111"
MASKED = "411111******1111"


class Texts(unittest.TestCase):
    def becomes(self, pairs):
        for text, expected in pairs:
            self.assertEqual(redact_text(text), expected, text)
            self.assertEqual(redact_text(expected), expected, f"{text}, again")

    def stay(self, *texts):
        self.becomes((text, text) for text in texts)


class Numbers(Texts):
    def test_masks_numbers_of_schemes_that_pass_luhn(self):
        self.becomes(
            (
                (CARD, MASKED),
                ("378282246310005", "378282*****0005"),
                ("30569309025904", "30569*****5904"),
                ("6304219447607087665", "630421*********7665"),
                ("9704000000000018 9112000000000014", "970400******0018 911200******0014"),
                ("213100000000001 180000000000002", "213100*****0001 180000*****0002"),
            )
        )
        self.stay(
            "4111111111111112",
            "7111111111111114",
            "411111111111116",
            "4222222222222",
            "501800000009",
            "0" * 16,
        )

    def test_counts_unionpay_without_a_check_digit(self):
        self.becomes((("x 620000000000008 y", "x 620000*****0008 y"), ("62000000000001", "62000*****0001")))

    def test_knows_digits_of_four_scripts(self):
        for zero in (0xFF10, 0x660, 0x6F0):
            text = "".join(chr(zero + int(digit)) for digit in CARD)
            self.assertEqual(redact_text(text), text[:6] + "******" + text[-4:])
        self.stay("".join(chr(0x966 + int(digit)) for digit in CARD))

    def test_knows_groups_with_one_separator(self):
        for separator in (*" \t\u00a0\u202f\u2009-\u2010\u2011\u2012\u2013._+", "  ", "%20"):
            text = separator.join(("4111", "1111", "1111", "1111"))
            self.assertEqual(redact_text(text), separator.join(("4111", "11**", "****", "1111")), separator)
        self.becomes(
            (
                ("3782 822463 10005", "3782 82**** *0005"),
                ("5060 9905 8000 0217 499", "5060 99** **** ***7 499"),
                ("4111 1111 1111 1111 12 27", "4111 11** **** 1111 12 27"),
                ("12 4111 1111 1111 1111", "12 4111 11** **** 1111"),
            )
        )
        self.stay(
            "4111 1111-1111 1111", "41 11 11 11 11 11 11 11", "41111111 11111111", "4111/1111/1111/1111",
            "[4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2]", "411 1111 1111 1111 1", "4111   1111   1111   1111", "4111  1111 1111 1111",
        )  # fmt: skip

    def test_requires_that_no_letter_or_digit_touches_them(self):
        self.stay(f"x{CARD}", f"{CARD}x", f"0{CARD}", f"{CARD}0", "4111 1111 1111 1111abc")
        self.becomes(
            (
                (f"卡号{CARD}已支付", f"卡号{MASKED}已支付"),
                (f"я{CARD}я", f"я{MASKED}я"),
                (f"_{CARD}_", f"_{MASKED}_"),
                (f"**{CARD}**", f"**{MASKED}**"),
            )
        )

    def test_decodes_escapes(self):
        for escape in (
            r"\n", r"\"", r"\u0022", r"\x22", "%22", "&quot;", "&#34;", "&#x22;", "\x1b[32m", r"\u001b[1;31m", r"\x1b[0m",
            r"\033[31m", "#033[31m", r"\e[31m", "^[[31m", r"\\n", r"\\\\n", r"\\u0022", r"\\\"", "%2522", "&amp;quot;",
            r"\\u001b[32m", r"\u0026quot;", "%5C%22", "%C2%A0",
        ):  # fmt: skip
            self.becomes(((f"a{escape}{CARD}{escape}b", f"a{escape}{MASKED}{escape}b"),))
        self.becomes(
            (
                (rf"\u0034{CARD[1:]}", rf"\u0034{MASKED[1:]}"),
                (r"4111\u0031111111\u00311111", r"4111\u00311******1111"),
                (f"20%{CARD}", f"20%{MASKED}"),
            )
        )

    def test_masks_track_data(self):
        self.becomes(
            (
                (f"%B{CARD}^DOE/JOHN^25121010000000000000?", f"%B{MASKED}^DOE/JOHN^{'*' * 20}?"),
                (f";{CARD}=25121010000000000000?", f";{MASKED}={'*' * 20}?"),
                (f"{CARD}D25121010000000000000F", f"{MASKED}D{'*' * 20}F"),
                (f"%25B{CARD}%5EDOE/JOHN%5E2512101%3F", f"%25B{MASKED}%5EDOE/JOHN%5E*******%3F"),
            )
        )
        self.stay(f"B{CARD}^DOE", f"{CARD}DX", f"%B{CARD}")

    def test_excludes_other_numbers(self):
        self.stay(
            "41111111-1111-4008-8abc-aaaaaaaaaaaa", "aaaaaaaa-4111-1111-1111-111111111111",
            f"0.{CARD}", f"1.2.{CARD}", "4111 1111 1111 1111.5", "0.4111 1111 1111 1111", f"{CARD}.5", f"-12.{CARD}", f"{CARD}.01",
            "DE12 5001 0517 0648 4898 90", "GB29 NWBK 6016 1331 9268 19", "EAN 5901234123457", "1790000000005",
            "cpu 64705 150 51120 616250 5200 30 56 700 6500 40", "20261127101530",
        )  # fmt: skip
        self.becomes(
            (
                (f"{CARD}.0", f"{MASKED}.0"),
                (f"{CARD}.00 x", f"{MASKED}.00 x"),
                (f"{CARD}. Yes", f"{MASKED}. Yes"),
                (f"1,{CARD},5", f"1,{MASKED},5"),
            )
        )

    def test_validates_ibans(self):
        valid = "NO93 8601 1117 947"
        self.assertEqual(list(ibans(f"to {valid}, thanks")), [(3, 3 + len(valid))])
        for text in (
            "NO94 8601 1117 947",
            "XX93 8601 1117 947",
            "NO93 8601 1117 9470",
            "no93 8601 1117 947",
            "NO93",
        ):
            self.assertEqual(list(ibans(text)), [])
        # Not a valid IBAN, so its groups are a card number.
        self.becomes((("DE11 4111 1111 1111 1111 00", "DE11 4111 11** **** 1111 00"),))

    def test_contains_only_numbers_by_their_form(self):
        self.assertTrue(contains_card_number(rf"{{\"a\":\"x\n{CARD}\"}}"))
        self.assertFalse(contains_card_number("card_number=500000000009 cvv=123"))

    def test_hides_five_digits_at_least(self):
        for count, shown in ((12, 3), (13, 4), (14, 5), (15, 6), (16, 6), (19, 6)):
            self.assertEqual(list(hidden(count)), list(range(shown, count - 4)))
            self.assertGreaterEqual(len(hidden(count)), 5)
        self.assertEqual(list(hidden(11)), list(range(2, 11)))


class Names(Texts):
    def test_compares_names_without_case_and_separators(self):
        for kind, written in (
            (
                names.NUMBER,
                "card_number CardNumber CARD-NO cc.number ccnum creditCardNumber primary_account_number",
            ),
            (
                names.CODE,
                "security_code CVV cvv2 cvc CVC2 CVN cvn2 CVP2 cav2 cvd verificationValue card_verification_value",
            ),
            (
                names.CODE,
                "card_cvv cardCvv cvvCode cc-csc cvv_result CVVCode card_cvv2 cardSecurityCode security_code_1",
            ),
            (names.WEAK_NUMBER, "pan PAN p_a_n"),
            (names.WEAK_CODE, "cid CSC cav cve"),
            (
                None,
                "cvvs xcvv card_numbers span number code acid card cscope discvvery security name",
            ),
        ):
            for name in written.split():
                self.assertEqual(names.kind(name), kind, name)

    def test_masks_values_after_separators(self):
        self.becomes(
            (
                ("cvv=123&x=1", "cvv=***&x=1"),
                ("cvv: 12345, x", "cvv: ***, x"),
                ("cvv => 1", "cvv => ***"),
                ('{"cvv":"123"}', '{"cvv":"***"}'),
                ('{"cvv":123}', '{"cvv":"***"}'),
                (r"{\"cvv\":123}", r"{\"cvv\":\"***\"}"),
                ('{"cvv" :\n "1\\"23"}', '{"cvv" :\n "***"}'),
                ('["cvv"]=>\n  string(3) "123"', '["cvv"]=>\n  string(3) "***"'),
                ("card[cvv]=123&card%5Bcvc%5D=123", "card[cvv]=***&card%5Bcvc%5D=***"),
                (
                    "request.cvv=123 card number: 500000000009",
                    "request.cvv=*** card number: 500*****0009",
                ),
                ("The security code: 123. Yes", "The security code: ***. Yes"),
                ("\x1b[36mcvv\x1b[0m=\x1b[33m123\x1b[0m", "\x1b[36mcvv\x1b[0m=\x1b[33m***\x1b[0m"),
                ("cvv=[1,2] x={3}", "cvv=*** x={3}"),
            )
        )
        self.stay(
            "card_numbers=5 xcvv=1 span=500000000009 cvvs: 3", '{"message":"missing cvv:","code":5}', "?pan=&cvv=&x=1",
            "cvc=\n123",
        )  # fmt: skip

    def test_masks_values_after_a_space(self):
        self.becomes((("the cvv 123 ok", "the cvv *** ok"), ("security code 1234.", "security code ***.")))
        self.stay(
            "cvv 12",
            "cvv 12345",
            "cvv 123a",
            "cvv is 123",
            "cid 123",
            "cvv 123.5",
            "card number 500000000009",
        )

    def test_requires_digits_after_weak_names(self):
        self.becomes((("cid=123 csc: 4567 pan=500000000009", "cid=*** csc: *** pan=500*****0009"),
                      ("pan: 5000 0000 0009, x", "pan: ******, x")))  # fmt: skip
        self.stay("cid=12 csc: 45678 pan=tok_1 pan=4111 cve: 2024-1234 cid=0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11")

    def test_masks_numbers_under_names_in_every_form(self):
        self.becomes(
            (
                ("card_number=tok_1", "card_number=******"),
                ("card_number=12345", "card_number=12***"),
                ("card_number=4111111111111112", "card_number=411111******1112"),
                ("card_number=50-00-00-00-00-09", "card_number=******"),
                ("card_number=41111111111111111111", "card_number=******"),
                ("cardNo: 5000-0000-0009 7", "cardNo: ******"),
                ('{"card_number":500000000009}', '{"card_number":"500*****0009"}'),
            )
        )
        self.stay(
            "card_number=411111******1111",
            "card_number: ****",
            "card_number=0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
        )

    def test_leaves_the_first_group_after_a_weak_name_to_the_number(self):
        self.becomes(
            (
                ("cve=6069 8500 0000 0003", "cve=6069 85** **** 0003"),
                ("cve=6069\\t8500\\t0000\\t0003", "cve=6069\\t85**\\t****\\t0003"),
            )
        )

    def test_ends_objects_where_as_many_brackets_close(self):
        self.becomes(
            (
                ('"cvv":{"a":"}",[1}], x', '"cvv":"***", x'),
                ('"cvv":{"\\"\'"},"7"\n', '"cvv":"***","7"\n'),
                ('"cvv":[1,\n2', '"cvv":"***"'),
                ("cvv=[1,\n2", "cvv=***\n2"),
            )
        )

    def test_reads_no_escape_with_escaped_digits(self):
        self.stay("cvc0=123", "cvv foo=123", "%5Cu06f\\u0034539578763621486")

    def test_keeps_wrappers(self):
        for wrapped in (
            'Some("{}")', 'Optional("{}")', "b'{}'", 'string(3) "{}"', 'NumberLong("{}")', 'CardCode{{value="{}"}}', "({})",
            "Some({})", "<{}>", "Some(CardCode(value='{}'))", "CardCode {{ value: {} }}", "&\"{}\"", 'Just(Some("{}"))',
        ):  # fmt: skip
            self.becomes(((f"cvv: {wrapped.format(123)}, x", f"cvv: {wrapped.format('***')}, x"),))
        self.becomes(
            (
                ("cvv: List(1, 2)", "cvv: List(***, 2)"),
                ("cvv: #<Cvv 123>, x", "cvv: #<Cvv ***>, x"),
                ("cvv[]=12&card[cvv][0]=12", "cvv[]=***&card[cvv][0]=***"),
                ("Card No.: 500000000009", "Card No.: 500*****0009"),
            )
        )
        self.stay("Option<Cvv> loaded 12", "if cvv>2 then x", "payments::cvv::check", "cvv->12", "<Cvv 12345>")

    def test_reads_markup(self):
        self.becomes(
            (
                (
                    "<CardNumber>500000000009</CardNumber><Cvv>123</Cvv>",
                    "<CardNumber>500*****0009</CardNumber><Cvv>***</Cvv>",
                ),
                ("<a:Cvv xsi:type='x'> 12 </a:Cvv>", "<a:Cvv xsi:type='x'> *** </a:Cvv>"),
                ("<cvv><![CDATA[123]]></cvv>", "<cvv><![CDATA[***]]></cvv>"),
                ("<Cvv>123", "<Cvv>***"),
                ("&lt;Cvv&gt;123&lt;/Cvv&gt;", "&lt;Cvv&gt;***&lt;/Cvv&gt;"),
                ('<input name="cvv" value="123"/>', '<input name="cvv" value="***"/>'),
                (
                    "<input value='123' type='x' name='cvv'>",
                    "<input value='***' type='x' name='cvv'>",
                ),
                (
                    '{"name":"cvv","value":"123"},{"name":"x","value":"1"}',
                    '{"name":"cvv","value":"***"},{"name":"x","value":"1"}',
                ),
            )
        )
        self.stay("<Cvv/>12", "<Cvv></Cvv>", '{"name":"cvv"},{"value":"123"}')


class Json(unittest.TestCase):
    def test_masks_members_and_texts(self):
        for text, expected in (
            ('{"cvv":[1,{"a":2}],"card_number":[1]}', '{"cvv":"***","card_number":"******"}'),
            ('{"cvv":null,"card_number":null}', '{"cvv":"***","card_number":null}'),
            (
                '{"pan":"5000 0000 0009","cid":123,"csc":"x"}',
                '{"pan":"******","cid":"***","csc":"x"}',
            ),
            (
                '{"a.card_number":"500000000009","card[cvv]":"1","card[card_no]":12}',
                '{"a.card_number":"500*****0009","card[cvv]":"***","card[card_no]":"12"}',
            ),
            ('[{"Name":"cvv","Value":"1"}]', '[{"Name":"cvv","Value":"***"}]'),
            ('{"log":"{\\"cvv\\":\\"123\\"}\\n"}', '{"log":"{\\"cvv\\":\\"***\\"}\\n"}'),
            (
                '{"a":"{\\"b\\":\\"{\\\\\\"cvv\\\\\\":1}\\"}"}',
                '{"a":"{\\"b\\":\\"{\\\\\\"cvv\\\\\\":\\\\\\"***\\\\\\"}\\"}"}',
            ),
            (f'{{"n":{CARD},"{CARD}":1.50}}', f'{{"n":"{MASKED}","{MASKED}":1.50}}'),
            (f' {{"a\\u0062":"\\/", "x":"{CARD}"}}\n', f' {{"a\\u0062":"\\/", "x":"{MASKED}"}}\n'),
        ):
            self.assertEqual(redact(text), expected)
            self.assertEqual(redact(expected), expected)


#: Inputs from reports of users of other tools.
FIELD = (
    (
        '{\\"card_number\\":\\"500000000009\\",\\"security_code\\":\\"1234\\"}\\n',
        "500000000009",
        "1234",
    ),
    ('{"level":"info","msg":"pay cvv=123 pan=500000000009"}', "123", "500000000009"),
    (
        f'POST /pay "{{\\x22card_number\\x22:\\x22{CARD}\\x22,\\x22security_code\\x22:\\x22123\\x22}}" 201',
        CARD,
        "2123\\",
    ),
    ('{"query":"cvv\\u003d123\\u0026pan\\u003d500000000009"}', "d123", "500000000009"),
    (
        "{&quot;cvv&quot;:&quot;123&quot;,&quot;pan&quot;:&quot;500000000009&quot;}",
        "123",
        "500000000009",
    ),
    ("next=%2Fpay%3Fcvv%3D123%26pan%3D500000000009", "D123", "500000000009"),
    (
        'Card { security_code: Some("123"), number: Some("1") } pan: Some("500000000009")',
        '"123"',
        "500000000009",
    ),
    ("{'cvv': b'123', 'pan': b'500000000009'}", "123", "500000000009"),
    (f'{{"msg":"\\u001b[32m{CARD}\\u001b[39m"}}', CARD),
    ("GET /pay?n=4111+1111+1111+1111&x=1", "1111+1111+"),
    ("CVN: 123 CVP2: 123 cc-csc=123 card_cvv=123 cardCvv=123 cvv_code=123", ": 123", "=123"),
)


class Field(unittest.TestCase):
    def test_masks_what_users_reported(self):
        for text, *secrets in FIELD:
            redacted = redact_text(text)
            self.assertEqual([secret for secret in secrets if secret in redacted], [], redacted)


if __name__ == "__main__":
    unittest.main()
