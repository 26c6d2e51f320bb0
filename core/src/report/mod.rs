//! Reports: violations in the order of the specification's fields, and their JSON.
//!
//! A violation contains the location and what was expected there, never a value from the body.

pub(crate) mod code;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use self::code::{Code, Severity};
use crate::card::finder;
use crate::json::writer::{Writer, escape, into_text, write_integer};
use crate::json::{Field, PathResolver, PathSegment, UnknownMember};
use crate::money::{Amount, Currency};
use crate::types::payment_type::{Mode, PaymentType};
use crate::types::uri::UriPart;
use crate::util::inline_vec::Few;

/// The verdict on a body, with its violations.
#[derive(Clone, Debug)]
#[must_use = "it tells whether the body is valid"]
pub struct Report<'a> {
    pub(crate) summary: ReportSummary,
    violations: Vec<Violation<'a>>,
}

/// The parts of a report other than the violations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportSummary {
    pub(crate) valid: bool,
    pub(crate) variant: Option<PaymentType>,
    pub(crate) mode: Option<Mode>,
    pub(crate) host2host: bool,
    pub(crate) truncated: bool,
    /// The violation that prevented validation, if the body is not a JSON object within the limits.
    pub(crate) fatal: Option<Code>,
}

impl<'a> Report<'a> {
    /// Returns whether the report has no violation of severity `error`.
    pub fn is_valid(&self) -> bool {
        self.summary.valid
    }

    /// Returns pay-in or pay-out, if `payment_type` has a known value.
    pub fn variant(&self) -> Option<PaymentType> {
        self.summary.variant
    }

    /// Returns the processing mode, if it is known.
    pub fn mode(&self) -> Option<Mode> {
        self.summary.mode
    }

    /// Returns whether the body is in host-to-host mode.
    pub fn host2host(&self) -> bool {
        self.summary.host2host
    }

    /// Returns the violations, at most `limits.violations` of them.
    pub fn violations(&self) -> &[Violation<'a>] {
        &self.violations
    }

    /// Returns whether the body has more violations than `limits.violations`.
    pub fn is_truncated(&self) -> bool {
        self.summary.truncated
    }

    /// Returns the first violation with this code.
    pub fn find(&self, code: Code) -> Option<&Violation<'a>> {
        self.violations.iter().find(|violation| violation.code == code)
    }

    /// Appends the report's JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.summary.write(&self.violations, out);
    }

    /// Returns the report's JSON as text.
    pub fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write_json(&mut out);
        into_text(out)
    }
}

/// A list of violations. Up to four need no heap allocation; a valid body has one or two warnings.
pub(crate) type Violations<'a> = Few<Violation<'a>, 4>;

/// A report under construction. It is filled in place, because it is too large to move.
pub(crate) struct ReportBuilder<'a> {
    pub(crate) summary: ReportSummary,
    pub(crate) violations: Violations<'a>,
    limit: usize,
    /// Whether the body is a payment. The specification describes its members in other sections than those of a request.
    pub(crate) is_of_payment: bool,
    /// Whether violations are listed; if not, only the verdict is computed.
    listed: bool,
}

impl<'a> ReportBuilder<'a> {
    /// Creates an empty report that lists at most `limit` violations.
    pub(crate) fn new(limit: usize) -> Self {
        let summary =
            ReportSummary { valid: true, variant: None, mode: None, host2host: false, truncated: false, fatal: None };
        ReportBuilder { summary, violations: Violations::default(), limit, is_of_payment: false, listed: true }
    }

    /// Creates an empty report that computes only the verdict and lists no violations.
    pub(crate) fn verdict_only() -> Self {
        ReportBuilder { listed: false, ..ReportBuilder::new(0) }
    }

    /// Returns whether a violation of this severity changes the verdict or the list.
    pub(crate) fn is_observable(&self, severity: Severity) -> bool {
        severity == Severity::Error || (self.listed && severity == Severity::Warning)
    }

    pub(crate) fn push(&mut self, severity: Severity, code: Code, path: Pointer<'a>, params: Params<'a>) {
        self.summary.valid &= severity != Severity::Error;
        if self.violations.len() < self.limit {
            self.violations.push(Violation { code, severity, is_of_payment: self.is_of_payment, path, params });
        } else {
            self.summary.truncated = true;
        }
    }

