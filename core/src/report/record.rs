//! Violations in a compact form, without texts. The layers above add paths, messages, and
//! parameters.

use super::code::Code;

/// A violation as numbers.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) code: Code,
    /// The field, or [`Record::BODY`].
    pub(crate) slot: usize,
    /// Parameters, whose meaning depends on the code. `x` is, for `amount_out_of_bounds`, 0 for the
    /// number of digits, otherwise the number of the currency in `limits.amount`, from 1; for
    /// `uri_syntax` and `type`, the index of the part and of the kind of value.
    pub(crate) x: usize,
    pub(crate) y: usize,
}

impl Record {
    /// The slot of the body as a whole.
    pub(crate) const BODY: usize = 255;
}

/// Receives the violations of a body.
pub(crate) trait Sink {
    /// Returns whether a violation of the rule changes the verdict or the list.
    fn is_observable(&self, code: Code) -> bool;

    /// Adds a violation of a field or of the body, unless the policy disables the rule. Returns
    /// whether it ends the rules of the member.
    fn push(&mut self, record: Record) -> bool;
}
