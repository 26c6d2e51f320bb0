//! One attempt to deliver one event, and its result.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use payspec::{SignWebhookContext, WebhookHeaders};
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Certificate, Client, StatusCode};

use super::receive::{ENGINE, timestamp};
use super::resolver::{DnsLookup, FilteringResolver, ResolveError, System};
use super::secret::Secret;
use super::target::{TargetError, Targets};
use crate::outbound::{self, Timeouts};

/// The most connections kept open to one receiver. Most receivers get few events.
const IDLE_CONNECTIONS: usize = 2;
const IDLE_TIME: Duration = Duration::from_secs(30);

/// The settings of deliveries.
#[derive(Debug, Clone)]
pub struct SenderConfig {
    /// The longest times of an attempt. Standard Webhooks recommends 15 to 30 s in all.
    pub timeouts: Timeouts,
    /// The accepted targets of deliveries.
    pub targets: Targets,
    /// Certificate authorities besides those that the operating system trusts, in PEM: a company's
    /// own.
    pub authorities: Option<Vec<u8>>,
    /// Whether only `authorities` are trusted. Then the operating system needs none, and without
    /// `authorities` only http works.
    pub only_authorities: bool,
}

impl Default for SenderConfig {
    fn default() -> Self {
        let timeouts = Timeouts {
            connect: Duration::from_secs(5),
            total: Duration::from_secs(20),
        };
        Self {
            timeouts,
            targets: Targets::default(),
            authorities: None,
            only_authorities: false,
        }
    }
}

/// The sender cannot be made.
#[derive(Debug, thiserror::Error)]
#[error(
    "the HTTP client for deliveries cannot be made: are the system's CA certificates installed?"
)]
pub struct SenderError(#[from] reqwest::Error);

/// An event that is delivered.
#[derive(Clone)]
pub struct Delivery {
    /// The message's identifier, the same in every attempt: visible ASCII without a point.
    pub id: String,
    /// The URL of the receiver.
    pub url: String,
    /// The JSON text, which is sent without a change.
    pub body: String,
    /// The valid secrets of the receiver, at least one.
    pub secrets: Vec<Secret>,
}

/// An attempt that the receiver has accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivered {
    /// The status, from 200 to 299.
    pub status: u16,
}

/// A failed attempt. No failure contains the URL, the body or a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The address may not be called.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The message cannot be signed.
    #[error(transparent)]
    Message(#[from] payspec::Error),
    /// The receiver wants nothing more at this address (410).
    #[error("the receiver has closed this address (410)")]
    Gone,
    /// The name has a private address that is not allowed. Names change, so the next attempt
    /// resolves it again.
    #[error("the name has a private address")]
    Resolved,
    /// The name has no address.
    #[error("the name has no address")]
    Unresolved,
    /// There is no connection: no server listens, or TLS failed.
    #[error("no connection could be made")]
    Connect,
    /// The attempt took too long.
    #[error("the receiver did not answer in time")]
    Timeout,
    /// The connection broke, or the answer was not HTTP. The receiver may have the event.
    #[error("the connection broke before an answer")]
    Broken,
    /// The answer has any other status, such as a redirect.
    #[error("the receiver answered {status}")]
    Status {
        /// The status of its answer.
        status: u16,
        /// The pause that the receiver requests.
        retry_after: Option<Duration>,
    },
}

impl Failure {
    /// Returns whether another attempt would fail in the same way.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Target(_) | Self::Message(_) | Self::Gone)
    }

    /// Returns the pause that the receiver requires.
    pub fn retry_after(&self) -> Option<Duration> {
        if let Self::Status { retry_after, .. } = self {
            *retry_after
        } else {
            None
        }
    }

    /// Returns a label for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Target(_) => "target",
            Self::Message(_) => "message",
            Self::Gone => "gone",
            Self::Resolved => "resolved",
            Self::Unresolved => "unresolved",
            Self::Connect => "connect",
            Self::Timeout => "timeout",
            Self::Broken => "broken",
            Self::Status { .. } => "status",
        }
    }
}

