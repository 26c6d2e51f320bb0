//! Tests of whole texts.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::number::NumberSearch;
use super::*;

fn redacted(text: &str) -> String {
    let masked = TextMask::COMPLETE.mask(text);
    masked.map_or_else(|| text.to_string(), |masked| masked.as_str().to_string())
}

#[test]
fn masks_values_in_every_language() {
    for (text, expected) in [
        (
            "pay cvv=123 pan=500000000009",
            "pay cvv=*** pan=500*****0009",
        ),
        (
            "{\\x22cvv\\x22:\\x22123\\x22}",
            "{\\x22cvv\\x22:\\x22***\\x22}",
        ),
        (
            "cvv\\u003d123\\u0026pan\\u003d500000000009",
            "cvv\\u003d***\\u0026pan\\u003d500*****0009",
        ),
        (
            "{&quot;cvv&quot;:&quot;123&quot;}",
            "{&quot;cvv&quot;:&quot;***&quot;}",
        ),
        ("?a=%2Fpay%3Fcvv%3D123%26x", "?a=%2Fpay%3Fcvv%3D***%26x"),
        ("{\\\"cvv\\\":123}", "{\\\"cvv\\\":\\\"***\\\"}"),
        (
            "{\\\\\\\"cvv\\\\\\\":123}",
            "{\\\\\\\"cvv\\\\\\\":\\\\\\\"***\\\\\\\"}",
        ),
        (
            "Card { security_code: Some(\"123\") }",
            "Card { security_code: Some(\"***\") }",
        ),
        ("{'cvv': b'123'}", "{'cvv': b'***'}"),
        (
            "[\"cvv\"]=>\n  string(3) \"123\"",
            "[\"cvv\"]=>\n  string(3) \"***\"",
        ),
        ("[cvv:protected] => 123", "[cvv:protected] => ***"),
        ("s:3:\"cvv\";s:3:\"123\";", "s:3:\"cvv\";s:3:\"***\";"),
        (
            "{cvv=CardCode{value=\"123\"}}",
            "{cvv=CardCode{value=\"***\"}}",
        ),
        ("#{cvv => <<\"123\">>}", "#{cvv => <<\"***\">>}"),
        ("{:cvv=>\"123\"}", "{:cvv=>\"***\"}"),
        ("map[cvv:123 x:1]", "map[cvv:*** x:1]"),
        ("<Card><Cvv>123</Cvv></Card>", "<Card><Cvv>***</Cvv></Card>"),
        (
            "<a:Cvv x:y=\"z\"> 123 </a:Cvv>",
            "<a:Cvv x:y=\"z\"> *** </a:Cvv>",
        ),
        ("&lt;Cvv&gt;123&lt;/Cvv&gt;", "&lt;Cvv&gt;***&lt;/Cvv&gt;"),
        (
            "<i name=\"cvv\" value=\"123\"/>",
            "<i name=\"cvv\" value=\"***\"/>",
        ),
        ("<i value='123' name='cvv'>", "<i value='***' name='cvv'>"),
        ("<cvv value=\"123\"/>", "<cvv value=\"***\"/>"),
        (
            "{\"name\":\"cvv\",\"value\":\"123\"}",
            "{\"name\":\"cvv\",\"value\":\"***\"}",
        ),
        (
            "{\"name\":\"x\"},{\"value\":\"123\"}",
            "{\"name\":\"x\"},{\"value\":\"123\"}",
        ),
        (
            "card[cvv]=123&card%5Bcvc%5D=123",
            "card[cvv]=***&card%5Bcvc%5D=***",
        ),
        (
            "{\"name\" => \"cvv\", \"value\" => \"123\"}",
            "{\"name\" => \"cvv\", \"value\" => \"***\"}",
        ),
        ("card number: 500000000009", "card number: 500*****0009"),
        ("Security Code: 12", "Security Code: ***"),
        (
            "CVV code: 123, cvv failed: yes",
            "CVV code: ***, cvv failed: yes",
        ),
        ("cvv 123, cvc \"1234\"", "cvv ***, cvc \"***\""),
        ("cvv 12 cvv 12345 cid 123", "cvv 12 cvv 12345 cid 123"),
        ("cvv 4111 1111 1111 1111", "cvv 4111 11** **** 1111"),
        (
            "cid=123 csc: 4567 cid=12 cve: 2024-1",
            "cid=*** csc: *** cid=12 cve: 2024-1",
        ),
        ("\u{1B}[36mcvv=\u{1B}[0m123", "\u{1B}[36mcvv=\u{1B}[0m***"),
        (
            "%1B%5B32m4111111111111111%1B%5B0m",
            "%1B%5B32m411111******1111%1B%5B0m",
        ),
        (
            "%b4111111111111111^DOE^25121010000000000000?",
            "%b411111******1111^DOE^********************?",
        ),
        ("value=[1, name=cvv {value=[2, name=cvv {", "value=***"),
        (
            "value=\"name=cid&cvv=123\" value=[name=pan, cvv=123]",
            "value=\"name=cid&cvv=***\" value=[name=pan, cvv=***]",
        ),
        (
            "<i value=\"123\" name=cid><i value='500000000009' name=pan>",
            "<i value=\"***\" name=cid><i value='500*****0009' name=pan>",
        ),
        ("pan: 4111 1111 1111 1111 12/27", "pan: ****** 12/27"),
        (
            "pan: Peter, span=500000000009",
            "pan: Peter, span=500000000009",
        ),
    ] {
        assert_eq!(redacted(text), expected, "{text}");
        assert_eq!(redacted(expected), expected);
    }
}

