//! Faults on demand: a status, a delay, or a dropped connection, for the next calls or by the
//! header of one call.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::problem::{Members, Problem};

/// The header that asks for a fault of one call.
pub(crate) const HEADER: &str = "sandbox-fault";
/// The members of `POST /sandbox/faults`.
pub(crate) const MEMBERS: &[&str] = &["count", "status", "delay_ms", "drop", "endpoint", "when"];

const STATUSES: std::ops::RangeInclusive<u64> = 400..=599;
const LONGEST_DELAY: u64 = 600_000;
const MOST_CALLS: u64 = 1_000_000;

/// An endpoint of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Create,
    Status,
    Balance,
}

impl Endpoint {
    const NAMES: [(Endpoint, &'static str); 3] = [
        (Self::Create, "create"),
        (Self::Status, "status"),
        (Self::Balance, "balance"),
    ];

    /// Returns the endpoint of a path.
    pub(crate) fn of(path: &str) -> Option<Self> {
        match path {
            "/v1/payments/new" => Some(Self::Create),
            "/v1/partner/balance" => Some(Self::Balance),
            _ if path.starts_with("/v1/payments/") && path.ends_with("/status") => {
                Some(Self::Status)
            }
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(endpoint, _)| *endpoint == self)
            .map_or("", |(_, name)| name)
    }
}

/// The effect of a fault on a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) delay: Duration,
    pub(crate) status: Option<StatusCode>,
    pub(crate) drop: bool,
    /// The call is served first, and its answer is replaced or lost.
    pub(crate) after: bool,
}

/// A fault of the next calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) count: u64,
    endpoint: Option<Endpoint>,
    effect: Effect,
}

impl Fault {
    /// Reads a fault.
    pub(crate) fn read(members: &Members) -> Result<Self, Problem> {
        let status = members.integer("status", *STATUSES.start(), *STATUSES.end())?;
        let delay = members.integer("delay_ms", 0, LONGEST_DELAY)?;
        let drop = members.boolean("drop")?;
        if status.is_none() && delay.is_none() && drop != Some(true) {
            return Err(members.missing(&["status", "delay_ms", "drop"]));
        }
        if status.is_some() && drop == Some(true) {
            return Err(Problem::member(
                "drop",
                "a dropped connection has no status; give one of status, drop",
            ));
        }
        let endpoint = match members.text("endpoint")? {
            None => None,
            Some(name) => {
                let found = Endpoint::NAMES
                    .iter()
                    .find(|(_, known)| *known == name)
                    .map(|(endpoint, _)| *endpoint);
                let expected = || {
                    let known = Endpoint::NAMES.map(|(_, name)| name).to_vec();
                    Problem::member("endpoint", &format!("expected one of {}", known.join(", ")))
                        .with_known(known)
                };
                Some(found.ok_or_else(expected)?)
            }
        };
        let after = match members.text("when")? {
            None | Some("before") => false,
            Some("after") => true,
            Some(_) => return Err(Problem::member("when", "expected one of before, after")),
        };
        Ok(Self {
            count: members.integer("count", 1, MOST_CALLS)?.unwrap_or(1),
            endpoint,
            effect: Effect {
                delay: Duration::from_millis(delay.unwrap_or_default()),
                status: status
                    .and_then(|status| StatusCode::from_u16(u16::try_from(status).ok()?).ok()),
                drop: drop == Some(true),
                after,
            },
        })
    }

    /// Returns the effect if the fault is for the endpoint, and counts the call.
    pub(crate) fn hit(&mut self, endpoint: Endpoint) -> Option<Effect> {
        if self.endpoint.is_some_and(|own| own != endpoint) {
            return None;
        }
        self.count -= 1;
        Some(self.effect.clone())
    }

    pub(crate) fn json(&self) -> Value {
        let mut json = json!({"count": self.count});
        let Effect {
            delay,
            status,
            drop,
            after,
        } = &self.effect;
        if let Some(status) = status {
            json["status"] = json!(status.as_u16());
        }
        if !delay.is_zero() {
            json["delay_ms"] = json!(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX));
        }
        if *drop {
            json["drop"] = json!(true);
        }
        if let Some(endpoint) = self.endpoint {
            json["endpoint"] = json!(endpoint.name());
        }
        if *after {
            json["when"] = json!("after");
        }
        json
    }
}

/// Reads the header: `status=503`, `delay_ms=500`, `drop`, `when=after`, separated by commas.
pub(crate) fn of_header(headers: &HeaderMap) -> Result<Option<Effect>, Problem> {
    let Some(value) = headers.get(HEADER) else {
        return Ok(None);
    };
    let expected = || {
        let expected = "expected status=400..599, delay_ms=0..600000, drop, or when=after, separated by commas";
        Problem::input(StatusCode::UNPROCESSABLE_ENTITY, HEADER, expected)
    };
    let mut effect = Effect::default();
    for part in value.to_str().map_err(|_| expected())?.split(',') {
        let (name, value) = part.trim().split_once('=').unwrap_or((part.trim(), ""));
        let number = |bounds: std::ops::RangeInclusive<u64>| {
            value
                .parse::<u64>()
                .ok()
                .filter(|number| bounds.contains(number))
                .ok_or_else(expected)
        };
        match (name, value) {
            ("status", _) => {
                let status = u16::try_from(number(STATUSES)?).ok();
                effect.status = status.and_then(|status| StatusCode::from_u16(status).ok());
            }
            ("delay_ms", _) => effect.delay = Duration::from_millis(number(0..=LONGEST_DELAY)?),
            ("drop", "" | "true") => effect.drop = true,
            ("when", "after") => effect.after = true,
            ("when", "before") => effect.after = false,
            _ => return Err(expected()),
        }
    }
    Ok(Some(effect))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(value: &'static str) -> Result<Option<Effect>, Problem> {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, value.parse().unwrap());
        of_header(&headers)
    }

    #[test]
    fn reads_the_header() {
        assert_eq!(
            header("status=503").unwrap().unwrap().status,
            Some(StatusCode::SERVICE_UNAVAILABLE)
        );
        let effect = header("delay_ms=500, drop, when=after").unwrap().unwrap();
        assert!(effect.delay == Duration::from_millis(500) && effect.drop && effect.after);
        for wrong in [
            "",
            "status",
            "status=200",
            "status=600",
            "delay_ms=-1",
            "drop=no",
            "status=503;drop",
            "x=1",
        ] {
            assert!(header(wrong).is_err(), "{wrong}");
        }
        assert_eq!(of_header(&HeaderMap::new()).unwrap(), None);
    }

    #[test]
    fn knows_the_endpoints() {
        assert_eq!(Endpoint::of("/v1/payments/new"), Some(Endpoint::Create));
        assert_eq!(
            Endpoint::of("/v1/payments/x/status"),
            Some(Endpoint::Status)
        );
        assert_eq!(Endpoint::of("/v1/partner/balance"), Some(Endpoint::Balance));
        assert_eq!(Endpoint::of("/healthz"), None);
    }
}
