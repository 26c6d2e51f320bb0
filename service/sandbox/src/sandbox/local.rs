//! A sandbox of this process, for a program that also calls it without a connection.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use axum::http::{Method, Request};
use http_body_util::BodyExt;
use payspec::Engine;
use payspec_gateway::http::serve;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_service::Service;

use super::interface;
use super::registry::Sandbox;
use super::router::{self, SandboxService};
use super::{Options, bind, interrupted, merchant, protect, scenario, serve_config, worker};
use crate::failure::Failure;

/// The options of a sandbox of this process.
#[derive(Clone, Debug)]
pub struct LocalOptions {
    /// The address to listen on; without one, any free port of this machine.
    pub listen: Option<SocketAddr>,
    /// Other hosts at which it is reached.
    pub hosts: Vec<String>,
    /// The number that identifiers, secrets, and times follow from.
    pub seed: Option<u64>,
    /// The merchant of all calls.
    pub merchant: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// A sandbox of this process. Its merchant is called without a connection, and programs under test
/// reach it over HTTP.
pub struct Local {
    sandbox: Arc<Sandbox>,
    service: SandboxService,
    /// The listener of [`Local::serve`], taken when it begins.
    listener: Mutex<Option<TcpListener>>,
}

impl Local {
    /// The most seconds of one advance of the clock.
    pub const LONGEST_ADVANCE: u64 = interface::LONGEST_ADVANCE / 1000;

    /// Listens, and creates the merchant.
    ///
    /// # Errors
    /// Returns an error if an option is not valid, or if the address cannot be used.
    pub async fn start(options: &LocalOptions, engine: Engine) -> Result<Self, Failure> {
        protect()?;
        let free = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let options = Options {
            listen: Some(options.listen.unwrap_or(free)),
            seed: options.seed,
            merchant: options.merchant.clone(),
            host: options.hosts.clone(),
            ..Options::default()
        };
        let (listener, sandbox) = bind(&options, engine).await?;
        sandbox.merchant(&sandbox.default);
        Ok(Self {
            service: router::service(Arc::clone(&sandbox), None, None),
            sandbox,
            listener: Mutex::new(Some(listener)),
        })
    }

    /// Serves the sandbox over HTTP, with the further routes at `/mcp`, and makes due what is due. It
    /// ends when the process is interrupted. `ready` is called before, and may print a message.
    ///
    /// # Errors
    /// Returns an error if signals cannot be received, or that of `ready`.
    pub async fn serve(
        &self,
        extra: Option<Router>,
        ready: impl FnOnce() -> io::Result<()>,
    ) -> Result<(), Failure> {
        let listener = self.listener.lock();
        let listener = listener.unwrap_or_else(PoisonError::into_inner).take();
        let Some(listener) = listener else {
            return Ok(());
        };
        let service = router::service(Arc::clone(&self.sandbox), None, extra);
        let (_stop, stopping) = watch::channel(false);
        let interrupted = interrupted()?;
        ready()?;
        tokio::select! {
            () = serve(listener, service, serve_config(), stopping) => Ok(()),
            () = worker::run(Arc::clone(&self.sandbox), None) => Ok(()),
            () = interrupted => Ok(()),
        }
    }

    /// Returns the address without a slash at its end.
    pub fn url(&self) -> &str {
        &self.sandbox.public
    }

    /// Returns the token of its merchant.
    pub fn token(&self) -> String {
        format!("{}{}", merchant::TOKEN_PREFIX, self.sandbox.default)
    }

    /// Returns the names of the scenarios, each with its description.
    pub fn scenarios() -> Vec<(&'static str, &'static str)> {
        let rows = scenario::SCENARIOS.iter();
        rows.map(|row| (row.name, row.about)).collect()
    }

    /// Makes a call as the merchant. Returns `None` if the answer is lost by a fault.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        headers: &[(&'static str, String)],
        body: Option<Vec<u8>>,
    ) -> Option<Reply> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, "localhost")
            .header(CONTENT_TYPE, "application/json")
            .header(AUTHORIZATION, format!("Bearer {}", self.token()));
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(Body::from(body.unwrap_or_default())).ok()?;
        let response = self.service.clone().call(request).await.ok()?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.ok()?;
        let body = body.to_bytes().to_vec();
        Some(Reply { status, body })
    }
}
