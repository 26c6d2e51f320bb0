//! The constraints on the values of a request, as far as a schema can express them.

use alloc::vec::Vec;

use super::notes::Form;
use super::payment;
use super::schema_writer::{is_error, kind, number, put, refer, text};
use crate::engine::Engine;
use crate::json::writer::Writer;
use crate::report::code::Code;
use crate::types::payment_type::PaymentType;

/// Writes the constraints on the value of a member. The engine rejects every value that they reject.
pub(super) fn value(engine: &Engine, w: &mut Writer<'_>, form: Form, variant: PaymentType, nullable: bool) {
    let error = |code| is_error(engine, code);
    let limits = &engine.policy().limits;
    match form {
        Form::Variant => {
            kind(w, "string", false);
            text(w, "const", variant.name());
        }
        Form::Currency => refer(w, "Currency", false),
        // No payment can be created in an unknown mode, even if the policy accepts it.
        Form::Mode => refer(w, "Mode", nullable),
        Form::Subtype if error(Code::UnsupportedValue) => refer(w, "Subtype", nullable),
        Form::Subtype => kind(w, "string", nullable),
        Form::Object(component) => refer(w, component, nullable),
        Form::Amount => {
            kind(w, "string", false);
            // No payment can be created from another text, even if the policy accepts it.
            let digits = error(Code::AmountOutOfBounds);
            text(w, "pattern", if digits { AMOUNT_OF_18_DIGITS } else { payment::AMOUNT });
            if error(Code::AmountNotPositive) {
                w.name("not").object(|w| text(w, "pattern", "^0(?:\\.0{1,18})?$"));
            }
        }
        Form::Text => free_text(engine, w, nullable, limits.text_chars, ONE_LINE),
        Form::LongText => free_text(engine, w, nullable, limits.description_chars, SEVERAL_LINES),
        Form::Address => address(engine, w, nullable),
        Form::Switch => {
            kind(w, "boolean", nullable);
            w.name("default").bool(false);
        }
        Form::Duration => {
            kind(w, "integer", nullable);
            if error(Code::IntegerRange) {
                let span = limits.time_to_complete_payment;
                range(w, span.min, span.max);
            }
        }
        Form::CardNumber => pattern(w, nullable, error(Code::CardNumberSyntax), "^[0-9]{12,19}$"),
        Form::PhoneNumber => pattern(w, nullable, error(Code::PhoneNumberSyntax), "^\\+?[0-9]{7,15}$"),
        Form::SecurityCode => pattern(w, nullable, error(Code::SecurityCodeSyntax), "^[0-9]{3,4}$"),
        Form::Year => {
            kind(w, "integer", nullable);
            if error(Code::ExpiryYearRange) {
                w.name("anyOf").array(|w| {
                    w.object(|w| range(w, 2000, 2099));
                    if !error(Code::ExpiryYearTwoDigits) {
                        w.object(|w| range(w, 0, 99));
                    }
                });
            }
        }
        Form::Month => {
            kind(w, "integer", nullable);
            if error(Code::ExpiryMonthRange) {
                range(w, 1, 12);
            }
        }
        Form::Anything => w.name("deprecated").bool(true),
    }
}

/// The pattern of an amount with at most 18 digits on either side of the point.
const AMOUNT_OF_18_DIGITS: &str = "^(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,18})?$";
/// The pattern of a text without control characters, line or paragraph separators, or bidi controls.
const ONE_LINE: &str = "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$";
/// The pattern of a text like `ONE_LINE`, but with TAB, LF, and CR allowed.
const SEVERAL_LINES: &str =
    "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$";

fn pattern(w: &mut Writer<'_>, nullable: bool, checked: bool, pattern: &str) {
    kind(w, "string", nullable);
    if checked {
        text(w, "pattern", pattern);
    }
}

fn range(w: &mut Writer<'_>, min: u64, max: u64) {
    number(w, "minimum", min);
    number(w, "maximum", max);
}

fn free_text(engine: &Engine, w: &mut Writer<'_>, nullable: bool, limit: u64, characters: &str) {
    kind(w, "string", nullable);
    if is_error(engine, Code::TextEmpty) {
        number(w, "minLength", 1);
    }
    if is_error(engine, Code::TextTooLong) {
        number(w, "maxLength", limit);
    }
    if is_error(engine, Code::TextControlCharacter) {
        text(w, "pattern", characters);
    }
}

fn address(engine: &Engine, w: &mut Writer<'_>, nullable: bool) {
    kind(w, "string", nullable);
    // The policy limits bytes. A text never has more characters than bytes, so the schema rejects no valid URI.
    if is_error(engine, Code::TextTooLong) {
        number(w, "maxLength", engine.policy().limits.uri_bytes);
    }
    let syntax = is_error(engine, Code::UriSyntax);
    let scheme = syntax && is_error(engine, Code::UriScheme);
    let credentials = syntax && is_error(engine, Code::UriCredentials);
    if syntax {
        text(w, "format", "uri");
        w.name("pattern").plain(|out| address_pattern(engine, scheme, credentials, out));
    }
}

/// Writes the pattern of a URI.
///
/// It has a scheme, then `//` and a host without `%` if the scheme is http or https. If `credentials` is true, no `@` is
/// allowed before the path.
///
/// If any scheme is allowed, the host of http and https is not required: portable JSON Schema patterns have no look-ahead.
fn address_pattern(engine: &Engine, schemes: bool, credentials: bool, out: &mut Vec<u8>) {
    let (userinfo, other) = match credentials {
        true => ("", ":(?://[^/?#@]*(?:[/?#]|$)|/?(?:[^/]|$))"),
        false => ("(?:[^/?#@]*@)?", ":"),
    };
    let is_web = |scheme: &str| scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let schemes = engine.policy().urls.schemes.iter().filter(|_| schemes).map(|scheme| &**scheme);
    let (web, others) = (schemes.clone().filter(|s| is_web(s)), schemes.filter(|s| !is_web(s)));
    put(out, &["^"]);
    match (web.clone().next(), others.clone().next()) {
        (None, None) => put(out, &["[A-Za-z][A-Za-z0-9+.-]*", other]),
        (Some(_), None) => {
            any_scheme(web, out);
            put(out, &[WEB, userinfo, HOST]);
        }
        (None, Some(_)) => {
            any_scheme(others, out);
            put(out, &[other]);
        }
        (Some(_), Some(_)) => {
            put(out, &["(?:"]);
            any_scheme(web, out);
            put(out, &[WEB, userinfo, HOST, "|"]);
            any_scheme(others, out);
            put(out, &[other, ")"]);
        }
    }
}

const WEB: &str = "://";
const HOST: &str = "[^/?#@:%][^/?#@%]*(?:[/?#]|$)";

/// Writes the alternatives of the schemes, ignoring case.
fn any_scheme<'s>(schemes: impl Iterator<Item = &'s str>, out: &mut Vec<u8>) {
    let mut before = "(?:";
    for scheme in schemes {
        put(out, &[before]);
        before = "|";
        // The policy allows only letters, digits, `+`, `-`, and `.` in a scheme.
        for byte in scheme.bytes() {
            match byte {
                b'+' | b'.' => out.extend_from_slice(&[b'\\', b'\\', byte]),
                _ if byte.is_ascii_alphabetic() => {
                    out.extend_from_slice(&[b'[', byte.to_ascii_uppercase(), byte.to_ascii_lowercase(), b']']);
                }
                _ => out.push(byte),
            }
        }
    }
    put(out, &[")"]);
}
