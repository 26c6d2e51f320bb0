//! §9.2 as a table: each member of the earlier interface and what took its place.

use crate::read::{Field, Scope, Shape, Text};

/// What became of an earlier member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// Another name for the same thing.
    Renamed(&'static str),
    /// Its meaning went into another member.
    Derived(&'static str),
    /// Dropped without a successor.
    Removed,
}

impl Fate {
    pub(crate) fn successor(self) -> Option<&'static str> {
        match self {
            Fate::Renamed(name) | Fate::Derived(name) => Some(name),
            Fate::Removed => None,
        }
    }
}

/// A table of earlier members and an index to find them by.
struct Table {
    scope: Scope,
    fates: &'static [Fate],
}

impl Table {
    fn find(&'static self, name: Text<'_>) -> Option<Fate> {
        let (place, _) = self.scope.find(name)?;
        self.fates.get(place).copied()
    }
}

/// Declares a table: pointer of the earlier member, and its fate.
macro_rules! table {
    ($(#[$about:meta])* $name:ident { $($pointer:literal => $fate:expr),* $(,)? }) => {
        $(#[$about])*
        static $name: Table = Table {
            scope: Scope::new("", 0, &[$(Field::new($pointer, Shape::Any)),*]),
            fates: &[$($fate),*],
        };
    };
}

table! {
    /// Members of the earlier creation requests. `description` was among them and is a current member again (§2.2);
    /// `system` stands in the table of §2.2 itself (D4).
    REQUEST {
        "/credentials" => Fate::Renamed("pay_in_details"),
        "/recipient_credentials" => Fate::Renamed("pay_out_details"),
        "/currency" => Fate::Renamed("cur"),
        "/return_url" => Fate::Renamed("redirect_url"),
        "/idempotency_key" => Fate::Removed,
        "/widget" => Fate::Removed,
        "/campaign_key" => Fate::Removed,
        "/traffic_type" => Fate::Removed,
        "/payer_email" => Fate::Removed,
        "/payer_title" => Fate::Removed,
        "/recipient_account" => Fate::Removed,
        "/recipient_email" => Fate::Removed,
        "/system" => Fate::Removed,
    }
}

table! {
    /// Members of the earlier responses. `type` and `method` hold payment_type and subtype, told apart by their values.
    RESPONSE {
        "/payment_id" => Fate::Renamed("uid"),
        "/payment_url" => Fate::Renamed("url"),
        "/status" => Fate::Derived("state"),
        "/isCompleted" => Fate::Derived("state"),
        "/isSucceed" => Fate::Derived("state"),
        "/isPartiallyCompleted" => Fate::Derived("state"),
        "/is_completed" => Fate::Derived("state"),
        "/is_succeed" => Fate::Derived("state"),
        "/is_partially_completed" => Fate::Derived("state"),
        "/type" => Fate::Renamed("payment_type"),
        "/method" => Fate::Renamed("subtype"),
        "/payed_amount" => Fate::Renamed("paid_amount"),
        "/cur" => Fate::Renamed("currency"),
        "/created_at" => Fate::Renamed("created_date"),
        "/payed_at" => Fate::Renamed("paid_at"),
        "/idempotency_key" => Fate::Removed,
        "/gross_processed" => Fate::Removed,
        "/credentials" => Fate::Removed,
    }
}

/// The card's member that is gone.
pub(crate) const PAYER_ACCOUNT: &str = "payer_account";

/// Members that responses did not have before, in the order of §2.1.
pub(crate) const ADDED_TO_RESPONSES: [&str; 3] = ["requested_amount", "requested_currency", "client_amount"];

/// The endpoints that `POST /v1/payments/new` took the place of.
pub(crate) const REMOVED_ENDPOINTS: [&str; 2] = ["POST /v1/payments/pay_in", "POST /v1/payments/pay_out"];

/// The fate of an earlier request's member at the top of the body.
pub(crate) fn request_fate(name: Text<'_>) -> Option<Fate> {
    REQUEST.find(name)
}

/// The fate of an earlier response's member.
pub(crate) fn response_fate(name: Text<'_>) -> Option<Fate> {
    RESPONSE.find(name)
}

/// The fates of an earlier response's members, with their names.
pub(crate) fn response_fates() -> impl Iterator<Item = (&'static str, Fate)> {
    RESPONSE.scope.fields.iter().map(|field| field.name).zip(RESPONSE.fates.iter().copied())
}

/// Whether a request's stray member is of the earlier interface: its successor, if it has one.
pub(crate) fn request_member(scope: &'static Scope, name: Text<'_>) -> Option<Option<&'static str>> {
    match scope.pointer {
        "" => request_fate(name).map(Fate::successor),
        "/pay_in_details/card" if name.is(PAYER_ACCOUNT) => Some(None),
        _ => None,
    }
}

/// Whether a payment's stray member is of the earlier interface: its successor, if it has one.
pub(crate) fn response_member(name: Text<'_>) -> Option<Option<&'static str>> {
    response_fate(name).map(Fate::successor)
}
