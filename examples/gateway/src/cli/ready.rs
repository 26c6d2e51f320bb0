//! `gateway ready`: whether the gateway of this machine can serve.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use payspec_gateway::outbound::{self, Timeouts};

use super::failure::Failure;
use super::serve::ADMIN_LISTEN;
use super::settings::Settings;

const TIMEOUT: Duration = Duration::from_secs(5);

/// Requests `/readyz` at the address of `--admin-listen`.
pub(super) async fn ready(settings: &Settings) -> Result<(), Failure> {
    let address = local(settings.admin_listen.unwrap_or(ADMIN_LISTEN));
    let client = outbound::client(Timeouts { connect: TIMEOUT, total: TIMEOUT }).build();
    let client =
        client.map_err(|_| Failure::new("the HTTP client cannot be created: are CA certificates installed?"))?;
    match client.get(format!("http://{address}/readyz")).send().await {
        Ok(answer) if answer.status().is_success() => Ok(()),
        Ok(answer) => Err(Failure::new(format!("{address}: not ready, /readyz answers {}", answer.status().as_u16()))),
        Err(_) => Err(Failure::new(format!("{address}: no gateway answers"))),
    }
}

/// A server that listens at all addresses is reached at loopback.
fn local(address: SocketAddr) -> SocketAddr {
    let host = match address.ip() {
        IpAddr::V4(host) if host.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(host) if host.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        host => host,
    };
    SocketAddr::new(host, address.port())
}
