//! The constraints on the values of a request, as far as a schema can express them.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::payment;
use super::schema_writer::{is_error, kind, number, put, refer, text};
use crate::engine::Engine;
use crate::json::writer::Writer;
use crate::money::Currency;
use crate::policy::AmountBounds;
use crate::report::code::Code;
use crate::types::payment_type::PaymentType;

/// Writes what the policy decides about a member: its type, and the constraints on its value. The
/// engine rejects every value that they reject.
pub(super) fn value(
    engine: &Engine,
    w: &mut Writer<'_>,
    form: &str,
    variant: PaymentType,
    nullable: bool,
) {
    let limits = &engine.policy().limits;
    let pattern = |w: &mut Writer<'_>, rule, pattern| {
        kind(w, "string", nullable);
        text_if(engine, rule, w, "pattern", pattern);
    };
    let free_text = |w: &mut Writer<'_>, limit, characters| {
        kind(w, "string", nullable);
        number_if(engine, Code::TextEmpty, w, "minLength", 1);
        number_if(engine, Code::TextTooLong, w, "maxLength", limit);
        text_if(engine, Code::TextControlCharacter, w, "pattern", characters);
    };
    let range = |w: &mut Writer<'_>, rule, min, max| {
        kind(w, "integer", nullable);
        number_if(engine, rule, w, "minimum", min);
        number_if(engine, rule, w, "maximum", max);
    };
    match form {
        "variant" => {
            kind(w, "string", false);
            text(w, "const", variant.name());
        }
        "Currency" => refer(w, form, false),
        "Subtype" if !is_error(engine, Code::UnsupportedValue) => kind(w, "string", nullable),
        "amount" => amount(engine, w),
        "text" => free_text(w, limits.text_chars, ONE_LINE),
        "long text" => free_text(w, limits.description_chars, SEVERAL_LINES),
        "uri" => uri(engine, w, nullable),
        // No `default`: generators of types make a member with a default required.
        "boolean" => kind(w, form, nullable),
        "duration" => {
            let span = limits.time_to_complete_payment;
            range(w, Code::IntegerRange, span.min, span.max);
        }
        "card number" => pattern(w, Code::CardNumberSyntax, "^[0-9]{12,19}$"),
        "phone number" => pattern(w, Code::PhoneNumberSyntax, "^\\+?[1-9][0-9]{6,14}$"),
        "security code" => pattern(w, Code::SecurityCodeSyntax, "^[0-9]{3,4}$"),
        "year" => year(engine, w, nullable),
        "month" => range(w, Code::ExpiryMonthRange, 1, 12),
        // Also the mode: no payment can be created in an unknown one, even if the policy accepts
        // it.
        component => refer(w, component, nullable),
    }
}

fn amount(engine: &Engine, w: &mut Writer<'_>) {
    kind(w, "string", false);
    // No payment can be created from another text, even if the policy accepts it.
    let pattern = if is_error(engine, Code::AmountOutOfBounds) {
        AMOUNT_OF_18_DIGITS
    } else {
        payment::AMOUNT
    };
    text(w, "pattern", pattern);
    if is_error(engine, Code::AmountNotPositive) {
        w.name("not")
            .object(|w| text(w, "pattern", "^0(?:\\.0{1,18})?$"));
    }
    let bounds = &engine.policy().limits.amount;
    w.name("description")
        .plain(|out| describe_amount(bounds, out));
}

fn uri(engine: &Engine, w: &mut Writer<'_>, nullable: bool) {
    kind(w, "string", nullable);
    // The policy limits bytes. A text never has more characters than bytes, so the schema rejects
    // no valid URI.
    let limit = engine.policy().limits.uri_bytes;
    number_if(engine, Code::TextTooLong, w, "maxLength", limit);
    text_if(engine, Code::UriSyntax, w, "format", "uri");
    if is_error(engine, Code::UriSyntax) {
        w.name("pattern").plain(|out| address_pattern(engine, out));
    }
}

