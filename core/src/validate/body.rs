//! Parsing of a body: its size, UTF-8, syntax, and depth.

use super::validator::Slots;
use crate::json::{ObjectSchema, ParseError, Root, read, validate_syntax};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{InvalidBody, Params, Pointer, ReportBuilder, position};
use crate::util::bytes::utf8;

/// Reads `bytes` as one JSON object by `schema`, within the policy's limits, and returns its text.
///
/// Returns `None` if `bytes` is not such an object, which is then the only violation in the report. Slots, presence, and
/// report are filled in place, because they are too large to move.
#[inline]
pub(crate) fn read_body<'a>(
    ruleset: &Ruleset,
    bytes: &'a [u8],
    schema: &'static ObjectSchema,
    slots: &mut Slots<'a>,
    report: &mut ReportBuilder<'a>,
) -> Option<&'a str> {
    let text = text(ruleset, bytes, report)?;
    is_object(ruleset, bytes, read(text, depth(ruleset), schema, &mut slots.values, &mut slots.presence), report)
        .then_some(text)
}

/// Parses `bytes` as one JSON object with any content, within the policy's limits.
///
/// # Errors
/// Returns a report with one violation if `bytes` is not a JSON object within the limits.
pub(crate) fn parse_object<'a>(ruleset: &Ruleset, bytes: &'a [u8]) -> Result<&'a str, InvalidBody<'a>> {
    let mut report = ruleset.report_builder();
    let text = text(ruleset, bytes, &mut report);
    text.filter(|text| is_object(ruleset, bytes, validate_syntax(text, depth(ruleset)), &mut report))
        .ok_or_else(|| InvalidBody(report.into()))
}

fn depth(ruleset: &Ruleset) -> usize {
    usize::try_from(ruleset.policy().limits.depth).unwrap_or(usize::MAX)
}

/// Returns the body as text. Reports a body that is not UTF-8 or is too large.
#[inline]
fn text<'a>(ruleset: &Ruleset, bytes: &'a [u8], report: &mut ReportBuilder<'a>) -> Option<&'a str> {
    let most = ruleset.policy().limits.body_bytes;
    if u64::try_from(bytes.len()).is_ok_and(|len| len > most) {
        report_fatal(report, Code::BodyTooLarge, Params::Limit(most));
        return None;
    }
    match utf8(bytes) {
        Ok(text) => Some(text),
        Err(fault) => {
            report_fatal(report, Code::JsonSyntax, position(bytes, fault.valid_up_to()));
            None
        }
    }
}

/// Returns whether the body is an object, and reports any other result.
#[inline]
fn is_object(
    ruleset: &Ruleset,
    bytes: &[u8],
    read: Result<Root<'_>, ParseError>,
    report: &mut ReportBuilder<'_>,
) -> bool {
    let (code, params) = match read {
        Ok(Root::Object) => return true,
        Ok(Root::Other(value)) => (Code::Type, Params::Types { expected: "object", found: value.type_name() }),
        Err(ParseError::Syntax(at)) => (Code::JsonSyntax, position(bytes, at)),
        Err(ParseError::TooDeep) => (Code::TooDeep, Params::Limit(ruleset.policy().limits.depth)),
    };
    report_fatal(report, code, params);
    false
}

fn report_fatal(report: &mut ReportBuilder<'_>, code: Code, params: Params<'static>) {
    report.push(Severity::Error, code, Pointer::ROOT, params);
    report.summary.fatal = Some(code);
}
