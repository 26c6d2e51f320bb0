//! Tests of the reader.

use alloc::format;

use super::*;
use crate::json::Field;

static FLAT: ObjectSchema = ObjectSchema::new(
    "",
    0,
    &[
        Field::string("/mode"),
        Field::string("/cur"),
        Field::string("/payment_type"),
        Field::string("/amount"),
    ],
);

#[test]
fn validates_syntax_like_the_reader() {
    let valid = r#"{"a":[1,{"b":"\u0041"}],"c":{"d":null,"e":-1.5e3},"f":"x"} "#;
    let outcome =
        |read: Result<Root<'_>, ParseError>| read.map(|root| matches!(root, Root::Object));
    let both = |text: &str, depth| {
        let members = read(
            text,
            depth,
            &FLAT,
            &mut [Value::Absent; 64],
            &mut FieldPresence::default(),
        );
        assert_eq!(
            outcome(validate_syntax(text, depth)),
            outcome(members),
            "{text}"
        );
    };
    for at in 0..=valid.len() {
        let (before, after) = valid.split_at(at);
        (1..5).for_each(|depth| both(valid, depth));
        both(before, 16);
        both(after, 16);
        for other in [
            "", "{", "}", "[", "]", ",", ":", "\"", "0", "x", " ", "\\", "\u{1}",
        ] {
            both(&format!("{before}{other}{after}"), 16);
            both(
                &format!("{before}{other}{}", after.get(1..).unwrap_or("")),
                16,
            );
        }
    }
}
