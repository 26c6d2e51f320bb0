//! Tests of the lexer.

use alloc::format;
use alloc::string::String;

use super::*;

#[test]
fn rejects_brackets_that_do_not_match() {
    for depth in [1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 300] {
        // Every third level is an object, the others are arrays.
        let opening: String = (0..depth)
            .map(|level| if level % 3 == 0 { r#"{"a":"# } else { "[" })
            .collect();
        let closing: String = (0..depth)
            .rev()
            .map(|level| if level % 3 == 0 { '}' } else { ']' })
            .collect();
        let text = format!("{opening}1{closing}");
        assert!(Lexer::new(&text, depth).value().is_ok(), "{depth}");
        assert_eq!(
            Lexer::new(&text, depth - 1).value().err(),
            Some(ParseError::TooDeep),
            "{depth}"
        );
        for wrong in 0..depth {
            let mut closing = closing.clone().into_bytes();
            closing[wrong] ^= b']' ^ b'}';
            let text = format!("{opening}1{}", String::from_utf8(closing).unwrap());
            assert_eq!(
                Lexer::new(&text, depth).value().err(),
                Some(ParseError::Syntax(opening.len() + 1 + wrong))
            );
        }
    }
}
