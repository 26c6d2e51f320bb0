//! Locates a value in a body by its JSON Pointer.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::Error;
use crate::json::position::line_and_column;
use crate::json::writer::Writer;
use crate::json::{self, validate_syntax};
use crate::util::bytes::utf8;

/// The location of a value in a body. Ranges are byte offsets and include quotes.
///
/// ```
/// use payspec::Engine;
///
/// let body = "{\"cur\": \"RUB\",\n \"amount\": 990}";
/// let location = Engine::default().locate(body.as_bytes(), "/amount")?.expect("a member of the body");
/// assert_eq!(&body[location.value.clone()], "990");
/// assert_eq!(location.name.map(|name| &body[name]), Some("\"amount\""));
/// assert_eq!((location.line, location.column), (2, 12));
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Location {
    /// The range of the value.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub value: Range<usize>,
    /// The line of the value's first character, from 1.
    pub line: u64,
    /// The column of the value's first character, from 1, in characters.
    pub column: u64,
    /// The range of the member's name, if the value belongs to a member.
    pub name: Option<Range<usize>>,
}

impl Location {
    /// Appends the JSON form.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let integer = |at: usize| u64::try_from(at).unwrap_or(u64::MAX);
        Writer::new(out).object(|w| {
            w.name("start").integer(integer(self.value.start));
            w.name("end").integer(integer(self.value.end));
            w.name("line").integer(self.line);
            w.name("column").integer(self.column);
            match &self.name {
                Some(name) => w.name("name").object(|w| {
                    w.name("start").integer(integer(name.start));
                    w.name("end").integer(integer(name.end));
                }),
                None => w.name("name").null(),
            }
        });
    }
}

/// Writes the result for a body without such a value.
pub(crate) fn write_not_found(out: &mut Vec<u8>) {
    Writer::new(out).object(|w| w.name("found").bool(false));
}

/// Locates the value at `pointer`.
///
/// # Errors
/// Returns a context error if `pointer` is not a JSON Pointer.
pub(crate) fn locate(body: &[u8], pointer: &str) -> Result<Option<Location>, Error> {
    check_pointer(pointer)?;
    Ok(find(body, pointer))
}

/// Fails with a context error if `pointer` is not a JSON Pointer (RFC 6901): empty, or segments
/// after `/`, with `~` only in `~0` and `~1`.
pub(crate) fn check_pointer(pointer: &str) -> Result<(), Error> {
    let has_segments = pointer.is_empty() || pointer.starts_with('/');
    if has_segments
        && pointer
            .split('~')
            .skip(1)
            .all(|rest| rest.starts_with(['0', '1']))
    {
        Ok(())
    } else {
        Err(Error::context(
            "/pointer",
            "expected a JSON Pointer (RFC 6901)",
        ))
    }
}

/// Locates the value at `pointer`, which is a JSON Pointer.
pub(crate) fn find(body: &[u8], pointer: &str) -> Option<Location> {
    let text = utf8(body).ok()?;
    // The whole body must be JSON, including the part after the value.
    validate_syntax(text, usize::MAX).ok()?;
    let (value, name) = json::locate(text, pointer)?;
    let (line, column) = line_and_column(body, value.start);
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Some(Location {
        value,
        name,
        line: number(line),
        column: number(column),
    })
}
