//! The types of JSON values.

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// The member is missing.
    Nothing,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl ValueKind {
    /// Returns the name, for `found` in a report.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ValueKind::Nothing => "nothing",
            ValueKind::Null => "null",
            ValueKind::Boolean => "boolean",
            ValueKind::Number => "number",
            ValueKind::String => "string",
            ValueKind::Array => "array",
            ValueKind::Object => "object",
        }
    }
}

/// Returns the value of an integer in JSON. Returns `None` for a negative number, a fraction, an
/// exponent, and a number of more than 64 bits. JSON has a negative zero, whose value is zero.
pub(crate) fn integer_value(number: &str) -> Option<u64> {
    if number == "-0" {
        return Some(0);
    }
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_integers_only() {
        for (number, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("12", Some(12)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("-1", None),
            ("1.0", None),
            ("1e2", None),
        ] {
            assert_eq!(integer_value(number), value, "{number}");
        }
    }
}
