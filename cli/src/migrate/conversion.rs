//! The direction of a migration.

use payspec::legacy::MigratedBody;
use payspec::{Engine, InvalidBody, PaymentType};

/// The direction and the kind of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    UpgradeRequests(PaymentType),
    DowngradeRequests,
    UpgradePayments,
    DowngradePayments,
}

impl Conversion {
    pub(super) fn is_downgrade(self) -> bool {
        matches!(
            self,
            Conversion::DowngradeRequests | Conversion::DowngradePayments
        )
    }

    /// Converts a body.
    pub(super) fn of(self, engine: &Engine, body: &[u8]) -> Result<MigratedBody, InvalidBody> {
        match self {
            Conversion::UpgradeRequests(kind) => engine.upgrade_request(kind, body),
            Conversion::DowngradeRequests => engine.downgrade_request(body),
            Conversion::UpgradePayments => engine.upgrade_payment(body),
            Conversion::DowngradePayments => engine.downgrade_payment(body),
        }
    }
}
