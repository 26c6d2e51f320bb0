//! The settings that all merchants share.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::ValueEnum;
use payspec::Engine;
use payspec_gateway::http::StaticFile;
use payspec_gateway::outbound::Timeouts;
use payspec_gateway::rates::RateSource;
use payspec_gateway::webhook::{Backoff, Sender, SenderConfig, Targets};
use tokio::sync::Notify;

use super::clock::{Clock, Micros};
use super::hosts::Hosts;

/// The time in the signatures of webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SignatureTime {
    /// The time of the system, which receivers compare with their own.
    Real,
    /// The clock of the merchant, so that a seed repeats the signatures too.
    Sandbox,
}

/// The settings that all merchants share.
pub(crate) struct Common {
    pub(crate) engine: Arc<Engine>,
    pub(crate) rates: Arc<dyn RateSource>,
    /// The address without a slash at its end.
    pub(crate) public: String,
    /// The hosts of requests that are served.
    pub(crate) hosts: Hosts,
    /// The origins at which browsers may find the pages.
    pub(crate) origins: Vec<String>,
    pub(crate) document: StaticFile,
    /// The merchant of the printed token.
    pub(crate) default: String,
    pub(crate) seed: u64,
    pub(crate) step: Micros,
    pub(crate) signature_time: SignatureTime,
    pub(crate) backoff: Backoff,
    pub(crate) wake: Arc<Notify>,
    pub(crate) start: Option<Micros>,
    pub(crate) callback_timeout: Duration,
    pub(crate) sender: OnceLock<Option<Sender>>,
}

impl Common {
    /// Returns the clock of a new merchant.
    pub(crate) fn first_clock(&self) -> Clock {
        self.start.map_or_else(Clock::running, Clock::stopped)
    }

    /// Returns what delivers webhooks; `None` if TLS cannot be set up. It is created with the first
    /// delivery, since it reads the certificates of the system.
    pub(crate) fn sender(&self) -> Option<&Sender> {
        self.sender
            .get_or_init(|| {
                let total = self.callback_timeout;
                let timeouts = Timeouts {
                    connect: total,
                    total,
                };
                let config = |only_authorities| SenderConfig {
                    timeouts,
                    targets: Targets::anywhere(),
                    authorities: None,
                    only_authorities,
                };
                // A container without certificates still has receivers of http.
                Sender::new(config(false))
                    .or_else(|_| Sender::new(config(true)))
                    .ok()
            })
            .as_ref()
    }
}
