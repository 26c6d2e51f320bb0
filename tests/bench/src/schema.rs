//! The jsonschema crate with a schema of the request: types, members, values, grammars. It has no
//! currency table, Luhn, scales or duplicates, so it does less work than payspec. The schema is
//! compiled at run time, and by a macro.

use jsonschema::Validator;
use serde_json::Value;

/// Returns the compiled schema.
///
/// # Panics
/// If schema.json is invalid.
pub fn validator() -> Validator {
    let schema: Value =
        serde_json::from_str(include_str!("../schema.json")).expect("schema.json is JSON");
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("schema.json is a schema")
}

/// Parses a body and counts its errors. Invalid JSON counts as one.
pub fn errors(validator: &Validator, body: &[u8]) -> usize {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => validator.iter_errors(&value).count(),
        Err(_) => 1,
    }
}

/// The validator that the macro generates from the same schema when this crate is compiled.
mod generated {
    #[jsonschema::validator(path = "schema.json", validate_formats = true)]
    pub(super) struct Generated;
}

/// Parses a body and counts the errors that the generated validator finds. Invalid JSON counts as
/// one.
pub fn generated_errors(body: &[u8]) -> usize {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => generated::Generated::iter_errors(&value).count(),
        Err(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn accepts_only_the_valid_bodies() {
        let validator = validator();
        for body in corpus::VALID {
            assert_eq!(errors(&validator, body.bytes), 0, "{}", body.name);
            assert_eq!(generated_errors(body.bytes), 0, "{}", body.name);
        }
        for body in corpus::INVALID {
            let found = errors(&validator, body.bytes);
            assert_ne!(found, 0, "{}", body.name);
            assert_eq!(generated_errors(body.bytes), found, "{}", body.name);
        }
    }
}
