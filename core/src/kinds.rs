//! The few words that the specification lists: kind, mode and method of a payment.

macro_rules! words {
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
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some($kind::$variant),)* _ => None }
            }
        }

        impl core::fmt::Display for $kind {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <alloc::borrow::Cow<'_, str>>::deserialize(deserializer)?;
                Self::from_name(&name).ok_or_else(|| serde::de::Error::custom(concat!("no such ", stringify!($kind))))
            }
        }
    };
}

pub(crate) use words;

words! {
    /// Which way the money goes (§2.2 `payment_type`); it selects the variant of the request's body.
    PaymentType {
        /// A deposit.
        PayIn = "pay_in",
        /// A transfer out.
        PayOut = "pay_out",
    }
}

words! {
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

words! {
    /// The payment method (§2.2 `subtype`).
    Subtype {
        /// A bank card.
        BankCard = "bank_card",
        /// The faster payments system, by phone number.
        Sbp = "sbp",
    }
}
