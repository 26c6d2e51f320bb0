//! Builds a context from flags. The library checks it.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::engine::LONGEST_BODY;
use crate::failure::Failure;
use crate::input::Origin;

/// The members of a context.
#[derive(Debug, Default)]
pub(super) struct Context(BTreeMap<&'static str, Member>);

#[derive(Debug)]
struct Member {
    /// The flag or the file that the value is from, for messages.
    source: String,
    value: Box<RawValue>,
}

impl Context {
    /// Adds a member, unless its flag was omitted. `source` is the flag, or the name of the file.
    pub(super) fn add(
        &mut self,
        name: &'static str,
        source: impl Into<String>,
        value: Option<impl Serialize>,
    ) -> Result<(), Failure> {
        if let Some(value) = value {
            let value = serde_json::value::to_raw_value(&value)
                .map_err(|error| Failure::new(error.to_string()))?;
            self.0.insert(
                name,
                Member {
                    source: source.into(),
                    value,
                },
            );
        }
        Ok(())
    }

    /// Returns the JSON.
    pub(super) fn json(&self) -> Result<Vec<u8>, Failure> {
        let members: BTreeMap<_, _> = self
            .0
            .iter()
            .map(|(name, member)| (name, &member.value))
            .collect();
        serde_json::to_vec(&members).map_err(|error| Failure::new(error.to_string()))
    }

    /// Returns the failure of a call. It names the flag or the file of the member at fault.
    pub(super) fn failure(&self, error: &payspec::Error) -> Failure {
        let path = error.path().strip_prefix('/').unwrap_or_default();
        let (name, rest) = path
            .split_once('/')
            .map_or((path, None), |(name, rest)| (name, Some(rest)));
        match self
            .0
            .get(name)
            .filter(|_| error.kind() == payspec::ErrorKind::Context)
        {
            Some(Member { source, .. }) => {
                let at = rest
                    .map(|rest| format!(" at /{}", rest.escape_debug()))
                    .unwrap_or_default();
                Failure::new(format!("{source}{at}: {}", error.message()))
            }
            None => Failure::new(error.to_string()),
        }
    }
}

/// Reads a JSON file. Its bytes stay as they are.
pub(super) fn json_file(path: &Path) -> Result<Box<RawValue>, Failure> {
    let origin = Origin::of(path);
    let bytes = origin.read(LONGEST_BODY)?;
    // The message of the parser does not contain values.
    serde_json::from_slice(&bytes).map_err(|error| {
        Failure::new(format!(
            "{}: invalid JSON at line {}, column {}",
            origin.name(),
            error.line(),
            error.column()
        ))
    })
}

/// A rate on the command line: `RUB=92.45`, or `RUB=92.45@2026-11-20T10:15:30Z`.
#[derive(Clone, Debug)]
pub(super) struct Quote {
    currency: String,
    rate: String,
    as_of: Option<String>,
}

impl FromStr for Quote {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (currency, rate) = text
            .split_once('=')
            .ok_or("expected CURRENCY=RATE, such as RUB=92.45")?;
        let (rate, as_of) = rate
            .split_once('@')
            .map_or((rate, None), |(rate, as_of)| (rate, Some(as_of)));
        Ok(Quote {
            currency: currency.to_owned(),
            rate: rate.to_owned(),
            as_of: as_of.map(str::to_owned),
        })
    }
}

impl Quote {
    /// Returns the JSON. A rate without a time is that of `now`.
    pub(super) fn json(&self, now: &str) -> Value {
        let as_of = self.as_of.as_deref().unwrap_or(now);
        serde_json::json!({"currency": self.currency, "rate": self.rate, "as_of": as_of})
    }
}

/// Charges on the command line: `fee=1.50,commission=2.00`.
#[derive(Clone, Debug)]
pub(super) struct Charges(BTreeMap<String, String>);

impl FromStr for Charges {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let one = |part: &str| {
            part.split_once('=')
                .map(|(name, amount)| (name.trim().to_owned(), amount.trim().to_owned()))
        };
        let charges: Option<_> = text.split(',').map(one).collect();
        charges
            .map(Charges)
            .ok_or("expected NAME=AMOUNT, such as fee=1.50,commission=2.00,shared_commission=0.50")
    }
}

impl Charges {
    pub(super) fn json(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}