#[test]
fn masks_every_number_that_overlaps() {
    for (text, expected) in [
        (
            "4111111111111111 4111111111111111",
            "411111******1111 411111******1111",
        ),
        ("4111 1111 1111 1111 12 27", "4111 11** **** 1111 12 27"),
        (
            "４１１１１１１１１１１１１１１１",
            "４１１１１１******１１１１",
        ),
        ("%B4111111111111111^A^2512?", "%B411111******1111^A^****?"),
        ("4111111111111111=2512?", "411111******1111=****?"),
        ("0000 4111 1111 1111 1111", "0000 4111 11** **** 1111"),
        ("6277+8112+2111+3101+0090", "6277+81**+****+****+0090"),
        (
            "６２７７+8112+2111+3101+0090",
            "６２７７+81**+****+****+0090",
        ),
        ("6277+8112+211\\u0031+3101+0090", "6277+81**+****+****+0090"),
        (
            "4111111111111111=4111111111111111=2512",
            "411111******1111=****************=****",
        ),
    ] {
        assert_eq!(redacted(text), expected);
    }
}

/// A series may become a card number after the digits before it are stars, and so on.
#[test]
fn masks_numbers_that_appear_behind_each_other() {
    for (text, expected) in [
        ("4111111111111111=2512.", "411111******1111=****."),
        (" 2194 4760 0046304", " 21** **** ***6304"),
    ] {
        let first = if text.starts_with(' ') { "6304" } else { "" };
        let [text, expected] = [text, expected].map(|part| format!("{first}{}", part.repeat(8)));
        assert_eq!(redacted(&text), expected);
    }
}

#[test]
fn declared_numbers_have_twelve_digits() {
    for (text, expected) in [
        ("4111111111111111", true),
        ("pan=500000000009", true),
        ("Card number: 5000 0000 0009", true),
        ("pan=411111******1111", false),
        ("order 500000000009", false),
        ("cvv=500000000009", false),
        ("4111-1111-1111", false),
    ] {
        assert_eq!(contains_card_number(text), expected, "{text}");
    }
}

/// Calls `check` with texts of pieces that belong to card data.
fn random_texts(mut check: impl FnMut(&str)) {
    let pieces: Vec<&str> = "cvv|pan|card_number|cid|name|value|Cvv|card|number|=|:|,| |  |\"|\\\"|\\\\\\\"|\\|'|{|}|[|]|(|)|<|>|</|/|\
        4111111111111111|4111|1111|3782|822463|10005|30569309025904|378282246310005|500000000009|123|1234|4|5|\
        -|.|_|+|*|**|***|******|%20|%22|%3D|%25|%5B|%5D|%3B|%7D|%B|\\u{20}|no|#011|=2512|0046304|2194|6304|\\n|\\t|\\u0022|\\u003d|&quot;|&#34;|&|;|\n|\u{A0}|\u{2009}|\
        \u{1B}[31m|\\x1b[0m|^|D|x|b|Some(|string(3) |s:3:|=>|null|я|卡|４１１１|１１１１|DE12|5001 0517 0648 4898 90|\
        41111111-1111-4008-8abc-aaaaaaaaaaaa|0.|.0|.5|#012|<![CDATA["
        .split('|')
        .collect();
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33)
            .unwrap()
            .checked_rem(below)
            .unwrap()
    };
    for _ in 0..300_000 {
        let text: String = (0..random(14))
            .map(|_| pieces[random(pieces.len())])
            .collect();
        check(&text);
    }
}

#[test]
fn redacting_twice_changes_nothing() {
    let mut changed = 0_u32;
    random_texts(|text| {
        let once = redacted(text);
        assert_eq!(redacted(&once), once, "{text}");
        assert_eq!(NumberSearch::new().next(once.as_bytes()), None, "{text}");
        changed += u32::from(once != text);
    });
    assert!(changed > 10_000, "{changed}");
}

#[test]
fn finds_names_after_digits_that_became_stars() {
    let before = "4539578763621486=6304219447607087665securityCode: CardCode{value=\"987\"}";
    let after = "453957******1486=*******************securityCode: CardCode{value=\"***\"}";
    assert_eq!(redacted(before), after);
}

#[test]
fn finds_elements_after_values() {
    let text = "\"security_code\": {\"a\":1}<CardCvv>12 <pan>";
    let expected = "\"security_code\": \"***\"<CardCvv>*** <pan>";
    assert_eq!(redacted(text), expected);
}

#[test]
fn prefilters_miss_nothing() {
    let mut found = 0_u32;
    random_texts(|text| {
        let bytes = text.as_bytes();
        if MemberSearch::new(bytes).next().is_some() {
            assert!(may_name_card_data(bytes), "{text}");
            found += 1;
        }
        if NumberSearch::new().next(bytes).is_some() {
            assert!(may_contain_number(bytes, MIN_DIGITS), "{text}");
            found += 1;
        }
    });
    assert!(found > 10_000, "{found}");
}
