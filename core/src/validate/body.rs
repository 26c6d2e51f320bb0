//! Parsing of a body: its size, UTF-8, syntax, and depth.

use super::validator::Slots;
use crate::json::position::line_and_column;
use crate::json::{JsonType, ObjectSchema, ParseError, Root, ValueKind, read, validate_syntax};
use crate::policy::{Lengths, Ruleset};
use crate::report::code::{Code, Severity};
use crate::report::{InvalidBody, Params, Pointer, ReportBuilder};
use crate::util::bytes::utf8;

/// The reason why a body is not a JSON object within the limits. It is the only violation of its
/// report.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BodyError {
    /// The body has more than this number of bytes.
    TooLarge(usize),
    /// The body is not one JSON text in UTF-8; the position of the first error, from 1.
    Syntax { line: usize, column: usize },
    /// The same, because it begins with a byte order mark.
    ByteOrderMark,
    /// The body nests deeper than this number of levels.
    TooDeep(usize),
    /// The body is another JSON value.
    NotAnObject(ValueKind),
}

/// The byte order marks of UTF-8 and UTF-16. RFC 8259 does not allow them at the start of a text.
const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];

impl BodyError {
    /// Reports the error. The policy cannot disable these rules.
    #[cold]
    pub(crate) fn report(self, report: &mut ReportBuilder<'_>) {
        // A number that does not fit cannot occur: it counts bytes of the body.
        let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let (code, params) = match self {
            BodyError::TooLarge(limit) => (Code::BodyTooLarge, Params::Limit(number(limit))),
            BodyError::TooDeep(limit) => (Code::TooDeep, Params::Limit(number(limit))),
            BodyError::Syntax { line, column } => {
                let (line, column) = (number(line), number(column));
                (Code::JsonSyntax, Params::Position { line, column })
            }
            BodyError::ByteOrderMark => (Code::JsonSyntax, Params::ByteOrderMark),
            BodyError::NotAnObject(found) => {
                let (expected, found) = (JsonType::Object.name(), found.name());
                (Code::Type, Params::Types { expected, found })
            }
        };
        report.summary.fatal = Some(code);
        report.push(Severity::Error, code, Pointer::ROOT, params);
    }

    fn syntax(bytes: &[u8], at: usize) -> Self {
        if BYTE_ORDER_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
            return BodyError::ByteOrderMark;
        }
        let (line, column) = line_and_column(bytes, at);
        BodyError::Syntax { line, column }
    }
}

/// Reads `bytes` as one JSON object by `schema`, within the policy's limits, and returns its text.
/// The slots are filled in place, because they are too large to move.
#[inline]
pub(crate) fn read_body<'a>(
    lengths: &Lengths,
    bytes: &'a [u8],
    schema: &'static ObjectSchema,
    slots: &mut Slots<'a>,
) -> Result<&'a str, BodyError> {
    let text = decode_body(lengths, bytes)?;
    let root = read(
        text,
        lengths.depth,
        schema,
        &mut slots.values,
        &mut slots.presence,
    );
    expect_object(lengths, text, root)?;
    Ok(text)
}

/// Parses `bytes` as one JSON object with any content, within the policy's limits.
///
/// # Errors
/// Returns a report with one violation if `bytes` is not a JSON object within the limits.
pub(crate) fn parse_object<'a>(ruleset: &Ruleset, bytes: &'a [u8]) -> Result<&'a str, InvalidBody> {
    let lengths = &ruleset.lengths;
    let parsed = decode_body(lengths, bytes).and_then(|text| {
        expect_object(lengths, text, validate_syntax(text, lengths.depth))?;
        Ok(text)
    });
    parsed.map_err(|error| {
        let mut report = ruleset.report_builder();
        error.report(&mut report);
        InvalidBody(report.into())
    })
}

/// Returns a body within the limit of its size as text.
#[inline]
fn decode_body<'a>(lengths: &Lengths, bytes: &'a [u8]) -> Result<&'a str, BodyError> {
    if bytes.len() > lengths.body_bytes {
        return Err(BodyError::TooLarge(lengths.body_bytes));
    }
    utf8(bytes).map_err(|error| BodyError::syntax(bytes, error.valid_up_to()))
}

#[inline]
fn expect_object(
    lengths: &Lengths,
    text: &str,
    root: Result<Root<'_>, ParseError>,
) -> Result<(), BodyError> {
    match root {
        Ok(Root::Object) => Ok(()),
        Ok(Root::Other(value)) => Err(BodyError::NotAnObject(value.kind())),
        Err(ParseError::Syntax(at)) => Err(BodyError::syntax(text.as_bytes(), at)),
        Err(ParseError::TooDeep) => Err(BodyError::TooDeep(lengths.depth)),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;

    #[test]
    fn names_a_byte_order_mark() {
        for (body, is_named) in [
            (&b"\xEF\xBB\xBF{}"[..], true),
            (b"\xEF\xBB\xBF{\xFF}", true),
            (b"\xFF\xFE{\0}\0", true),
            (b"\xFE\xFF\0{\0}", true),
            (b"\xFF{}", false),
            (b"x", false),
            (b" \xEF\xBB\xBF{}", false),
        ] {
            let report = Engine::default().validate_request(body, None);
            let violation = report.violations().first().unwrap();
            assert_eq!(violation.code().name(), "json_syntax");
            let message = violation.message();
            assert_eq!(message.contains("byte order mark"), is_named, "{message}");
            assert!(message.contains("line 1, column"), "{message}");
        }
    }
}
