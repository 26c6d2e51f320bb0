//! Parsing of a body: its size, UTF-8, syntax, and depth.

use super::validator::Slots;
use crate::json::{ObjectSchema, ParseError, Root, read};
use crate::policy::RuleSettings;
use crate::report::code::Code;
use crate::report::line_and_column;
use crate::report::record::{Record, Sink};
use crate::util::bytes::utf8;

/// Reads `bytes` as one JSON object by `schema`, within the policy's limits, and returns its text.
///
/// Returns `None` if `bytes` is not such an object, which is then the only violation. The slots are
/// filled in place, because they are too large to move.
#[inline]
pub(crate) fn read_body<'a>(
    settings: &RuleSettings,
    bytes: &'a [u8],
    schema: &'static ObjectSchema,
    slots: &mut Slots<'a>,
    sink: &mut impl Sink,
) -> Option<&'a str> {
    let text = text(settings, bytes, sink)?;
    read_text(settings, text, schema, slots, sink).then_some(text)
}

/// Reads a body within the limit of its size. Returns whether it is an object.
#[inline]
#[cfg_attr(optimize_attribute, optimize(speed))]
pub(crate) fn read_text<'a>(
    settings: &RuleSettings,
    text: &'a str,
    schema: &'static ObjectSchema,
    slots: &mut Slots<'a>,
    sink: &mut impl Sink,
) -> bool {
    let read = read(
        text,
        settings.depth,
        schema,
        &mut slots.values,
        &mut slots.presence,
    );
    is_object(settings, text.as_bytes(), read, sink)
}

/// Parses `bytes` as one JSON object with any content, within the policy's limits.
///
/// # Errors
/// Returns a report with one violation if `bytes` is not a JSON object within the limits.
pub(crate) fn parse_object<'a>(
    ruleset: &'a crate::policy::Ruleset,
    bytes: &'a [u8],
) -> Result<&'a str, crate::report::InvalidBody<'a>> {
    let mut report = ruleset.report_builder();
    let settings = ruleset.view().settings;
    let mut sink = super::listing::Listing::of_request(ruleset, &mut report);
    let text = text(settings, bytes, &mut sink).filter(|text| {
        is_object(
            settings,
            bytes,
            crate::json::validate_syntax(text, settings.depth),
            &mut sink,
        )
    });
    text.ok_or_else(|| crate::report::InvalidBody(report.into()))
}

/// Returns the body as text. Reports a body that is not UTF-8 or is too large.
#[inline(always)]
fn text<'a>(settings: &RuleSettings, bytes: &'a [u8], sink: &mut impl Sink) -> Option<&'a str> {
    if bytes.len() > settings.body_bytes {
        report_body(sink, Code::BodyTooLarge, (settings.body_bytes, 0));
        return None;
    }
    match utf8(bytes) {
        Ok(text) => Some(text),
        Err(fault) => {
            report_body(
                sink,
                Code::JsonSyntax,
                line_and_column(bytes, fault.valid_up_to()),
            );
            None
        }
    }
}

/// Returns whether the body is an object, and reports any other result.
#[inline]
fn is_object(
    settings: &RuleSettings,
    bytes: &[u8],
    read: Result<Root<'_>, ParseError>,
    sink: &mut impl Sink,
) -> bool {
    let (code, params) = match read {
        Ok(Root::Object) => return true,
        Ok(Root::Other(value)) => (Code::Type, (value.kind().index(), 0)),
        Err(ParseError::Syntax(at)) => (Code::JsonSyntax, line_and_column(bytes, at)),
        Err(ParseError::TooDeep) => (Code::TooDeep, (settings.depth, 0)),
    };
    report_body(sink, code, params);
    false
}

#[cold]
fn report_body(sink: &mut impl Sink, code: Code, (x, y): (usize, usize)) {
    sink.push(Record {
        code,
        slot: Record::BODY,
        x,
        y,
    });
}
