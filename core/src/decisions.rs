//! The decision register: what the specification leaves open, what the library does, and how a
//! caller changes it.
//!
//! D1 to D16 are the items that the specification marks as "not shown", in its order. From D17 on,
//! the entries are gaps that it does not name. Violations cite the register as their source.

use alloc::vec::Vec;

use crate::json::writer::Writer;

/// One decision.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Decision {
    /// `D1`, `D2`, …; never reused.
    pub id: &'static str,
    /// The section of the specification that leaves it open.
    pub source: &'static str,
    /// The open question.
    pub open: &'static str,
    /// The behavior of the library.
    pub decision: &'static str,
    /// The policy members, or other inputs, that change it; empty if it cannot be changed.
    pub changed_by: &'static [&'static str],
}

macro_rules! decisions {
    ($($id:literal $source:literal [$($member:literal),*] $open:literal $decision:literal;)*) => {
        /// The register, in order.
        ///
        /// ```
        /// use payspec::DECISIONS;
        ///
        /// let decision = DECISIONS.iter().find(|decision| decision.id == "D7").expect("a number of the register");
        /// assert_eq!((decision.source, decision.changed_by), ("§3", &["transitions"][..]));
        /// ```
        pub static DECISIONS: &[Decision] = &[
            $(Decision { id: $id, source: $source, open: $open, decision: $decision, changed_by: &[$($member),*] },)*
        ];
    };
}