fn year(engine: &Engine, w: &mut Writer<'_>, nullable: bool) {
    kind(w, "integer", nullable);
    if is_error(engine, Code::ExpiryYearRange) {
        // A range and the gap in it, since generators of clients expect a type in each part of
        // `anyOf`.
        let allows_two_digits = !is_error(engine, Code::ExpiryYearTwoDigits);
        let minimum: u32 = if allows_two_digits { 0 } else { 2000 };
        w.name("minimum").integer(minimum);
        w.name("maximum").integer(2099_u32);
        if allows_two_digits {
            w.name("not")
                .raw(r#"{"type":"integer","minimum":100,"maximum":1999}"#);
        }
    }
}

/// Writes the description of the amount of a request, with the bounds that the policy adds.
fn describe_amount(limits: &BTreeMap<Currency, AmountBounds>, out: &mut Vec<u8>) {
    put(out, &[AMOUNT_DESCRIPTION]);
    let mut before = " Bounds, both included: ";
    for (currency, bounds) in limits {
        put(out, &[before, currency.code()]);
        for (word, bound) in [(" from ", bounds.min), (" to ", bounds.max)] {
            if let Some(bound) = bound {
                put(out, &[word]);
                bound.write_text(out);
            }
        }
        before = ", ";
    }
    if !limits.is_empty() {
        put(out, &["."]);
    }
}

const AMOUNT_DESCRIPTION: &str = "The amount in `cur`: a decimal number greater than zero, without sign, exponent, \
    whitespace, or leading zeros. At most 18 digits on either side of the point. Fraction digits beyond the minor unit of \
    the currency must be zero: `100.00` JPY is valid, `100.50` JPY is not.";

/// Writes a constraint on a number, or on the length of a text, if its rule is an error.
#[inline(never)]
fn number_if(engine: &Engine, rule: Code, w: &mut Writer<'_>, keyword: &str, value: u64) {
    if is_error(engine, rule) {
        number(w, keyword, value);
    }
}

/// Writes a constraint on the characters of a text if its rule is an error.
#[inline(never)]
fn text_if(engine: &Engine, rule: Code, w: &mut Writer<'_>, keyword: &str, value: &str) {
    if is_error(engine, rule) {
        text(w, keyword, value);
    }
}

/// The pattern of an amount with at most 18 digits on either side of the point.
const AMOUNT_OF_18_DIGITS: &str = "^(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,18})?$";
/// The pattern of a text without control characters, line or paragraph separators, or bidi
/// controls.
///
/// RE2 and PCRE have no `\u`, and JavaScript has no `\x{…}`. All of them have `\xHH`, and accept the
/// other characters themselves.
const ONE_LINE: &str = "^[^\\x00-\\x1F\\x7F-\\x9F\u{2028}-\u{202E}\u{2066}-\u{2069}]*$";
/// The pattern of a text like `ONE_LINE`, but with TAB, LF, and CR allowed.
const SEVERAL_LINES: &str =
    "^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F\u{2028}-\u{202E}\u{2066}-\u{2069}]*$";

/// Writes the pattern of a URI.
///
/// It has a scheme, then `//` and a host without `%` if the scheme is http or https. If
/// `uri_credentials` is an error, no `@` is allowed before the path.
///
/// If any scheme is allowed, the host of http and https is not required: portable JSON Schema
/// patterns have no look-ahead.
fn address_pattern(engine: &Engine, out: &mut Vec<u8>) {
    let (userinfo, other) = match is_error(engine, Code::UriCredentials) {
        true => ("", ":(?://[^/?#@]*(?:[/?#]|$)|/?(?:[^/]|$))"),
        false => ("(?:[^/?#@]*@)?", ":"),
    };
    let is_web =
        |scheme: &str| scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let schemes = engine
        .policy()
        .urls
        .schemes
        .iter()
        .filter(|_| is_error(engine, Code::UriScheme))
        .map(|scheme| &**scheme);
    let (web, others) = (
        schemes.clone().filter(|s| is_web(s)),
        schemes.filter(|s| !is_web(s)),
    );
    let (has_web, has_others) = (
        web.clone().next().is_some(),
        others.clone().next().is_some(),
    );
    let if_both = |text| if has_web && has_others { text } else { "" };
    put(out, &["^", if_both("(?:")]);
    if has_web {
        any_scheme(web, out);
        put(out, &["://", userinfo, "[^/?#@:%][^/?#@%]*(?:[/?#]|$)"]);
    }
    put(out, &[if_both("|")]);
    if has_others {
        any_scheme(others, out);
        put(out, &[other]);
    } else if !has_web {
        put(out, &["[A-Za-z][A-Za-z0-9+.-]*", other]);
    }
    put(out, &[if_both(")")]);
}

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
                    out.extend_from_slice(&[
                        b'[',
                        byte.to_ascii_uppercase(),
                        byte.to_ascii_lowercase(),
                        b']',
                    ]);
                }
                _ => out.push(byte),
            }
        }
    }
    put(out, &[")"]);
}