// The address may hold a token, and the body is a payment.
impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("id", &self.id)
            .field("secrets", &self.secrets.len())
            .finish_non_exhaustive()
    }
}

/// Makes deliveries, one attempt at a call. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Sender {
    client: Client,
    targets: Arc<Targets>,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender")
            .field("targets", &self.targets)
            .finish_non_exhaustive()
    }
}

impl Sender {
    /// Creates a sender with the resolver of the operating system.
    ///
    /// # Errors
    /// TLS cannot be set up: no certificate authority is known, or `authorities` is not PEM.
    pub fn new(config: SenderConfig) -> Result<Self, SenderError> {
        Self::with_lookup(config, System)
    }

    fn with_lookup(config: SenderConfig, lookup: impl DnsLookup) -> Result<Self, SenderError> {
        let targets = Arc::new(config.targets);
        let authorities = match &config.authorities {
            Some(pem) => Certificate::from_pem_bundle(pem)?,
            None => Vec::new(),
        };
        let client = outbound::client(config.timeouts);
        let client = match config.only_authorities {
            true => client.tls_certs_only(authorities),
            false => client.tls_certs_merge(authorities),
        };
        let client = client
            .dns_resolver(FilteringResolver {
                targets: Arc::clone(&targets),
                lookup: Arc::new(lookup),
            })
            .https_only(!targets.plain_http)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .pool_idle_timeout(IDLE_TIME)
            .build()?;
        Ok(Self { client, targets })
    }

    /// Makes one attempt. An event is delivered if the status is 2xx. The body of the answer is not read.
    ///
    /// # Errors
    /// Returns the failure; [`Failure::is_final`] states whether to try again.
    pub async fn deliver(&self, delivery: &Delivery) -> Result<Delivered, Failure> {
        self.send(delivery, &sign(delivery, SystemTime::now())?)
            .await
    }

    /// Makes one attempt with the headers of [`sign`].
    ///
    /// # Errors
    /// Returns the same failures as [`Sender::deliver`].
    pub async fn send(
        &self,
        delivery: &Delivery,
        signed: &WebhookHeaders,
    ) -> Result<Delivered, Failure> {
        let url = self.targets.check(&delivery.url)?;
        let request = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json");
        let request = signed.iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        let request = request.body(delivery.body.clone());
        let response = request.send().await.map_err(|error| failure(&error))?;
        match response.status() {
            status if status.is_success() => Ok(Delivered {
                status: status.as_u16(),
            }),
            StatusCode::GONE => Err(Failure::Gone),
            status => {
                let retry_after = retry_after(response.headers(), SystemTime::now());
                Err(Failure::Status {
                    status: status.as_u16(),
                    retry_after,
                })
            }
        }
    }
}

/// Returns the headers of Standard Webhooks for an attempt at a time.
///
/// # Errors
/// Returns an error if the id is invalid or there is no secret.
pub fn sign(delivery: &Delivery, now: SystemTime) -> Result<WebhookHeaders, payspec::Error> {
    let secrets = delivery.secrets.iter().map(Secret::to_payspec).collect();
    let context = SignWebhookContext::new(delivery.id.as_str(), timestamp(now), secrets)?;
    Ok(ENGINE.sign_webhook(delivery.body.as_bytes(), &context))
}

/// Converts an error of the client. Its text is not used, because it contains the address.
fn failure(error: &reqwest::Error) -> Failure {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(current) = cause {
        match current.downcast_ref() {
            Some(ResolveError::Private) => return Failure::Resolved,
            Some(ResolveError::Unknown) => return Failure::Unresolved,
            None => cause = current.source(),
        }
    }
    if error.is_timeout() {
        Failure::Timeout
    } else if error.is_connect() {
        Failure::Connect
    } else {
        Failure::Broken
    }
}

/// Returns the value of Retry-After (RFC 9110 §10.2.3): seconds, or a date. Any other value is
/// ignored.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number holds mean for ever.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests;
