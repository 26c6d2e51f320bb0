//! The client of every outgoing HTTP request: no redirects, no proxy, no hidden second attempt,
//! rustls.

use std::sync::Once;
use std::time::Duration;

use reqwest::{ClientBuilder, StatusCode, redirect, retry};

/// The User-Agent of all requests.
const USER_AGENT: &str = concat!("payspec-gateway/", env!("CARGO_PKG_VERSION"));

/// The longest times of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The time until there is a connection: resolver, TCP, and TLS.
    pub connect: Duration,
    /// The time until there is an answer, with that of the connection.
    pub total: Duration,
}

/// Returns a client that calls the given address and no other.
///
/// A redirect would evade the check of the target, and so would a proxy of the environment. The client trusts the certificate authorities of the operating
/// system.
pub fn client(timeouts: Timeouts) -> ClientBuilder {
    install_tls();
    reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .retry(retry::never())
        .referer(false)
        .connect_timeout(timeouts.connect)
        .timeout(timeouts.total)
}

/// The message for a client that cannot be created.
pub const NO_CLIENT: &str = "the HTTP client cannot be created: are CA certificates installed?";

/// Requests an address for a health check, and returns the status of the answer, or `None` without
/// one.
///
/// # Errors
/// Returns [`NO_CLIENT`] if the client cannot be created.
pub async fn probe(url: &str) -> Result<Option<StatusCode>, &'static str> {
    const TIMEOUT: Duration = Duration::from_secs(5);
    let client = client(Timeouts {
        connect: TIMEOUT,
        total: TIMEOUT,
    })
    .build()
    .map_err(|_| NO_CLIENT)?;
    Ok(client
        .get(url)
        .send()
        .await
        .ok()
        .map(|answer| answer.status()))
}

/// Sets the cryptography of rustls for the process. An earlier setting stays.
fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Fails if there is a provider already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
