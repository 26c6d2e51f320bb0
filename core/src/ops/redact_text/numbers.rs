//! Card numbers by their form.

use alloc::vec::Vec;
use core::ops::Range;

use super::source::Source;
use crate::card::scanner::number_end;
use crate::card::syntax::group_end;
use crate::types::uuid::parse_uuid;

/// The length of a UUID in characters.
const UUID_LENGTH: usize = 36;

/// The kind of the character before the cursor, which decides whether a card number may begin here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A letter, or the point of a decimal fraction: no card number begins here.
    Joined,
    Digit,
    /// A star that may belong to a masked number. No card number begins here: otherwise masking one
    /// would uncover another.
    MaskStar,
    /// A single separator after a digit or such a star.
    Separator,
    Other,
}

impl Source<'_> {
    /// Returns the card numbers in the text. They may overlap: all are masked, since each may be
    /// the real one.
    pub(super) fn card_numbers(self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut before = Before::Other;
        while at < self.0.len() {
            if let Some(end) = self.escape_end(at) {
                (at, before) = (end, Before::Other);
                continue;
            }
            let is_start = matches!(before, Before::Other | Before::Separator);
            if is_start && self.is_uuid(at) {
                (at, before) = (at.saturating_add(UUID_LENGTH), Before::Joined);
                continue;
            }
            let start = match self.byte(at) {
                // The digits of a percent-encoded byte may also be text after a percent sign.
                b'%' => self.percent_end(at),
                _ => Some(at).filter(|_| is_start),
            };
            found.extend(start.and_then(|start| self.card_number(start)));
            let is_digit = self.is_digit(at);
            before = match self.byte(at) {
                _ if is_digit => Before::Digit,
                b'.' if before == Before::Digit && self.is_digit(at.saturating_add(1)) => {
                    Before::Joined
                }
                b'*' if matches!(before, Before::Digit | Before::MaskStar | Before::Separator) => {
                    Before::MaskStar
                }
                b' ' | b'-' if matches!(before, Before::Digit | Before::MaskStar) => {
                    Before::Separator
                }
                _ if self.is_alphanumeric(at) => Before::Joined,
                _ => Before::Other,
            };
            at = if is_digit {
                group_end(self.0.as_bytes(), at)
            } else {
                self.after(at)
            };
        }
        found
    }

    /// Returns the longest card number that begins at `at`.
    fn card_number(self, at: usize) -> Option<Range<usize>> {
        let is_group = |start: &usize| self.is_digit(*start) && !self.is_uuid(*start);
        let start = Some(at).filter(is_group)?;
        Some(
            start..number_end(self.0.as_bytes(), start, is_group, |end| {
                self.ends_number(end)
            })?,
        )
    }

    /// Returns whether a card number may end at `at`: no letter, decimal fraction, or masked digit
    /// follows.
    fn ends_number(self, at: usize) -> bool {
        let is_masked = |at: usize| match self.byte(at) {
            b' ' | b'-' => matches!(self.byte(at.saturating_add(1)), b'*' | b'0'..=b'9'),
            byte => byte == b'*',
        };
        match self.byte(at) {
            b'.' => !self.is_digit(at.saturating_add(1)),
            b'*' => !(at..self.0.len())
                .find(|at| !is_masked(*at))
                .is_some_and(|end| self.is_digit(end)),
            _ => !self.is_alphanumeric(at),
        }
    }

    /// Returns whether a UUID begins at `at` and no letter or digit follows it.
    fn is_uuid(self, at: usize) -> bool {
        let end = at.saturating_add(UUID_LENGTH);
        self.byte(at.saturating_add(8)) == b'-'
            && parse_uuid(self.slice(at..end)).is_some()
            && !self.is_alphanumeric(end)
    }
}
