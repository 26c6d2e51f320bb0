//! `payspec sandbox --probe`: whether a sandbox answers.

use payspec_gateway::outbound;

use crate::failure::Failure;

/// Requests the scenarios of the sandbox at this address.
pub(super) async fn probe(url: &str) -> Result<(), Failure> {
    let url = format!("{}/sandbox/scenarios", url.trim_end_matches('/'));
    match outbound::probe(&url).await.map_err(Failure::new)? {
        Some(status) if status.is_success() => Ok(()),
        Some(_) => Err(Failure::new(
            "--probe: another program answers at this address",
        )),
        None => Err(Failure::new("--probe: no sandbox answers at this address")),
    }
}
