//! The arguments of a tool. Errors name the argument and the expectation, and no value: a parser of
//! serde would repeat values, which may be card numbers.

use serde_json::{Map, Value};

use super::answer::Refusal;

/// The arguments of a call, whose names are those of the schema.
#[derive(Debug)]
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks the names.
    pub(super) fn read(arguments: Map<String, Value>, schema: &Value) -> Result<Self, Refusal> {
        let known = schema["properties"].as_object();
        let known: Vec<&str> = known
            .map(|known| known.keys().map(String::as_str).collect())
            .unwrap_or_default();
        if arguments.keys().any(|name| !known.contains(&name.as_str())) {
            return Err(Refusal::new(if known.is_empty() {
                "unknown argument: the tool has none".to_owned()
            } else {
                format!("unknown argument: expected {}", known.join(", "))
            }));
        }
        let required = schema["required"].as_array().into_iter().flatten();
        let missing = required
            .filter_map(Value::as_str)
            .find(|name| !arguments.contains_key(*name));
        match missing {
            Some(name) => Err(Refusal::new(format!("{name}: the argument is required"))),
            None => Ok(Self(arguments)),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let read = |value: &'_ Value| value.is_string();
        let value = self.checked(name, "a string", read)?;
        Ok(value.and_then(Value::as_str))
    }

    pub(super) fn required_text(&self, name: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::new(format!("{name}: the argument is required"));
        self.text(name)?.ok_or_else(missing)
    }

    pub(super) fn object(&self, name: &str) -> Result<Option<&Value>, Refusal> {
        self.checked(name, "a JSON object", Value::is_object)
    }

    /// Returns an integer within bounds.
    pub(super) fn integer(&self, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
        let expected = format!("an integer from 0 to {most}");
        let is_within = |value: &Value| value.as_u64().is_some_and(|number| number <= most);
        let value = self.checked(name, &expected, is_within)?;
        Ok(value.and_then(Value::as_u64))
    }

    /// Returns one of the known names.
    pub(super) fn one_of<'k>(
        &self,
        name: &str,
        known: &[&'k str],
    ) -> Result<Option<&'k str>, Refusal> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let found = known.iter().find(|known| **known == text);
        let unknown = || Refusal::new(format!("{name}: expected one of {}", known.join(", ")));
        found.copied().map(Some).ok_or_else(unknown)
    }

    /// Returns all arguments.
    pub(super) fn all(&self) -> Value {
        Value::Object(self.0.clone())
    }

    fn checked(
        &self,
        name: &str,
        expected: &str,
        accepts: impl Fn(&Value) -> bool,
    ) -> Result<Option<&Value>, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) if accepts(value) => Ok(Some(value)),
            Some(_) => Err(Refusal::new(format!("{name}: expected {expected}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(arguments: Value) -> Result<Arguments, Refusal> {
        let schema = json!({"properties": {"order": {}, "seconds": {}}, "required": ["order"]});
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        Arguments::read(arguments, &schema)
    }

    #[test]
    fn errors_name_the_argument_and_no_value() {
        let refused = |arguments| read(arguments).unwrap_err().0;
        assert_eq!(refused(json!({})), "order: the argument is required");
        let unknown = json!({"order": "a", "4111111111111111": 1});
        assert_eq!(
            refused(unknown),
            "unknown argument: expected order, seconds"
        );
        let arguments = read(json!({"order": 4111111111111111_u64, "seconds": -1})).unwrap();
        let refusals = [
            arguments.text("order").unwrap_err(),
            arguments.integer("seconds", 9).unwrap_err(),
            arguments.object("order").unwrap_err(),
            arguments.one_of("order", &["a"]).unwrap_err(),
        ];
        assert_eq!(
            refusals.map(|refusal| refusal.0),
            [
                "order: expected a string",
                "seconds: expected an integer from 0 to 9",
                "order: expected a JSON object",
                "order: expected a string",
            ]
        );
    }

    #[test]
    fn values_are_read() {
        let arguments = read(json!({"order": "a", "seconds": 9})).unwrap();
        assert_eq!(arguments.required_text("order").unwrap(), "a");
        assert_eq!(arguments.integer("seconds", 9).unwrap(), Some(9));
        assert_eq!(arguments.one_of("order", &["b", "a"]).unwrap(), Some("a"));
        assert_eq!(arguments.text("absent").unwrap(), None);
    }
}
