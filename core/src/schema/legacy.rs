//! §9.2 as a table: every line of the change history, which bodies are carried over by.

use crate::json::{Field, JsonStr, JsonType, ObjectSchema};

use crate::util::string_enum::string_enum;

string_enum! {
    /// How a member changed.
    ChangeKind {
        /// The same value under another name.
        Renamed = "renamed",
        /// The same value in another object.
        Moved = "moved",
        /// Left out.
        Removed = "removed",
        /// New, with a value that does not depend on the body.
        Added = "added",
        /// Made from other members.
        Derived = "derived",
    }
}

/// What a line of §9.2 is about.
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
    /// What it is about.
    pub part: Part,
    /// The name in the earlier interface, if it had one.
    pub legacy: Option<&'static str>,
    /// The name in the current interface, if it has one.
    pub current: Option<&'static str>,
    /// What happened: renamed, derived, removed or added.
    pub kind: ChangeKind,
}

/// Declares the lines about one part, and an index of the earlier names for the two parts that bodies are made of.
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

// `description` was among the earlier members and is a current one again (§2.2). `system` stands in the table of §2.2
// itself (D4) and is listed here for whoever carries a body over.
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

// `type` and `method` hold payment_type and subtype; a body's values tell which is which.
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

/// Every line of §9.2, part by part.
pub fn lines() -> impl Iterator<Item = &'static Line> {
    ROUTES.iter().chain(&REQUEST).chain(&REQUEST_ADDED).chain(&RESPONSE).chain(&RESPONSE_ADDED)
}

/// The card's member that is gone.
pub(crate) const PAYER_ACCOUNT: &str = "payer_account";

/// The line about an earlier request's member at the top of the body.
pub(crate) fn request_line(name: JsonStr<'_>) -> Option<&'static Line> {
    REQUEST.get(REQUEST_INDEX.find(name)?.0)
}

/// The line about an earlier response's member.
pub(crate) fn response_line(name: JsonStr<'_>) -> Option<&'static Line> {
    RESPONSE.get(RESPONSE_INDEX.find(name)?.0)
}

/// The lines about the members of an earlier response.
pub(crate) fn response_lines() -> impl Iterator<Item = &'static Line> {
    RESPONSE.iter()
}

/// Whether responses got the member only now. `info` they had under the same name, as a string.
pub(crate) fn is_new_in_responses(name: &str) -> bool {
    name != "info" && RESPONSE_ADDED.iter().any(|line| line.current == Some(name))
}

/// Whether a request's stray member is of the earlier interface: its successor, if it has one.
pub(crate) fn request_member(schema: &'static ObjectSchema, name: JsonStr<'_>) -> Option<Option<&'static str>> {
    match schema.pointer {
        "" => request_line(name).map(|line| line.current),
        "/pay_in_details/card" if name.is(PAYER_ACCOUNT) => Some(None),
        _ => None,
    }
}

/// Whether a payment's stray member is of the earlier interface: its successor, if it has one.
pub(crate) fn response_member(name: JsonStr<'_>) -> Option<Option<&'static str>> {
    response_line(name).map(|line| line.current)
}
