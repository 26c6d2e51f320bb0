//! `gateway ready`: checks that the gateway of this machine can serve.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use payspec_gateway::outbound;

use super::failure::Failure;
use super::serve::ADMIN_LISTEN;
use super::settings::Settings;

/// Requests `/readyz` at the address of `--admin-listen`.
pub(super) async fn ready(settings: &Settings) -> Result<(), Failure> {
    let address = local(settings.admin_listen.unwrap_or(ADMIN_LISTEN));
    match outbound::probe(&format!("http://{address}/readyz"))
        .await
        .map_err(Failure::new)?
    {
        Some(status) if status.is_success() => Ok(()),
        Some(status) => Err(Failure::new(format!(
            "{address}: not ready, /readyz answers {}",
            status.as_u16()
        ))),
        None => Err(Failure::new(format!("{address}: no gateway answers"))),
    }
}

/// Returns the address at which this machine reaches a listener: loopback if it listens at all
/// addresses.
fn local(address: SocketAddr) -> SocketAddr {
    let host = match address.ip() {
        IpAddr::V4(host) if host.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(host) if host.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        host => host,
    };
    SocketAddr::new(host, address.port())
}
