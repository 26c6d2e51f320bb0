//! The change history of §9.2 as a table, by which bodies are migrated.

use crate::json::{Field, JsonStr, JsonType, ObjectSchema};
use crate::schema::{payment, request};
use crate::types::legacy_flags::LegacyFlags;
use crate::util::string_enum::string_enum;

string_enum! {
    /// A kind of change to a member.
    #[non_exhaustive]
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

/// The part of the interface that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeTarget {
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

/// One change of §9.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldChange {
    /// The part of the interface.
    pub target: ChangeTarget,
    /// The name in the legacy API, if it had one.
    pub legacy: Option<&'static str>,
    /// The name in the current API, if it has one, or `Idempotency-Key header`.
    pub current: Option<&'static str>,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// The members of one body in both APIs.
#[derive(Debug)]
pub(crate) struct BodyChanges {
    /// The current members.
    pub(crate) current: &'static ObjectSchema,
    /// The legacy members, in the order of `changes`.
    legacy: &'static ObjectSchema,
    /// The changes of the legacy members, then those of all others.
    pub(crate) changes: &'static [FieldChange],
}

/// Declares the changes to the members of a body, and an index of their legacy names.
macro_rules! body_changes {
    (
        $name:ident $names:ident $target:ident $current:expr;
        legacy { $($pointer:expr => $kind:ident $successor:expr;)* }
        others [$($other:expr)?]
        added [$($added:literal),* $(,)?]
    ) => {
        /// The legacy names, apart from the changes, so that a build that only looks them up does
        /// not contain those.
        static $names: ObjectSchema = ObjectSchema::new("", 0, &[$(Field::new($pointer, JsonType::Any)),*]);
        pub(crate) static $name: BodyChanges = BodyChanges {
            current: $current,
            legacy: &$names,
            changes: &[
                $(change(
                    ChangeTarget::$target,
                    Some(Field::new($pointer, JsonType::Any).name),
                    $successor,
                    ChangeKind::$kind,
                ),)*
                $($other,)?
                $(change(ChangeTarget::$target, None, Some($added), ChangeKind::Added)),*
            ],
        };
    };
}

const fn change(
    target: ChangeTarget,
    legacy: Option<&'static str>,
    current: Option<&'static str>,
    kind: ChangeKind,
) -> FieldChange {
    FieldChange {
        target,
        legacy,
        current,
        kind,
    }
}

const NEW: Option<&str> = Some("POST /v1/payments/new");

static ROUTES: [FieldChange; 3] = [
    change(
        ChangeTarget::Endpoint,
        Some("POST /v1/payments/pay_in"),
        NEW,
        ChangeKind::Renamed,
    ),
    change(
        ChangeTarget::Endpoint,
        Some("POST /v1/payments/pay_out"),
        NEW,
        ChangeKind::Renamed,
    ),
    change(
        ChangeTarget::Path,
        Some("psp_payment_id"),
        Some("uid"),
        ChangeKind::Renamed,
    ),
];

static CURRENT_BALANCE: ObjectSchema =
    ObjectSchema::new("", 0, &[Field::new("/cur", JsonType::String)]);

body_changes! {
    BALANCE BALANCE_NAMES Balance &CURRENT_BALANCE;
    legacy {
        "/currency" => Renamed Some("cur");
    }
    others []
    added []
}

/// The successor of `idempotency_key` in a request, which is not a member of the body (D8).
pub(crate) const IDEMPOTENCY_KEY_HEADER: &str = "Idempotency-Key header";

// `system` is in the table of §2.2 itself (D4) and is listed here for the migration of bodies.
// `subtype` became required, and `description` was in the legacy API too.
body_changes! {
    REQUEST REQUEST_NAMES Request &request::REQUEST;
    legacy {
        "/credentials" => Renamed Some("pay_in_details");
        "/recipient_credentials" => Renamed Some("pay_out_details");
        "/currency" => Renamed Some("cur");
        "/return_url" => Renamed Some("redirect_url");
        "/idempotency_key" => Moved Some(IDEMPOTENCY_KEY_HEADER);
        "/widget" => Removed None;
        "/campaign_key" => Removed None;
        "/traffic_type" => Removed None;
        "/payer_email" => Removed None;
        "/payer_title" => Removed None;
        "/recipient_account" => Removed None;
        "/recipient_email" => Removed None;
        "/system" => Removed None;
    }
    others [change(ChangeTarget::Card, Some(PAYER_ACCOUNT), None, ChangeKind::Removed)]
    added ["payment_type", "merchant_id", "user_id", "user_name", "mode", "host2host"]
}

/// The pointer of the member that the state is derived from, beside the booleans.
pub(crate) const STATUS: &str = "/status";
const FLAGS: [[&str; 2]; 3] = LegacyFlags::POINTERS;

// `type` and `method` are in the order of §9.2 (D32). A payment is upgraded by their values.
body_changes! {
    PAYMENT PAYMENT_NAMES Response &payment::PAYMENT;
    legacy {
        "/payment_id" => Renamed Some("uid");
        "/payment_url" => Renamed Some("url");
        STATUS => Derived Some("state");
        FLAGS[0][0] => Derived Some("state");
        FLAGS[1][0] => Derived Some("state");
        FLAGS[2][0] => Derived Some("state");
        FLAGS[0][1] => Derived Some("state");
        FLAGS[1][1] => Derived Some("state");
        FLAGS[2][1] => Derived Some("state");
        "/type" => Renamed Some("subtype");
        "/method" => Renamed Some("payment_type");
        "/payed_amount" => Renamed Some("paid_amount");
        "/cur" => Renamed Some("currency");
        "/created_at" => Renamed Some("created_date");
        "/payed_at" => Renamed Some("paid_at");
        "/idempotency_key" => Removed None;
        "/gross_processed" => Removed None;
        "/credentials" => Removed None;
    }
    others []
    added ["requested_amount", "requested_currency", "client_amount", "info"]
}

/// Returns every change of §9.2, target by target.
pub fn changes() -> impl Iterator<Item = &'static FieldChange> {
    ROUTES
        .iter()
        .chain(BALANCE.changes)
        .chain(REQUEST.changes)
        .chain(PAYMENT.changes)
}

