//! Writing of the policy's JSON form. `Policy::from_json` reads it back as the same policy, without the fingerprint key.

use alloc::string::String;
use alloc::vec::Vec;

use super::{AmountBounds, Limits, Policy, Transitions};
use crate::json::writer::{Writer, into_text};
use crate::money::{Amount, Currency};
use crate::report::code::Code;
use crate::types::state::State;

impl Policy {
    /// Returns the JSON form as text, like [`Policy::write_json`].
    pub fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write_json(&mut out);
        into_text(out)
    }

    /// Appends the JSON form, including default values. The fingerprint key is never written: its member is null, so set
    /// `fingerprint_key` again before you build an engine from this form.
    ///
    /// ```
    /// use payspec::Policy;
    ///
    /// let policy = Policy::from_json(br#"{"fingerprint_key":"00ff"}"#)?;
    /// assert!(policy.to_json().contains(r#""fingerprint_key":null"#));
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("severity").object(|w| {
                for (code, severity) in &self.severity {
                    w.name(Code::name(*code)).string(severity.name());
                }
            });
            w.name("required").strings(self.required.iter().map(String::as_str));
            w.name("limits").object(|w| write_limits(&self.limits, w));
            if let Some(currencies) = &self.currencies {
                w.name("currencies").strings(currencies.iter().copied().map(Currency::code));
            }
            w.name("urls").object(|w| w.name("schemes").strings(self.urls.schemes.iter().map(String::as_str)));
            w.name("crypto").object(|w| {
                w.name("scale").integer(self.crypto.scale);
                w.name("rounding").string(self.crypto.rounding.name());
                w.name("max_quote_age_ms").integer(self.crypto.max_quote_age_ms);
            });
            w.name("idempotency").object(|w| w.name("window_ms").integer(self.idempotency.window_ms));
            w.name("invalid_request_status").integer(self.invalid_request_status.status());
            w.name("fingerprint_key").null();
            w.name("transitions");
            match &self.transitions {
                Transitions::Open => w.string("open"),
                Transitions::Conventional => w.string("conventional"),
                Transitions::List(pairs) => w.array(|w| {
                    pairs.iter().for_each(|(from, to)| w.strings([State::name(*from), State::name(*to)]));
                }),
            }
        });
    }
}

fn write_limits(limits: &Limits, w: &mut Writer<'_>) {
    w.name("body_bytes").integer(limits.body_bytes);
    w.name("depth").integer(limits.depth);
    w.name("violations").integer(limits.violations);
    w.name("text_chars").integer(limits.text_chars);
    w.name("description_chars").integer(limits.description_chars);
    w.name("uri_bytes").integer(limits.uri_bytes);
    w.name("amount").object(|w| {
        for (currency, AmountBounds { min, max }) in &limits.amount {
            w.name(currency.code()).object(|w| {
                bound("min", *min, w);
                bound("max", *max, w);
            });
        }
    });
    w.name("time_to_complete_payment").object(|w| {
        w.name("min").integer(limits.time_to_complete_payment.min);
        w.name("max").integer(limits.time_to_complete_payment.max);
    });
}

fn bound(name: &str, amount: Option<Amount>, w: &mut Writer<'_>) {
    if let Some(amount) = amount {
        w.name(name).plain(|out| amount.write_text(out));
    }
}
