//! `payspec sandbox --probe`: whether a sandbox answers.

use std::time::Duration;

use payspec_gateway::outbound::{self, Timeouts};

use crate::failure::{Failure, Status};

const TIMEOUT: Duration = Duration::from_secs(5);

/// Requests the scenarios of the sandbox at this address.
pub(super) async fn probe(url: &str) -> Result<Status, Failure> {
    let client = outbound::client(Timeouts { connect: TIMEOUT, total: TIMEOUT }).build();
    let client =
        client.map_err(|_| Failure::new("the HTTP client cannot be created: are CA certificates installed?"))?;
    let url = format!("{}/sandbox/scenarios", url.trim_end_matches('/'));
    match client.get(url).send().await {
        Ok(answer) if answer.status().is_success() => Ok(Status::Accepted),
        Ok(_) => Err(Failure::new("--probe: another program answers at this address")),
        Err(_) => Err(Failure::new("--probe: no sandbox answers at this address")),
    }
}