decisions! {
    "D1" "§2.1" [] "When optional fields of a payment are omitted or null."
        "A nullable member is always present. A member without a value is absent if it cannot be null. receipts is an empty array.";
    "D2" "§2.1" [] "The keys of info beyond type and a masked card_number."
        "info has type (card, sbp or crypto), card_number in its mask if there is a card number, and the members of info in the context of create_payment. Stored payments may have other keys.";
    "D3" "§2.1" ["advance_payment: fail_by"] "The values of fail_by."
        "Any text; the caller supplies it with the transition to fail.";
    "D4" "§2.2" ["severity.legacy_member"] "Whether the creation request accepts system."
        "It is a member of the legacy API: reported as a warning, otherwise ignored.";
    "D5" "§2.2" ["required", "severity.missing"] "Which request fields are required beyond those marked."
        "payment_type, amount and cur always; mode and subtype as marked. A policy may require any other field, in the variant that has it; a member of a nested object is required only if that object is present. A null counts as absent.";
    "D6" "§2.2" ["severity", "limits", "currencies", "urls.schemes"] "Formats and bounds of request fields."
        "The formats are those of the rules: plain decimals, ISO 4217, RFC 3986, E.164, Luhn. UnionPay has issued card numbers without a check digit, which are a warning. A number is an integer by its value, so 3600.0 and 36e2 are integers. A duplicate member is an error, and its first value counts; unknown members are warnings.";
    "D7" "§3" ["transitions"] "The transitions between states."
        "Under open, transitions to idle are refused. A final state can change only to cancel, chargeback, or correction, and none of these to routed. Every other transition is unspecified and possible. The same state again is unchanged under every policy, unless the policy names that pair.";
    "D8" "§4.1" ["create_payment: idempotency", "fingerprint_key"] "How the idempotency key is supplied."
        "The caller reads it from the header Idempotency-Key: 1 to 255 visible ASCII characters. A value that begins with a quote is a string of RFC 8941, whose parameters are ignored, so x and \"x\" are one key. Requests are compared by a fingerprint: SHA-256 of the canonical body without security codes, with card numbers masked unless the policy has a key. amount and time_to_complete_payment are always included as written. A null in a member of the request and host2host false mean the same as an absent member.";
    "D9" "§4.3" ["read_balance: balance"] "Parameters, other fields and errors of the balance endpoint."
        "No parameters. The caller's object has at least cur and is returned unchanged. The status is 401 without a valid credential.";
    "D10" "§5" ["create_payment: authorization", "read_payment: authorization", "read_balance: authorization"] "How an access token is obtained, its lifetime and scopes."
        "The library checks the grammar of the header (RFC 6750 §2.1); the caller decides if the token is accepted, or states checked_by_caller.";
    "D11" "§6" ["severity.uri_private_host"] "What is sent to the callback address, when, signed how, retried how."
        "The library sends nothing; sign_webhook and verify_webhook follow Standard Webhooks, with shared secrets and with keys of Ed25519. webhooks in the OpenAPI document describes the callback that the gateway sends. A callback to a private host is reported as a warning: an address that is not public, a name without a dot, or a name of a private network such as *.local, *.lan, or *.svc.";
    "D12" "§7" ["invalid_request_status"] "The shape of error bodies and the codes for invalid input."
        "RFC 9457 problems with a code. retryable is true if the same request can succeed later without a change. Invalid input is 422, malformed JSON 400, an oversized body 413.";
    "D13" "§7" ["advance_payment: fail_code"] "The values of fail_code."
        "Any text; the caller supplies it with the transition to fail.";
    "D14" "§8" ["limits"] "Amount bounds, rate limits, body size limits."
        "Amounts have at most 18 digits on either side of the point, and no other bounds. A sum or a conversion may have 28 digits; check_payment reports more than 18. Bodies have up to 65536 bytes and 16 levels, texts up to 255 characters, descriptions 1024, and addresses 2048 bytes. Rate limits are up to the caller.";
    "D15" "§8" ["limits.time_to_complete_payment"] "The unit and bounds of time_to_complete_payment."
        "An integer from 1 to 2^53-1; the caller defines its unit.";
    "D16" "§9.3" ["severity.legacy_member"] "The deprecation policy and its dates."
        "Members of the legacy API are reported as warnings with their successors; the upgrade and downgrade operations migrate bodies.";
    "D17" "§2.2" ["required"] "subtype is required in both variants, but the CRYPTO example omits it."
        "A pay-in of mode CRYPTO may omit subtype; every other request must have it.";
    "D18" "§8" ["idempotency.window_ms"] "How the window of more than 1 second is measured."
        "The age is now minus the time of the first payment, to the nanosecond. An age of exactly one second is within the window. So is a negative age, without bound: a record from the future is replayed. Within the window, the response to a repeated request is the first payment.";
    "D19" "§3" ["transitions"] "Whether a final state can be left."
        "It can be left for cancel, chargeback, and correction, which describe a later movement of the money, but not for routed, completed, not_fully, or fail.";
    "D20" "§1.4" ["crypto"] "The scale and rounding of amounts in USDT."
        "Amount and charges are each divided by the rate and rounded once, half even, to 6 fraction digits. A quote may be up to 60 s old, and up to 5 s in the future.";
    "D21" "§2.1" [] "How the amounts of a payment are related."
        "amount and gross_amount are the amount. total adds fee and commission; net_processed subtracts them and is never negative. shared_commission is a part of commission. In USDT, the sums are computed from the rounded parts, so that they are exact; the rounded parts also decide if the charges exceed the amount.";
    "D22" "§2.1" [] "How a card number is masked."
        "The first six and the last four digits stay, with a star for each digit between them. Of a number with fewer than 15 digits, only as many first digits stay that five are hidden: five of 14, four of 13, three of 12. A value too short for a card number keeps its first two digits. A value that is not a number becomes six stars, or in card_info one star for each of up to 19 characters.";
    "D23" "§2.2" ["severity.expiry_year_two_digits"] "The century of a two-digit year."
        "0 to 99 are read as 2000 to 2099, with a warning. A card expires when its month has ended everywhere on Earth.";
    "D24" "§2.1" ["create_payment: charges"] "Charges with more fraction digits than the currency has."
        "They are written with all their digits; the library does not round them.";
    "D25" "§9.2" [] "Which booleans of the legacy API correspond to which state."
        "completed and correction: completed and succeeded; not_fully: partially completed; fail, cancel and chargeback: completed, not succeeded; idle and routed: all false. A status that names a state counts if the given booleans agree.";
    "D26" "§3" ["advance_payment"] "What a change of state does to the amounts."
        "completed sets paid_amount to the amount, unless the caller supplies any amount greater than zero. not_fully requires a paid_amount greater than zero and less than the amount. correction may set the amount, and the sums are recomputed. fail requires fail_by and fail_code, which completed, not_fully, idle, and routed clear. No transition clears paid_at or paid_amount.";
    "D27" "§2.1" ["severity.card_number_in_text"] "Identifiers and addresses that contain a likely card number."
        "A payment contains the client's merchant_id and redirect_url unchanged, except that a card number from the body is masked in them. Masking every number that looks like a card number would break order numbers. card_number_in_text reports such identifiers; redact masks both in logs. UUIDs, IBANs, times, and series of small numbers are no card numbers.";
    "D28" "§2.1" ["required", "create_payment: merchant_id", "create_payment: allowed_merchant_ids", "severity.missing", "severity.merchant_not_allowed"] "Which merchant a payment belongs to, and a payment without a merchant_id."
        "The merchant_id of the body is used; without it, that of the context. If the context lists allowed_merchant_ids, another merchant_id in the body is merchant_not_allowed. A payment without a merchant_id can be created; check_payment reports it as missing, because §2.1 requires it. List the member in required to enforce it on requests, and set severity.text_empty to error, because an empty text satisfies required.";
    "D29" "§7" ["idempotency.window_ms"] "Another body under a used idempotency key, within the window."
        "The response is 409 idempotency_key_reused, because the client would otherwise take the first payment for the second one. After the window, the response to every body is 409 idempotency_conflict, as §4.1 requires; if the body is the same, the problem contains the uid of the payment. A repeated request within the window is not validated again.";
    "D30" "§2.2" ["create_payment: merchant_id", "create_payment: allowed_merchant_ids"] "A merchant_id in the body that is not the merchant of the credential."
        "The merchant_id of the body is repeated in the payment and takes precedence over the caller's. The caller decides which merchant a credential belongs to, and rejects other merchants with allowed_merchant_ids.";
    "D31" "§2.2" ["severity.text_empty"] "Whether a text may be empty."
        "An empty text is a warning, and create_payment treats the member as absent. In required, an empty text counts as given.";
    "D32" "§9.2" [] "Which of the legacy members type and method was the subtype, and which the payment_type."
        "§9.2 lists its pairs in order, so downgrade_payment writes type = subtype and method = payment_type. upgrade_payment recognizes both by their values. A value that is in neither list belongs to the member that the other value does not name. If both name the same member, the order decides and the other one is unresolved; if neither names a member, both are unresolved.";
    "D33" "§9.2" [] "How requests are migrated if only one API has a member."
        "upgrade_request returns an idempotency_key that the header Idempotency-Key can have beside the body; any other value except null is unresolved. downgrade_request removes the members that the legacy API does not have. The values CRYPTO of mode, true of host2host, and an unknown payment_type, which selects the legacy endpoint, are also unresolved.";
    "D34" "§2.1" ["severity.currency_withdrawn"] "A stored payment in a currency that ISO 4217 has withdrawn."
        "It stays valid, with the warning currency_withdrawn, and can be moved to another state. Its amounts may have any number of fraction digits, because ISO 4217 lists no minor unit of such a currency. In a request, the code is unknown.";
}

/// Appends the answer of `decisions`.
pub(crate) fn write_decisions(out: &mut Vec<u8>) {
    Writer::new(out).object(|w| {
        w.name("decisions").array(|w| {
            for decision in DECISIONS {
                w.object(|w| {
                    w.name("id").string(decision.id);
                    w.name("source").string(decision.source);
                    w.name("open").string(decision.open);
                    w.name("decision").string(decision.decision);
                    w.name("changed_by")
                        .strings(decision.changed_by.iter().copied());
                });
            }
        });
    });
}