    /// Appends the report's JSON.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        self.summary.write(&self.violations, out);
    }
}

impl<'a> From<ReportBuilder<'a>> for Report<'a> {
    fn from(builder: ReportBuilder<'a>) -> Self {
        Report { summary: builder.summary, violations: builder.violations.into() }
    }
}

impl ReportSummary {
    fn write(&self, violations: &[Violation<'_>], out: &mut Vec<u8>) {
        if self.valid && violations.is_empty() && !self.truncated {
            for piece in self.praise() {
                out.extend_from_slice(piece.bytes());
            }
            return;
        }
        out.extend_from_slice(if self.valid {
            b"{\"valid\":true,\"variant\":"
        } else {
            b"{\"valid\":false,\"variant\":"
        });
        let mut w = Writer::new(out);
        w.string_or_null(self.variant.map(PaymentType::name));
        w.name("mode").string_or_null(self.mode.map(Mode::name));
        w.name("host2host").bool(self.host2host);
        self.write_violations(violations, &mut w);
        w.buffer().push(b'}');
    }

    /// Writes the member `violations` and, if the list is truncated, the member `truncated`.
    pub(crate) fn write_violations(&self, violations: &[Violation<'_>], w: &mut Writer<'_>) {
        w.name("violations");
        write_list(violations, w);
        if self.truncated {
            w.name("truncated").bool(true);
        }
    }

    /// Returns the parts of a report without violations. Such a report has few forms, so the parts are built at compile
    /// time.
    fn praise(&self) -> [&'static Piece; 3] {
        static VARIANTS: [Piece; 3] = [
            Piece::new([r#"{"valid":true,"variant":""#, PaymentType::PayIn.name(), r#"","mode":"#]),
            Piece::new([r#"{"valid":true,"variant":""#, PaymentType::PayOut.name(), r#"","mode":"#]),
            Piece::new([r#"{"valid":true,"variant":"#, "null", r#","mode":"#]),
        ];
        static MODES: [Piece; 4] = [
            Piece::new(["\"", Mode::P2p.name(), "\""]),
            Piece::new(["\"", Mode::Acquiring.name(), "\""]),
            Piece::new(["\"", Mode::Crypto.name(), "\""]),
            Piece::new(["null", "", ""]),
        ];
        static ENDS: [Piece; 2] = [
            Piece::new([r#","host2host":"#, "false", r#","violations":[]}"#]),
            Piece::new([r#","host2host":"#, "true", r#","violations":[]}"#]),
        ];
        let ([pay_in, pay_out, no_variant], [p2p, acquiring, crypto, no_mode], [off, on]) = (&VARIANTS, &MODES, &ENDS);
        [
            match self.variant {
                Some(PaymentType::PayIn) => pay_in,
                Some(PaymentType::PayOut) => pay_out,
                None => no_variant,
            },
            match self.mode {
                Some(Mode::P2p) => p2p,
                Some(Mode::Acquiring) => acquiring,
                Some(Mode::Crypto) => crypto,
                None => no_mode,
            },
            if self.host2host { on } else { off },
        ]
    }
}

/// A text that is concatenated at compile time.
struct Piece {
    bytes: [u8; 48],
    len: usize,
}

impl Piece {
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated at compile time, where a slip is an error"
    )]
    const fn new(values: [&str; 3]) -> Self {
        let mut piece = Piece { bytes: [0; 48], len: 0 };
        let mut part = 0;
        while part < values.len() {
            let bytes = values[part].as_bytes();
            let mut place = 0;
            while place < bytes.len() {
                piece.bytes[piece.len] = bytes[place];
                piece.len += 1;
                place += 1;
            }
            part += 1;
        }
        piece
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

pub(crate) fn write_list(violations: &[Violation<'_>], w: &mut Writer<'_>) {
    w.array(|w| {
        let out = w.buffer();
        // Shared by all violations, because many may be inside one value.
        let mut resolver = None;
        for (place, violation) in violations.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            violation.write(&mut resolver, out);
        }
    });
}

/// A broken rule at one path.
#[derive(Clone, Debug)]
pub struct Violation<'a> {
    code: Code,
    severity: Severity,
    is_of_payment: bool,
    path: Pointer<'a>,
    params: Params<'a>,
}

impl<'a> Violation<'a> {
    /// Returns the code of the rule.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the severity under the policy.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the JSON Pointer (RFC 6901). The string is built on every call; inside free-form values that means
    /// traversing the value, so use [`Report::write_json`] for long reports.
    pub fn path(&self) -> String {
        self.path.to_text()
    }

    /// Returns the path of a field that the specification defines, which is safe to log because it contains no client data.
    /// Returns `None` if the path contains an unknown name, or leads into a value of the body.
    pub fn member(&self) -> Option<&'static str> {
        matches!(self.path.tail, PointerTail::None).then_some(self.path.base)
    }

    /// Passes the pointer to `put` in pieces. `resolver` keeps the position of the last traversal of a value.
    pub(crate) fn each_part(&self, resolver: &mut Option<PathResolver<'a>>, put: &mut dyn FnMut(&str)) {
        self.path.each(resolver, put);
    }

    /// Returns the section of the specification, or the decision that fills a gap in it.
    pub fn source(&self) -> &'static str {
        match self.code {
            // The members that every creation response has, and the table of states.
            Code::Missing if self.is_of_payment => "§2.1",
            Code::UnsupportedValue if self.is_of_payment && self.path.base == "/state" => "§3",
            code => code.rule().source,
        }
    }

    /// Returns the parameters of the message, from which the caller can build its own messages.
    pub fn params(&self) -> &Params<'a> {
        &self.params
    }

    /// Returns the message in English.
    pub fn message(&self) -> String {
        let mut out = Vec::new();
        self.write_message(&mut out);
        into_text(out)
    }

    fn write_message(&self, out: &mut Vec<u8>) {
        let rule = self.code.rule();
        if let Params::Refused(_) = self.params {
            // The summary of the rule describes a list of accepted values.
            out.extend_from_slice(b"the scheme of the URI must not be one of ");
            return self.params.write_text("refused", out);
        }
        let mut from = 0;
        for hole in rule.holes.iter().map_while(|hole| hole.as_ref()) {
            let (start, end) = (usize::from(hole.start), usize::from(hole.end));
            out.extend_from_slice(rule.summary.get(from..start).unwrap_or_default().as_bytes());
            let name = rule.summary.get(start..end).unwrap_or_default();
            self.params.write_text(name.trim_matches(['{', '}']), out);
            from = end;
        }
        out.extend_from_slice(rule.summary.get(from..).unwrap_or_default().as_bytes());
    }

    /// Writes the violation as JSON. Long reports consist mostly of violations, so constant parts are written at once.
    fn write(&self, resolver: &mut Option<PathResolver<'a>>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"path\":\"");
        self.path.write_escaped(resolver, out);
        out.extend_from_slice(b"\",\"code\":\"");
        out.extend_from_slice(self.code.name().as_bytes());
        out.extend_from_slice(match self.severity {
            Severity::Error => b"\",\"severity\":\"error\",\"message\":\"".as_slice(),
            Severity::Warning => b"\",\"severity\":\"warning\",\"message\":\"",
            Severity::Off => b"\",\"severity\":\"off\",\"message\":\"",
        });
        // No escapes are needed: the texts are from the table of rules, the names from a checked policy.
        self.write_message(out);
        out.extend_from_slice(b"\",\"source\":\"");
        out.extend_from_slice(self.source().as_bytes());
        out.push(b'"');
        self.params.write(out);
        out.push(b'}');
    }
}

/// A JSON Pointer: the path of an object or field in a schema, or a path below it.
#[derive(Clone, Copy)]
pub(crate) struct Pointer<'a> {
    base: &'static str,
    tail: PointerTail<'a>,
}

/// The part of a pointer after the path in a schema.
#[derive(Clone, Copy)]
enum PointerTail<'a> {
    None,
    /// An unknown member, or an item of an array.
    Segment(PathSegment<'a>),
    /// The name or value at this byte of an object.
    Offset(&'a str, usize),
}

impl<'a> Pointer<'a> {
    pub(crate) const ROOT: Pointer<'static> = Pointer::of("");

    pub(crate) const fn of(base: &'static str) -> Self {
        Pointer { base, tail: PointerTail::None }
    }

    pub(crate) fn field(field: &'static Field) -> Self {
        Pointer::of(field.pointer)
    }

    pub(crate) fn unknown(unknown: &UnknownMember<'a>) -> Self {
        Pointer { base: unknown.schema.pointer, tail: PointerTail::Segment(PathSegment::Key(unknown.name)) }
    }

    pub(crate) const fn item(base: &'static str, place: usize) -> Self {
        Pointer { base, tail: PointerTail::Segment(PathSegment::Index(place)) }
    }

    /// Returns the pointer to the byte `at` in `object`, which is the value of `base`.
    pub(crate) const fn inside(base: &'static str, object: &'a str, at: usize) -> Self {
        Pointer { base, tail: PointerTail::Offset(object, at) }
    }

    pub(crate) fn to_text(self) -> String {
        let mut out = Vec::new();
        self.each(&mut None, &mut |part| out.extend_from_slice(part.as_bytes()));
        into_text(out)
    }

    pub(crate) fn write_escaped(self, resolver: &mut Option<PathResolver<'a>>, out: &mut Vec<u8>) {
        match self.tail {
            // The names in schemas need no escapes.
            PointerTail::None => out.extend_from_slice(self.base.as_bytes()),
            _ => self.each(resolver, &mut |part| escape(part, out)),
        }
    }

    /// Passes the pointer to `put` in pieces. `resolver` keeps the position of the last traversal of a value, where the
    /// next one continues.
    fn each(self, resolver: &mut Option<PathResolver<'a>>, put: &mut dyn FnMut(&str)) {
        put(self.base);
        match self.tail {
            PointerTail::None => {}
            PointerTail::Segment(segment) => put_segment(segment, put),
            PointerTail::Offset(object, at) => {
                let resolver = resolver.get_or_insert_with(|| PathResolver::new(object));
                resolver.to(object, at).for_each(|segment| put_segment(segment, put));
            }
        }
    }
}

/// Returns the pointer `base`, extended by these segments.
pub(crate) fn path_by(base: &str, segments: &[PathSegment<'_>]) -> String {
    let mut path = String::from(base);
    segments.iter().for_each(|segment| put_segment(*segment, &mut |part| path.push_str(part)));
    path
}

fn put_segment(segment: PathSegment<'_>, put: &mut dyn FnMut(&str)) {
    put("/");
    match segment {
        PathSegment::Key(name) => name.with_decoded(|name| put_plain_name(name, put)),
        PathSegment::Index(place) => {
            let mut digits = Vec::new();
            write_integer(u64::try_from(place).unwrap_or(u64::MAX), &mut digits);
            put(core::str::from_utf8(&digits).unwrap_or(""));
        }
    }
}

/// Escapes a name for a pointer (RFC 6901) and masks card numbers, because names are untrusted as well.
fn put_plain_name(name: &str, put: &mut dyn FnMut(&str)) {
    let masked = finder::mask_long_runs(name);
    let mut rest = masked.as_ref().map_or(name, finder::Masked::as_str);
    while let Some(at) = rest.find(['~', '/']) {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        put(before);
        put(if behind.starts_with('~') { "~0" } else { "~1" });
        rest = behind.get(1..).unwrap_or("");
    }
    put(rest);
}

impl fmt::Debug for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_text(), f)
    }
}

/// The parameters of a violation, which describe what was expected. They never contain a value from the body.
///
/// ```
/// use payspec::{Code, Engine, Params};
///
/// let engine = Engine::default();
/// let report = engine.validate_request(br#"{"cur":"JPY","amount":"1.5"}"#, None);
/// let violation = report.find(Code::AmountScale).expect("a yen has no cents");
/// assert_eq!(violation.params(), &Params::MinorUnit(0));
/// assert_eq!(violation.message(), "the currency has 0 fraction digits");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Params<'a> {
    /// The rule has no parameters.
    None,
    /// The position at which the JSON becomes invalid. Both numbers start at 1; the column counts characters.
    Position {
        /// The line.
        line: u64,
        /// The column.
        column: u64,
    },
    /// The largest accepted number of bytes, levels, or characters.
    Limit(u64),
    /// The expected and the actual JSON type.
    Types {
        /// The type that the interface requires.
        expected: &'static str,
        /// The type in the body.
        found: &'static str,
    },
    /// The accepted values.
    Allowed(Allowed<'a>),
    /// The rejected values, if all others are accepted.
    Refused(&'static [&'static str]),
    /// The current member that replaces a legacy member, if there is one.
    ReplacedBy(Option<&'static str>),
    /// The number of fraction digits of the currency.
    MinorUnit(u32),
    /// The largest accepted numbers of digits before and after the decimal point.
    Digits {
        /// The digits before the decimal point.
        integer: u64,
        /// The digits after the decimal point.
        fraction: u64,
    },
    /// The smallest and the largest accepted number.
    Range {
        /// The smallest number.
        min: u64,
        /// The largest number.
        max: u64,
    },
    /// The part of a URI that is missing or not valid.
    Reason(UriPart),
    /// The policy's bounds for the currency.
    Amounts {
        /// The smallest amount, if the policy sets one.
        min: Option<Amount>,
        /// The largest amount, if the policy sets one.
        max: Option<Amount>,
    },
}

/// A list of accepted values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Allowed<'a> {
    /// Names from the specification.
    Names(&'static [&'static str]),
    /// Texts from the policy.
    Texts(&'a [String]),
    /// Currencies from the policy.
    Currencies(&'a [Currency]),
}

impl Allowed<'_> {
    /// Calls `with` for each value.
    fn each(&self, mut with: impl FnMut(&str)) {
        match self {
            Allowed::Names(names) => names.iter().for_each(|name| with(name)),
            Allowed::Texts(texts) => texts.iter().for_each(|text| with(text)),
            Allowed::Currencies(currencies) => currencies.iter().for_each(|currency| with(currency.code())),
        }
    }
}

/// The value of a parameter. No escapes are needed: texts are from the table of rules, names from a checked policy.
#[derive(Clone, Copy)]
enum ParamValue<'p> {
    Integer(u64),
    Name(Option<&'static str>),
    List(Allowed<'p>),
    Bound(Option<Amount>),
}

impl Params<'_> {
    /// Returns the parameters with their names.
    fn values(&self) -> impl Iterator<Item = (&'static str, ParamValue<'_>)> {
        use ParamValue::{Bound, Integer, List, Name};
        let (one, other) = match *self {
            Params::None => (None, None),
            Params::Position { line, column } => (Some(("line", Integer(line))), Some(("column", Integer(column)))),
            Params::Limit(limit) => (Some(("limit", Integer(limit))), None),
            Params::Types { expected, found } => {
                (Some(("expected", Name(Some(expected)))), Some(("found", Name(Some(found)))))
            }
            Params::Allowed(list) => (Some(("allowed", List(list))), None),
            Params::Refused(names) => (Some(("refused", List(Allowed::Names(names)))), None),
            Params::ReplacedBy(name) => (Some(("replaced_by", Name(name))), None),
            Params::MinorUnit(digits) => (Some(("minor_unit", Integer(digits.into()))), None),
            Params::Digits { integer, fraction } => {
                (Some(("integer_digits", Integer(integer))), Some(("fraction_digits", Integer(fraction))))
            }
            Params::Reason(part) => (Some(("reason", Name(Some(part.name())))), None),
            Params::Range { min, max } => (Some(("min", Integer(min))), Some(("max", Integer(max)))),
            Params::Amounts { min, max } => (Some(("min", Bound(min))), Some(("max", Bound(max)))),
        };
        one.into_iter().chain(other)
    }

    /// Writes the member `params`, if the rule has parameters.
    fn write(&self, out: &mut Vec<u8>) {
        let mut open = b",\"params\":{\"".as_slice();
        for (name, part) in self.values() {
            out.extend_from_slice(open);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            part.write(b"\"", out);
            open = b",\"";
        }
        if open.len() == 2 {
            out.push(b'}');
        }
    }

    /// Writes the parameter `name` as text for a message.
    fn write_text(&self, name: &str, out: &mut Vec<u8>) {
        if let Some((_, part)) = self.values().find(|(known, _)| *known == name) {
            part.write(b"", out);
        }
    }
}

impl ParamValue<'_> {
    /// Writes the value as JSON with texts between `quote`, or as text for a message if `quote` is empty.
    fn write(self, quote: &[u8], out: &mut Vec<u8>) {
        match self {
            ParamValue::Integer(number) => write_integer(number, out),
            ParamValue::Name(Some(text)) => write_between(quote, text, out),
            ParamValue::Bound(Some(amount)) => {
                out.extend_from_slice(quote);
                amount.write_text(out);
                out.extend_from_slice(quote);
            }
            ParamValue::Name(None) | ParamValue::Bound(None) => out.extend_from_slice(b"null"),
            ParamValue::List(list) => {
                let (begin, between, end) = if quote.is_empty() { ("", ", ", "") } else { ("[", ",", "]") };
                out.extend_from_slice(begin.as_bytes());
                let mut first = true;
                list.each(|text| {
                    if !first {
                        out.extend_from_slice(between.as_bytes());
                    }
                    write_between(quote, text, out);
                    first = false;
                });
                out.extend_from_slice(end.as_bytes());
            }
        }
    }
}

fn write_between(quote: &[u8], text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(quote);
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(quote);
}

/// Returns the position of a byte offset as parameters.
pub(crate) fn position(bytes: &[u8], at: usize) -> Params<'static> {
    let (line, column) = line_and_column(bytes, at);
    Params::Position { line, column }
}

/// Returns line and column of a byte offset, both from 1. The column counts characters.
pub(crate) fn line_and_column(bytes: &[u8], at: usize) -> (u64, u64) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at.saturating_add(1));
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    // Every character has exactly one byte that is not a continuation byte.
    let characters = before.iter().skip(line_start).filter(|byte| **byte & 0xC0 != 0x80).count();
    let from_one = |count: usize| u64::try_from(count).unwrap_or(u64::MAX).saturating_add(1);
    (from_one(lines), from_one(characters))
}

impl fmt::Display for Violation<'_> {
    /// Writes one line, such as `error at /amount: the currency has 0 fraction digits (amount_scale, D6)`. It contains no
    /// value of the body; unknown names are escaped as in the `Debug` output of `str`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(&mut None, f)
    }
}

