//! Rules of any text: its length and its characters.

use crate::util::bytes::may_have_control;
use crate::util::text::Text;

/// Returns the number of Unicode scalar values, the unit of `text_too_long`.
pub(crate) fn char_count<T: Text>(text: T) -> usize {
    // Every character has exactly one byte that is not a continuation byte.
    (text.start()..text.end())
        .filter(|at| text.byte(*at) & 0xC0 != 0x80)
        .count()
}

/// Checks if the text has more than `limit` Unicode scalar values (`text_too_long`). Each has one
/// to four bytes, so it counts only if the number of bytes does not decide.
pub(crate) fn longer_than<T: Text>(text: T, limit: usize) -> bool {
    text.len() > limit
        && (T::IS_SLICE && text.len().div_ceil(4) > limit || char_count(text) > limit)
}

/// Checks if the text contains a control character (`text_control_character`). If line breaks are
/// allowed, as in a description, TAB, LF, and CR are not reported.
///
/// Control characters are those of the category Cc, the line and paragraph separators U+2028 and
/// U+2029, and the bidi controls U+202A to U+202E and U+2066 to U+2069.
pub(crate) fn has_control_character<T: Text>(text: T, allow_line_breaks: bool) -> bool {
    if text.bytes().is_some_and(|text| !may_have_control(text)) {
        return false;
    }
    let (mut at, end) = (text.start(), text.end());
    loop {
        at = text.skip(at, end, |byte| {
            !matches!(byte, 0..0x20 | 0x7F | 0xC2 | 0xE2)
        });
        let byte_at = |offset: usize| text.byte(at.wrapping_add(offset));
        let (byte, next, last) = (byte_at(0), byte_at(1), byte_at(2));
        let is_control = match byte {
            b'\t' | b'\n' | b'\r' => !allow_line_breaks,
            0xC2 => next < 0xA0,
            0xE2 => matches!((next, last), (0x80, 0xA8..=0xAE) | (0x81, 0xA6..=0xA9)),
            _ => true,
        };
        if at == end || is_control {
            return at < end;
        }
        at = at.wrapping_add(1);
    }
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
            assert_eq!(char_count(text.as_bytes()), chars);
            assert!(!longer_than(text.as_bytes(), chars), "{text}");
            if chars > 0 {
                assert!(longer_than(text.as_bytes(), chars - 1), "{text}");
            }
            for count in [7, 63, 64, 65, 255, 256] {
                let long = text.repeat(count);
                assert!(!longer_than(long.as_bytes(), chars * count));
                assert_eq!(
                    longer_than(long.as_bytes(), (chars * count).saturating_sub(1)),
                    chars > 0
                );
            }
        }
    }

    fn is_control(c: char) -> bool {
        c.is_control() || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
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
                        has_control_character(text.as_bytes(), false),
                        is_control(c),
                        "{c:?} {around}"
                    );
                    assert_eq!(
                        has_control_character(text.as_bytes(), true),
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
            assert!(!has_control_character(clean.as_bytes(), false), "{filler}");
            for bad in [
                "\0", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2066}",
                "\u{2069}",
            ] {
                assert!(
                    has_control_character(format!("{clean}{bad}{clean}").as_bytes(), true),
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
            assert!(!has_control_character(text.as_bytes(), false), "{text:?}");
        }
    }
}
