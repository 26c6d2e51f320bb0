//! The client of the commands that examine a server.

use std::time::Duration;

use payspec_gateway::outbound::{self, Timeouts};
use reqwest::Client;

use crate::failure::Failure;

/// Returns a client with one time limit for the connection and for the whole call.
pub(crate) fn http_client(timeout: Duration) -> Result<Client, Failure> {
    let timeouts = Timeouts {
        connect: timeout,
        total: timeout,
    };
    outbound::client(timeouts)
        .build()
        .map_err(|_| Failure::new(outbound::NO_CLIENT))
}
