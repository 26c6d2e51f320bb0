//! The jsonschema crate with a schema that says what a schema can say of the request: types, members, values, grammars.
//! It knows no currency table, no Luhn, no scale, no duplicates: it does less than the library, in its favour.

use jsonschema::Validator;
use serde_json::Value;

/// The schema, compiled.
///
/// # Panics
/// Where schema.json is broken.
pub fn validator() -> Validator {
    let schema: Value = serde_json::from_str(include_str!("../schema.json")).expect("schema.json is JSON");
    jsonschema::options().should_validate_formats(true).build(&schema).expect("schema.json is a schema")
}

/// Parses a body and counts all its errors; a body that is no JSON has one.
pub fn errors(validator: &Validator, body: &[u8]) -> usize {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => validator.iter_errors(&value).count(),
        Err(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn it_tells_the_valid_bodies_from_the_invalid_ones() {
        let validator = validator();
        for body in corpus::VALID {
            assert_eq!(errors(&validator, body.bytes), 0, "{}", body.name);
        }
        for body in corpus::INVALID {
            assert_ne!(errors(&validator, body.bytes), 0, "{}", body.name);
        }
    }
}