/// The removed member of the card.
pub(crate) const PAYER_ACCOUNT: &str = "payer_account";

/// The change of one legacy member.
#[derive(Clone, Copy)]
pub(crate) struct MemberChange {
    pub(crate) legacy: &'static Field,
    /// The current member; `None` if it was removed, or if its successor is a header.
    pub(crate) current: Option<&'static Field>,
    pub(crate) kind: ChangeKind,
}

impl BodyChanges {
    /// Returns the change of a member, by the schema of its object and its name, if it is of the
    /// legacy API.
    pub(crate) fn find(
        &'static self,
        object: &ObjectSchema,
        name: JsonStr<'_>,
    ) -> Option<&'static FieldChange> {
        if object.pointer.is_empty() {
            let (position, _) = self.legacy.find(name)?;
            return self.changes.get(position);
        }
        let is_of_card = object.pointer == request::CARD.pointer;
        self.changes
            .iter()
            .filter(|change| change.target == ChangeTarget::Card && is_of_card)
            .find(|change| change.legacy.is_some_and(|legacy| name.is(legacy)))
    }

    /// Returns the change of a legacy member.
    pub(crate) fn change(&'static self, name: JsonStr<'_>) -> Option<MemberChange> {
        let (position, legacy) = self.legacy.find(name)?;
        let change = self.changes.get(position)?;
        let current = change
            .current
            .and_then(|current| self.current.find(JsonStr::new(current, false)));
        Some(MemberChange {
            legacy,
            current: current.map(|(_, field)| field),
            kind: change.kind,
        })
    }

    /// Returns the changes of the legacy members that correspond to a current member.
    pub(crate) fn changes_of(
        &'static self,
        current: &str,
    ) -> impl Iterator<Item = (&'static Field, ChangeKind)> {
        let changes = self.changes.iter().zip(self.legacy.fields);
        changes
            .filter(move |(change, _)| change.current == Some(current))
            .map(|(change, field)| (field, change.kind))
    }

    /// Returns the legacy name of a current member that was renamed.
    pub(crate) fn legacy_name(&'static self, current: &str) -> Option<&'static Field> {
        self.changes_of(current)
            .find(|(_, kind)| *kind == ChangeKind::Renamed)
            .map(|(legacy, _)| legacy)
    }

    /// Returns whether the legacy API does not have the current member.
    pub(crate) fn is_added(&self, current: &str) -> bool {
        self.changes
            .iter()
            .any(|change| change.kind == ChangeKind::Added && change.current == Some(current))
    }

    /// Returns the position of a member in the current body. Unknown members follow all others.
    pub(crate) fn current_rank(&self, name: JsonStr<'_>) -> usize {
        self.current
            .find(name)
            .map_or(usize::MAX, |(position, _)| position)
    }

    /// Returns the position of a member in the legacy body, which is that of its current member.
    pub(crate) fn legacy_rank(&'static self, name: JsonStr<'_>) -> usize {
        let current = self.change(name).and_then(|change| change.current);
        self.current_rank(current.map_or(name, |field| JsonStr::new(field.name, false)))
    }
}
