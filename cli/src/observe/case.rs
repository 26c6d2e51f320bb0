//! One exchange with its place, and the findings that it adds to.

use serde_json::Value;

use super::exchange::Exchange;
use super::findings::{Findings, Kind};
use super::secrets::Secrets;

/// An exchange that is examined.
pub(super) struct Case<'c> {
    pub(super) findings: &'c mut Findings,
    pub(super) place: &'c str,
    pub(super) exchange: &'c Exchange,
    /// The body of the response; null if it is not JSON.
    pub(super) answer: &'c Value,
}

impl<'c> Case<'c> {
    pub(super) fn new(
        findings: &'c mut Findings,
        place: &'c str,
        exchange: &'c Exchange,
        answer: &'c Value,
    ) -> Self {
        Case {
            findings,
            place,
            exchange,
            answer,
        }
    }

    pub(super) fn confirm(&mut self, decision: &'static str) {
        self.findings.confirm(decision);
    }

    pub(super) fn contradict(&mut self, decision: &'static str, difference: &str) {
        self.findings
            .contradict(decision, difference, self.place, self.exchange);
    }

    pub(super) fn decide(&mut self, decision: &'static str, holds: bool, difference: &str) {
        match holds {
            true => self.confirm(decision),
            false => self.contradict(decision, difference),
        }
    }

    /// Counts a value of a body without the credentials of the exchange.
    pub(super) fn value(&mut self, kind: Kind, value: &str) {
        let value = Secrets::new(self.exchange).text(value);
        self.findings.value(kind, &value);
    }

    /// Returns the body of the request, which may be empty.
    pub(super) fn request(&self) -> &[u8] {
        self.exchange.request.body.bytes().unwrap_or_default()
    }

    /// Returns the body of the response, which may be empty.
    pub(super) fn response(&self) -> &[u8] {
        self.exchange.response.body.bytes().unwrap_or_default()
    }

    /// Returns a member of the answer that is a text.
    pub(super) fn text(&self, member: &str) -> Option<&str> {
        self.answer.get(member)?.as_str()
    }
}
