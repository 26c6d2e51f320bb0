//! The few words that the specification lists: kind, mode and method of a payment.

macro_rules! string_enum {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$doc])* $variant),* }

        impl $kind {
            /// Every one, in the order of the specification.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];
            /// Their names in JSON, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }

            /// The one of that name. Case matters.
            #[inline]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some($kind::$variant),)* _ => None }
            }
        }

        $crate::display::impl_display_via_name! { $kind }
        $crate::display::impl_from_str_via_name! { $kind }
    };
}

pub(crate) use string_enum;

/// The text is none of the names that the type has. It is not repeated.
///
/// ```
/// use payspec::{Mode, State, UnknownName};
///
/// assert_eq!("not_fully".parse(), Ok(State::NotFully));
/// assert_eq!("p2p".parse::<Mode>(), Err(UnknownName));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no name of that list")]
pub struct UnknownName;

string_enum! {
    /// Which way the money goes (§2.2 `payment_type`); it selects the variant of the request's body.
    PaymentType {
        /// A deposit.
        PayIn = "pay_in",
        /// A transfer out.
        PayOut = "pay_out",
    }
}

string_enum! {
    /// The processing mode (§1.2).
    Mode {
        /// Person to person.
        P2p = "P2P",
        /// Card acquiring.
        Acquiring = "ACQUIRING",
        /// A fiat amount, converted to USDT (§1.4).
        Crypto = "CRYPTO",
    }
}

string_enum! {
    /// The payment method (§2.2 `subtype`).
    Subtype {
        /// A bank card.
        BankCard = "bank_card",
        /// The faster payments system, by phone number.
        Sbp = "sbp",
    }
}
