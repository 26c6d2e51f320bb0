//! The change history of §9.2 as a table, by which bodies are migrated.

use crate::json::{Field, JsonStr, JsonType, ObjectSchema};

use crate::util::string_enum::string_enum;

string_enum! {
    /// A kind of change to a member.
    ChangeKind {
        /// The same value under another name.
        Renamed = "renamed",
        /// The same value in another object.
        Moved = "moved",
        /// The member does not exist any more.
        Removed = "removed",
        /// The member is new, and its value does not depend on the body.
        Added = "added",
        /// The value is computed from other members.
        Derived = "derived",
    }
}

/// The part of the interface that a line of §9.2 describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// An endpoint.
    Endpoint,
    /// A parameter in the path of the status endpoint.
    Path,
    /// A member of the balance.
    Balance,
    /// A member of the creation request.
    Request,
    /// A member of the payer's card in the creation request.
    Card,
    /// A member of the payment.
    Response,
}

/// One line of §9.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The part of the interface.
    pub part: Part,
    /// The name in the legacy API, if it had one.
    pub legacy: Option<&'static str>,
    /// The name in the current API, if it has one.
    pub current: Option<&'static str>,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// Declares the lines of a part that bodies consist of, and an index of its legacy names.
macro_rules! lines {
    ($name:ident $index:ident $part:ident { $($pointer:literal => $kind:ident $current:expr;)* }) => {
        static $name: [Line; [$($pointer),*].len()] = [
            $(Line {
                part: Part::$part,
                legacy: Some(Field::new($pointer, JsonType::Any).name),
                current: $current,
                kind: ChangeKind::$kind,
            },)*
        ];
        static $index: ObjectSchema = ObjectSchema::new("", 0, &[$(Field::new($pointer, JsonType::Any)),*]);
    };
}

const fn line(part: Part, legacy: Option<&'static str>, current: Option<&'static str>, kind: ChangeKind) -> Line {
    Line { part, legacy, current, kind }
}

const fn added(part: Part, name: &'static str) -> Line {
    line(part, None, Some(name), ChangeKind::Added)
}

const NEW: Option<&str> = Some("POST /v1/payments/new");

static ROUTES: [Line; 4] = [
    line(Part::Endpoint, Some("POST /v1/payments/pay_in"), NEW, ChangeKind::Renamed),
    line(Part::Endpoint, Some("POST /v1/payments/pay_out"), NEW, ChangeKind::Renamed),
    line(Part::Path, Some("psp_payment_id"), Some("uid"), ChangeKind::Renamed),
    line(Part::Balance, Some("currency"), Some("cur"), ChangeKind::Renamed),
];

// `description` was a legacy member and is a current member again (§2.2). `system` is in the table of §2.2 itself (D4) and
// is listed here for the migration of bodies.
lines! { REQUEST REQUEST_INDEX Request {
    "/credentials" => Renamed Some("pay_in_details");
    "/recipient_credentials" => Renamed Some("pay_out_details");
    "/currency" => Renamed Some("cur");
    "/return_url" => Renamed Some("redirect_url");
    "/idempotency_key" => Removed None;
    "/widget" => Removed None;
    "/campaign_key" => Removed None;
    "/traffic_type" => Removed None;
    "/payer_email" => Removed None;
    "/payer_title" => Removed None;
    "/recipient_account" => Removed None;
    "/recipient_email" => Removed None;
    "/system" => Removed None;
} }

static REQUEST_ADDED: [Line; 9] = [
    line(Part::Card, Some(PAYER_ACCOUNT), None, ChangeKind::Removed),
    added(Part::Request, "payment_type"),
    added(Part::Request, "merchant_id"),
    added(Part::Request, "user_id"),
    added(Part::Request, "user_name"),
    added(Part::Request, "mode"),
    added(Part::Request, "subtype"),
    added(Part::Request, "host2host"),
    added(Part::Request, "description"),
];

// `type` and `method` hold `payment_type` and `subtype`; the values of a body determine which holds which.
lines! { RESPONSE RESPONSE_INDEX Response {
    "/payment_id" => Renamed Some("uid");
    "/payment_url" => Renamed Some("url");
    "/status" => Derived Some("state");
    "/isCompleted" => Derived Some("state");
    "/isSucceed" => Derived Some("state");
    "/isPartiallyCompleted" => Derived Some("state");
    "/is_completed" => Derived Some("state");
    "/is_succeed" => Derived Some("state");
    "/is_partially_completed" => Derived Some("state");
    "/type" => Renamed Some("payment_type");
    "/method" => Renamed Some("subtype");
    "/payed_amount" => Renamed Some("paid_amount");
    "/cur" => Renamed Some("currency");
    "/created_at" => Renamed Some("created_date");
    "/payed_at" => Renamed Some("paid_at");
    "/idempotency_key" => Removed None;
    "/gross_processed" => Removed None;
    "/credentials" => Removed None;
} }

static RESPONSE_ADDED: [Line; 4] = [
    added(Part::Response, "requested_amount"),
    added(Part::Response, "requested_currency"),
    added(Part::Response, "client_amount"),
    added(Part::Response, "info"),
];

/// Returns every line of §9.2, part by part.
pub fn lines() -> impl Iterator<Item = &'static Line> {
    ROUTES.iter().chain(&REQUEST).chain(&REQUEST_ADDED).chain(&RESPONSE).chain(&RESPONSE_ADDED)
}

/// The removed member of the card.
pub(crate) const PAYER_ACCOUNT: &str = "payer_account";

/// Returns the line of a legacy member at the top level of a request.
pub(crate) fn request_line(name: JsonStr<'_>) -> Option<&'static Line> {
    REQUEST.get(REQUEST_INDEX.find(name)?.0)
}

/// Returns the line of a legacy member of a response.
pub(crate) fn response_line(name: JsonStr<'_>) -> Option<&'static Line> {
    RESPONSE.get(RESPONSE_INDEX.find(name)?.0)
}

/// Returns the lines of the legacy members of a response.
pub(crate) fn response_lines() -> impl Iterator<Item = &'static Line> {
    RESPONSE.iter()
}

/// Returns whether the member is new in responses. The legacy API had `info` under the same name, as a string.
pub(crate) fn is_new_in_responses(name: &str) -> bool {
    name != "info" && RESPONSE_ADDED.iter().any(|line| line.current == Some(name))
}

/// Returns `Some` if an unknown member of a request is a legacy member, with its successor if it has one.
pub(crate) fn request_member(schema: &'static ObjectSchema, name: JsonStr<'_>) -> Option<Option<&'static str>> {
    match schema.pointer {
        "" => request_line(name).map(|line| line.current),
        "/pay_in_details/card" if name.is(PAYER_ACCOUNT) => Some(None),
        _ => None,
    }
}

/// Returns `Some` if an unknown member of a payment is a legacy member, with its successor if it has one.
pub(crate) fn response_member(name: JsonStr<'_>) -> Option<Option<&'static str>> {
    response_line(name).map(|line| line.current)
}
