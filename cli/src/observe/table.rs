//! The decisions that traffic confirms or contradicts.

/// How a decision shows in traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// The observation that confirms the decision, and contradicts it if it is otherwise.
    Traffic(&'static str),
    /// The reason why no traffic shows it.
    None(&'static str),
}

/// A decision in traffic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observable {
    pub(super) decision: &'static str,
    pub(super) evidence: Evidence,
    /// The setting of the policy that a contradiction infers, if there is one.
    pub(super) setting: Option<&'static str>,
}

macro_rules! observable {
    ($($id:literal $kind:ident $text:literal $(=> $setting:literal)?;)*) => {
        /// Each decision of the register, with its observation and its setting.
        pub(super) static OBSERVABLE: &[Observable] = &[
            $(Observable {
                decision: $id,
                evidence: Evidence::$kind($text),
                setting: observable!(@ $($setting)?),
            }),*
        ];
    };
    (@ $setting:literal) => { Some($setting) };
    (@) => { None };
}

const LEGACY: &str = "the traffic of the current interface contains no message of the legacy API";

impl Observable {
    /// Returns the reason why no traffic shows the decision.
    pub(super) fn reason(&self) -> Option<&'static str> {
        match self.evidence {
            Evidence::Traffic(_) => None,
            Evidence::None("") => Some(LEGACY),
            Evidence::None(reason) => Some(reason),
        }
    }
}

observable! {
    "D1" Traffic "a payment has its nullable members, and null in no other";
    "D2" Traffic "info has a type, which is card, sbp, or crypto";
    "D3" Traffic "a payment that failed has a text in fail_by";
    "D4" Traffic "a request with system is accepted" => "severity.legacy_member";
    "D5" Traffic "a request without a required member is rejected; one without another member is accepted" => "required";
    "D6" Traffic "a value in another format is rejected; a warning is accepted" => "severity";
    "D7" Traffic "a payment is in a state that it can reach from the state before";
    "D8" Traffic "a repeated Idempotency-Key leads to the same payment, and an invalid one to 400";
    "D9" Traffic "the balance is an object with cur";
    "D10" Traffic "a 401 has the header WWW-Authenticate with the scheme Bearer";
    "D11" Traffic "a callback has the headers of Standard Webhooks; one to a private host is accepted" => "severity.uri_private_host";
    "D12" Traffic "an error is a problem of RFC 9457 with code and retryable; the status is 422, 400 without JSON" => "invalid_request_status";
    "D13" Traffic "a payment that failed has a text in fail_code";
    "D14" Traffic "a body, text, or amount over its limit is rejected, and no other";
    "D15" Traffic "time_to_complete_payment is accepted from 1 to 2^53-1";
    "D16" Traffic "a request with a member of the legacy API is accepted" => "severity.legacy_member";
    "D17" Traffic "a pay-in of mode CRYPTO without subtype is accepted" => "required";
    "D18" Traffic "a repetition within one second has the first answer; a later one is a conflict";
    "D19" Traffic "a final state is left for cancel, chargeback, or correction only";
    "D20" Traffic "amounts in USDT have 6 fraction digits" => "crypto.scale";
    "D21" Traffic "the amounts of a payment add up";
    "D22" Traffic "info contains the card number with the first six and the last four digits";
    "D23" Traffic "an expiry_year of two digits is accepted" => "severity.expiry_year_two_digits";
    "D24" Traffic "a charge has more fraction digits than its currency";
    "D25" None "";
    "D26" Traffic "paid_amount is above zero if a payment is completed, and less than the amount if it is not_fully";
    "D27" Traffic "a merchant_id that looks like a card number is repeated unchanged";
    "D28" Traffic "a request without a merchant_id is accepted" => "required";
    "D29" Traffic "another body under a used key is answered with 409; a conflict has the uid if the body is the same";
    "D30" Traffic "a payment has the merchant_id of its request";
    "D31" Traffic "an empty text is accepted" => "severity.text_empty";
    "D32" None "";
    "D33" None "";
    "D34" Traffic "a payment in a withdrawn currency can be read";
}

#[cfg(test)]
mod tests {
    use super::*;
    use payspec::DECISIONS;

    #[test]
    fn contains_each_decision_once() {
        let ids = OBSERVABLE.iter().map(|row| row.decision);
        assert!(ids.eq(DECISIONS.iter().map(|decision| decision.id)));
    }

    /// A setting is one that the register names for the decision, or a part of it.
    #[test]
    fn settings_are_those_of_the_register() {
        for (row, decision) in OBSERVABLE.iter().zip(DECISIONS) {
            let Some(setting) = row.setting else { continue };
            let is_named = |known: &&str| setting.starts_with(*known);
            assert!(decision.changed_by.iter().any(is_named), "{}", row.decision);
        }
    }
}