impl<'a> Violation<'a> {
    /// Writes the violation on one line. `resolver` keeps the position of the last traversal of a value.
    fn print(&self, resolver: &mut Option<PathResolver<'a>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at ", self.severity())?;
        if self.member() == Some("") {
            f.write_str("the body")?;
        }
        let mut printed = Ok(());
        self.each_part(resolver, &mut |part| {
            // Names may contain line breaks and control characters that a terminal interprets.
            printed = printed.and_then(|()| write!(f, "{}", part.escape_debug()));
        });
        printed?;
        write!(f, ": {} ({}, {})", self.message(), self.code(), self.source())
    }
}

impl fmt::Display for Report<'_> {
    /// Writes the verdict, and a line for each violation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_valid() { "valid" } else { "not valid" })?;
        let mut resolver = None;
        for violation in self.violations() {
            f.write_str("\n")?;
            violation.print(&mut resolver, f)?;
        }
        if self.is_truncated() { f.write_str("\n…") } else { Ok(()) }
    }
}

/// Operations return a report as their error if the body is not an object.
impl core::error::Error for Report<'_> {}

#[cfg(feature = "serde")]
crate::json::serialize::impl_serialize_via_json! { Report<'_> }

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use crate::{Code, Engine, Severity};

    #[test]
    fn names_off_the_wire_forge_no_line() {
        let engine = Engine::default();
        let body = br#"{"x\nerror at /amount: y":1,"\u001b[2J\u202e\u0000~/\"'":2}"#;
        let text = engine.validate_request(body, None).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(lines[4].contains(r" at /x\nerror at ~1amount: y: "), "{text}");
        assert!(lines[5].contains(r#" at /\u{1b}[2J\u{202e}\0~0~1\"\': "#), "{text}");
    }

    #[test]
    fn a_report_reads_line_by_line() {
        let engine = Engine::from_json(r#"{"limits":{"violations":1}}"#).unwrap();
        let report = engine.validate_request(br#"{"payment_type":"pay_in","mode":"x","cur":"JPY"}"#, None);
        let text = "not valid\nerror at /mode: not a listed value: expected one of P2P, ACQUIRING, CRYPTO \
                    (unsupported_value, §2.2)\n…";
        assert_eq!(report.to_string(), text);
        assert_eq!(
            engine.validate_request(b"7", None).to_string().lines().nth(1),
            Some("error at the body: wrong JSON type: expected object, found number (type, §2)")
        );
        assert_eq!((Code::Type.to_string(), Severity::Off.to_string()), ("type".into(), "off".into()));
    }
}
