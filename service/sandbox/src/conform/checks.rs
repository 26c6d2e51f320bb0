//! The checks, each with the section of the specification that it examines.

mod authorization;
mod errors;
mod idempotency;
mod money;
mod payment;
mod policy;
mod versions;

use super::check::Check;

macro_rules! checks {
    ($($section:literal $name:literal $about:literal $run:path $(, $decision:literal)? $(where $setting:literal)?;)*) => {
        pub(super) static CHECKS: &[Check] = &[$(Check {
            name: $name,
            section: $section,
            about: $about,
            decision: checks!(@ $($decision)?),
            setting: checks!(@ $($setting)?),
            run: $run,
        }),*];
    };
    (@ $text:literal) => { Some($text) };
    (@) => { None };
}

checks! {
    "§1" "json_content_type" "Bodies are JSON, with Content-Type: application/json." payment::json_content_type;
    "§1" "h2h_url" "In host-to-host mode, url is null." payment::h2h_url;
    "§1" "h2h_info" "In host-to-host mode, info holds the details." payment::h2h_info;
    "§1" "crypto_currency" "In mode CRYPTO, currency is USDT." money::crypto_currency;
    "§1" "crypto_amounts" "In mode CRYPTO, the processed amounts are converted." money::crypto_amounts;
    "§1" "crypto_requested" "In mode CRYPTO, requested_amount, requested_currency, and client_amount stay in fiat." money::crypto_requested;
    "§1" "crypto_scale" "In mode CRYPTO, the amount has the fraction digits of the policy." money::crypto_scale, "D20" where "/crypto/scale";
    "§1" "fiat_currency" "In other modes, currency and amount are those of the request." money::fiat_currency;
    "§2.1" "creation_members" "A creation response contains at least the members that §2.1 lists." payment::creation_members;
    "§2.1" "crypto_members" "A creation response in mode CRYPTO contains requested_amount and requested_currency." payment::crypto_members;
    "§2.1" "types" "Each member has the type of §2.1." payment::types;
    "§2.1" "uid" "uid is a UUID, and unique." payment::uid;
    "§2.1" "echo" "payment_type, subtype, merchant_id, and the requested amount are those of the request." payment::echo;
    "§2.1" "info_without_h2h" "Without host-to-host mode, info is null." payment::info_without_h2h;
    "§2.1" "masked_card" "info holds the card number masked." payment::masked_card;
    "§2.1" "no_card_data" "No answer contains a full card number or a security code." payment::no_card_data;
    "§2.1" "same_members" "Creation and status have the same members." payment::same_members;
    "§2.1" "stable_members" "The members that no state changes are the same in creation and status." payment::stable_members;
    "§2.1" "amount_identities" "total, net_processed, and gross_amount follow from the amount and the charges." money::identities, "D21";
    "§2.1" "mask" "The mask shows the first six and the last four digits." payment::mask, "D22";
    "§2.1" "nullable_members" "A member that may be null is present; another one without a value is absent." payment::nullable_members, "D1";
    "§2.2" "required_subtype" "A request without subtype is not accepted." errors::required_subtype;
    "§2.2" "required_mode" "A pay-out without mode is not accepted." errors::required_mode;
    "§2.2" "payment_type_values" "payment_type is pay_in or pay_out." errors::payment_type_values;
    "§2.2" "mode_values" "mode is P2P, ACQUIRING, or CRYPTO." errors::mode_values;
    "§2.2" "required_members" "A request without payment_type, amount, or cur is not accepted." errors::required_members, "D5";
    "§2.2" "amount_formats" "An amount is a decimal string above zero, with the fraction digits of its currency." errors::amount_formats, "D6";
    "§2.2" "currencies" "cur is a currency of ISO 4217." errors::currencies, "D6";
    "§2.2" "unknown_members" "An unknown member is accepted." errors::unknown_members, "D6";
    "§2.2" "policy" "The requests that the policy decides otherwise than the default are answered by it." policy::decisions where "";
    "§3" "idle" "A new payment is idle." payment::idle;
    "§3" "not_paid" "A new payment has neither paid_at nor fail_by." payment::not_paid;
    "§3" "states" "state is one of the eight states." payment::states;
    "§3" "consistent_state" "state, paid_at, and the failure agree." payment::consistent_state;
    "§4.1" "creates" "Each kind of request is answered with 201 and a payment." payment::creates;
    "§4.2" "reads" "The status of a payment is answered with 200 and this payment." payment::reads;
    "§4.2" "unknown_payment" "The status of an unknown uid is answered with 404." errors::unknown_payment;
    "§4.2" "no_uid" "The status of a text that is not a UUID is answered with 404." errors::no_uid, "D12";
    "§4.3" "balance" "The balance is answered with 200." money::balance;
    "§4.3" "balance_currency" "The balance has the member cur, with the code of a currency." money::balance_currency;
    "§4.3" "balance_legacy" "The balance has no member of the legacy API." money::balance_legacy;
    "§5" "missing_credential" "A request without a credential is answered with 401." authorization::missing;
    "§5" "other_scheme" "A credential with another scheme than Bearer is answered with 401." authorization::other_scheme;
    "§5" "unknown_token" "An unknown token is answered with 401." authorization::unknown_token;
    "§5" "challenge" "A 401 has the header WWW-Authenticate with the scheme Bearer." authorization::challenge, "D10";
    "§7" "client_errors" "A request that is not accepted is answered with a status of 400 to 499." errors::client_errors;
    "§7" "problems" "An error has a body of RFC 9457, with type, title, status, and code." errors::problems, "D12";
    "§7" "retryable" "An error has retryable: false if the same request cannot succeed later." errors::retryable, "D12";
    "§7" "invalid_request_status" "An invalid body is answered with the status of the policy, and lists its violations." errors::invalid_request, "D12" where "/invalid_request_status";
    "§7" "malformed_json" "A body that is not JSON is answered with 400." errors::malformed_json, "D12";
    "§7" "key_reused" "Another body under a used key is answered with 409." idempotency::reused, "D29";
    "§8" "window_inside" "A repetition within a second is not a conflict, and makes no second payment." idempotency::inside;
    "§8" "window_outside" "A repetition after more than a second is answered with 409." idempotency::outside;
    "§8" "window_keeps_payment" "A conflict leaves the first payment as it is." idempotency::keeps_payment;
    "§8" "other_key" "Another key makes another payment." idempotency::other_key;
    "§8" "without_key" "Requests without a key make a payment each." idempotency::without_key;
    "§8" "replay" "A repetition within the window has the first answer, byte for byte." idempotency::replay, "D8";
    "§8" "conflict_uid" "A conflict has the uid of the payment if the body is the same." idempotency::conflict_uid, "D29";
    "§8" "conflict_without_uid" "A conflict has no uid if the body is another one." idempotency::conflict_without_uid, "D29";
    "§8" "quoted_key" "A key in quotes is the same key without them." idempotency::quoted, "D8";
    "§8" "invalid_key" "A key that is not visible ASCII is answered with 400." idempotency::invalid, "D8";
    "§8" "body_size" "A body over the limit of the policy is answered with 413." errors::body_size, "D14" where "/limits/body_bytes";
    "§9" "removed_endpoints" "The endpoints of the legacy API are gone." versions::removed_endpoints;
    "§9" "legacy_members" "No payment has a member of the legacy API." versions::legacy_members;
    "§9" "info_object" "info is an object or null." versions::info_object;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_decisions_exist() {
        let mut names = HashSet::new();
        for check in CHECKS {
            assert!(names.insert(check.name), "{}", check.name);
            assert!(
                check.about.ends_with('.') && check.section.starts_with('§'),
                "{}",
                check.name
            );
            let is_known = |id: &str| payspec::DECISIONS.iter().any(|decision| decision.id == id);
            assert!(check.decision.is_none_or(is_known), "{}", check.name);
        }
    }

    /// The report lists the sections in their order.
    #[test]
    fn are_in_the_order_of_the_specification() {
        assert!(CHECKS.is_sorted_by_key(|check| check.section));
    }
}
