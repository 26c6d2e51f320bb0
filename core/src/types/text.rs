//! Rules of any text: its length and its characters.

use crate::util::bytes::may_have_control;

/// Returns the number of Unicode scalar values, the unit of `text_too_long`.
pub(crate) fn char_count(text: &str) -> usize {
    text.chars().count()
}

/// Checks if the text has more than `limit` Unicode scalar values (`text_too_long`). Each has one
/// to four bytes, so it counts only if the number of bytes does not decide.
pub(crate) fn longer_than(text: &str, limit: usize) -> bool {
    text.len() > limit && (text.len().div_ceil(4) > limit || char_count(text) > limit)
}

/// Checks if the text contains a control character (`text_control_character`). If line breaks are
/// allowed, as in a description, TAB, LF, and CR are not reported.
pub(crate) fn has_control_character(text: &str, allow_line_breaks: bool) -> bool {
    may_have_control(text.as_bytes())
        && text
            .chars()
            .any(|c| is_control(c) && !(allow_line_breaks && matches!(c, '\t' | '\n' | '\r')))
}

/// Checks for the category Cc, the line and paragraph separators U+2028 and U+2029, and the bidi
/// controls.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    #[test]
    fn counts_the_length_in_characters() {
        for (text, chars) in [
            ("", 0),
            ("abc", 3),
            ("рубль", 5),
            ("€€", 2),
            ("\u{1F600}x", 2),
            ("e\u{301}", 2),
        ] {
            assert_eq!(char_count(text), chars);
            assert!(!longer_than(text, chars), "{text}");
            if chars > 0 {
                assert!(longer_than(text, chars - 1), "{text}");
            }
            for count in [7, 63, 64, 65, 255, 256] {
                let long = text.repeat(count);
                assert!(!longer_than(&long, chars * count));
                assert_eq!(
                    longer_than(&long, (chars * count).saturating_sub(1)),
                    chars > 0
                );
            }
        }
    }

    #[test]
    fn finds_every_control_character_at_every_position() {
        let all = (0..=0x2100_u32).chain([0xFFFD, 0xE000, 0x1_F600, 0x10_FFFF, 0x2_80A8, 0xA080]);
        for c in all.filter_map(char::from_u32) {
            let breaks_line = matches!(c, '\t' | '\n' | '\r');
            for around in [0, 1, 6, 7, 8, 9, 23, 30] {
                for (before, after) in [("a", "b"), ("я", "ю")] {
                    let text = format!("{}{c}{}", before.repeat(around), after.repeat(around));
                    assert_eq!(
                        has_control_character(&text, false),
                        is_control(c),
                        "{c:?} {around}"
                    );
                    assert_eq!(
                        has_control_character(&text, true),
                        is_control(c) && !breaks_line,
                        "{c:?} {around}"
                    );
                }
            }
        }
    }

    #[test]
    fn finds_one_control_character_in_long_text() {
        for filler in ["a", "я", "«", "—", "€", "\u{1F600}"] {
            let clean: String = filler.repeat(300);
            assert!(!has_control_character(&clean, false), "{filler}");
            for bad in [
                "\0", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2066}",
                "\u{2069}",
            ] {
                assert!(
                    has_control_character(&format!("{clean}{bad}{clean}"), true),
                    "{bad:?} in {filler}"
                );
            }
        }
    }

    #[test]
    fn accepts_the_neighbors_of_control_characters() {
        for text in [
            "\u{20}~", "\u{A0}", "\u{200F}", "\u{2027}", "\u{202F}", "\u{2065}", "\u{206A}",
            "\u{FEFF}",
        ] {
            assert!(!has_control_character(text, false), "{text:?}");
        }
    }
}
