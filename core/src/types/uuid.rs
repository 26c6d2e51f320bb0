//! The text of a UUID.

use uuid::Uuid;

/// Parses a UUID of 8-4-4-4-12 hex digits in either case. The other forms that the crate accepts
/// are not 36 bytes long.
pub(crate) fn parse_uuid(text: &str) -> Option<Uuid> {
    if text.len() == 36 {
        Uuid::try_parse(text).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_one_form_only() {
        for (text, is_uuid) in [
            ("3f2b8a54-7d11-4d2c-9c55-1234567890ab", true),
            ("3F2B8A54-7D11-4D2C-9C55-1234567890AB", true),
            ("00000000-0000-0000-0000-000000000000", true),
            ("3f2b8a547d114d2c9c551234567890ab", false),
            ("{3f2b8a54-7d11-4d2c-9c55-1234567890ab}", false),
            ("urn:uuid:3f2b8a54-7d11-4d2c-9c55-1234567890ab", false),
            ("3f2b8a54-7d11-4d2c-9c55-1234567890ag", false),
            ("3f2b8a5-47d11-4d2c-9c55-1234567890ab", false),
            ("", false),
        ] {
            assert_eq!(parse_uuid(text).is_some(), is_uuid, "{text}");
        }
    }
}
