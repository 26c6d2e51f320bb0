//! Masks card numbers in any text, for example a log line, and the values after names of card data.
//!
//! There are two linear passes. The first replaces the value after each name of card data. The
//! second masks card numbers by their form. The output of one pass never matches the other or a
//! second redaction, so redacting twice changes nothing.
//!
//! Most texts contain neither. A prefilter skips each pass for them: a log without card data takes
//! a tenth of the time.

mod numbers;
mod source;
mod values;

use alloc::vec::Vec;

use super::redact::ReplacingCopy;
use crate::card::mask::mask_in_text;
use crate::card::scanner::may_contain_number;
use crate::card::sensitive::SensitiveField;
use crate::card::syntax::MAX_PAN_DIGITS;
use crate::util::bug::report_bug;
use crate::util::bytes::next_name_separator;
use source::Source;
use values::Replacement;

/// Appends the text with card numbers and security codes masked.
pub(crate) fn redact_text(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    if may_name_card_data(text.as_bytes()) {
        replace_values(text, out);
    } else {
        out.extend_from_slice(text.as_bytes());
    }
    match out.get_mut(start..) {
        Some(written) => mask_numbers(written),
        None => {
            // `out` is never shorter than before, so this is a bug.
            report_bug();
            out.clear();
        }
    }
}

/// Masks the card numbers in a text. Bytes that are not UTF-8, which is a bug, become stars.
fn mask_numbers(text: &mut [u8]) {
    if !may_contain_number(text) {
        return;
    }
    let Ok(source) = core::str::from_utf8(text) else {
        report_bug();
        text.fill(b'*');
        return;
    };
    for number in Source(source).card_numbers() {
        mask_in_text(text, number);
    }
}

/// Appends the text with the value after each name of card data replaced.
fn replace_values(text: &str, out: &mut Vec<u8>) {
    let source = Source(text);
    // Memory is reserved before the first byte is written, since a growing buffer leaves its old
    // bytes in memory.
    let written = |replaced: Replacement<'_>| {
        replaced
            .quote
            .len()
            .saturating_mul(2)
            .saturating_add(MAX_PAN_DIGITS)
    };
    out.reserve(
        source
            .replacements()
            .map(written)
            .fold(text.len(), usize::saturating_add),
    );
    let mut copy = ReplacingCopy::new(text, out);
    for Replacement {
        range,
        quote,
        value,
    } in source.replacements()
    {
        copy.replace(range, quote, value.as_str());
    }
    copy.finish();
}

/// Checks if a name of card data may be before a `:` or `=`. This is the prefilter of the first
/// pass.
///
/// Between them, only quotes, backslashes, closing brackets, and whitespace are possible.
fn may_name_card_data(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(separator) = next_name_separator(text, from) {
        let mut before = text.get(..separator).unwrap_or_default();
        while let [rest @ .., b'%', b'5', b'D' | b'd']
        | [
            rest @ ..,
            b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'\\' | b']',
        ] = before
        {
            before = rest;
        }
        if SensitiveField::may_end(before) {
            return true;
        }
        from = separator.saturating_add(1);
    }
    false
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::util::bug::with_bug;

    fn redacted(text: &str) -> String {
        let mut out = Vec::new();
        redact_text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// Calls `check` with texts that are similar to card data.
    fn random_texts(mut check: impl FnMut(&str)) {
        let pieces = [
            "cvv",
            "pan",
            "=",
            ":",
            " ",
            "\"",
            "\\",
            "'",
            "{",
            "}",
            "[",
            "]",
            ",",
            "4111111111111111",
            "4111",
            "1111",
            "-",
            "*",
            "123",
            ".",
            "\n",
            "4222222222222",
            "x",
            "%20",
            "\\n",
            "(",
            "11111111-1111-1111-1111-111111111111",
            "null",
            "&",
            "я",
            ">",
            "378282246310005",
            "5",
            "***",
        ];
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
        for _ in 0..200_000 {
            let text: String = (0..random(14))
                .map(|_| pieces[random(pieces.len())])
                .collect();
            check(&text);
        }
    }

    #[test]
    fn redacting_twice_changes_nothing() {
        random_texts(|text| {
            let once = redacted(text);
            assert_eq!(redacted(&once), once, "{text}");
        });
    }

    #[test]
    fn prefilters_miss_nothing() {
        let (mut skipped, mut changed) = (0_u32, 0_u32);
        random_texts(|text| {
            let mut replaced = Vec::new();
            replace_values(text, &mut replaced);
            let is_named = may_name_card_data(text.as_bytes());
            assert!(is_named || replaced == text.as_bytes(), "{text}");
            let has_number = !Source(text).card_numbers().is_empty();
            assert!(may_contain_number(text.as_bytes()) || !has_number, "{text}");
            skipped += u32::from(!is_named && !may_contain_number(text.as_bytes()));
            changed += u32::from(redacted(text) != *text);
        });
        assert!(skipped > 1000 && changed > 1000, "{skipped} {changed}");
        for name in [
            "card_number",
            "Security-Code",
            "x pan",
            "_cid_",
            "cvc2\\\"",
            "cvv\" ",
            "cvv%5D",
            "card[cvv]",
            "pan\"\r\n\t",
        ] {
            for separator in [":", "=", "=>", "::"] {
                for length in 0..80 {
                    let text = alloc::format!("{}{name}{separator}123 ", "= :x".repeat(length));
                    assert!(may_name_card_data(text.as_bytes()), "{text}");
                }
            }
        }
        for text in [
            "japan",
            "panel: 1",
            "cvv 123",
            "a=cvv",
            "cvv",
            "scan me: no",
            "12-34-56-78-90-12 .3",
            "1234567890123456",
        ] {
            let is_number = text.starts_with("1234567890123456");
            assert_eq!(
                (
                    may_name_card_data(text.as_bytes()),
                    may_contain_number(text.as_bytes())
                ),
                (false, is_number),
                "{text}"
            );
        }
    }

    #[test]
    fn masks_everything_that_is_not_utf8() {
        let mut text = *b"4111111111111111\xFF";
        with_bug(|| mask_numbers(&mut text));
        assert_eq!(text, *b"*****************");
    }

    #[test]
    fn keeps_the_bytes_before_the_text() {
        for text in [
            "",
            "\"cvv\":1",
            "\"cvv\":1,\"pan\":[]",
            "pan=4111111111111111 4111111111111111",
        ] {
            let mut out = b"4111111111111111 ".to_vec();
            redact_text(text, &mut out);
            assert!(
                out.starts_with(b"4111111111111111 "),
                "the bytes before are unchanged"
            );
        }
    }
}
