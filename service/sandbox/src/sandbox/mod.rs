//! `payspec sandbox`: the gateway with a simulated acquirer, to test merchants against.
//!
//! The answers of the API are the gateway's. Each merchant has a service of its own: payments,
//! clock, faults, and deliveries of one never affect another.

mod challenge;
mod clock;
mod common;
mod console;
mod fault;
mod hosts;
mod interface;
mod journal;
mod local;
mod merchant;
mod page;
mod probe;
mod problem;
mod registry;
mod router;
mod scenario;
mod seed;
mod state;
mod store;
mod worker;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use payspec::Engine;
use payspec::policy::FingerprintKey;
use payspec_gateway::http::{ConnectionLimits, ServeConfig, serve};
use payspec_gateway::rates::DemoRates;
use payspec_gateway::webhook::Backoff;
use payspec_gateway::{memory, system};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::failure::{Failure, reason};
use crate::interruption::interrupted;
use crate::profile::Profile;
use clock::Micros;
use common::{Common, SignatureTime};
use hosts::Hosts;
use journal::Journal;
use registry::Sandbox;

pub use local::{Local, LocalOptions, Reply};

/// The port, unless it is in use or `--listen` is given.
const PORT: u16 = 8085;
/// The time at which the clock is stopped if a seed is given.
const SEEDED_START: &str = "2026-01-01T00:00:00Z";
/// The longest time of a client.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(60);
/// The default of `--step-ms`.
const STEP_MS: u32 = 1000;
/// The default of `--step-ms`, in microseconds.
const DEFAULT_STEP: Micros = 1_000_000;
/// The default of `--callback-pause-ms` and `--callback-timeout-ms`.
const CALLBACK_MS: u32 = 5000;

/// Run a payment service to test against: scenarios, a clock, faults, webhooks, a console
#[derive(Args, Debug)]
#[command(after_long_help = help())]
pub struct Options {
    /// The address to listen on, such as 127.0.0.1:0 for any free port [default: 127.0.0.1:8085, or
    /// a free port if that one is in use]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Repeat a run: identifiers, secrets, and times follow from this number. The clock is stopped
    /// at 2026-01-01 until it is advanced
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Start with a clock that is stopped at this time, as RFC 3339
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// Milliseconds between two steps of a scenario
    #[arg(long, value_name = "MILLISECONDS", default_value_t = STEP_MS, value_parser = clap::value_parser!(u32).range(1..))]
    step_ms: u32,
    /// Answer as an observed service: with the policy of this profile, which `payspec observe` writes,
    /// and which replaces --policy
    #[arg(long, value_name = "FILE")]
    profile: Option<String>,
    /// Keep payments and deliveries in a database, such as sqlite:sandbox.db or
    /// postgres://HOST/NAME, instead of in memory
    #[arg(long, value_name = "ADDRESS")]
    database: Option<String>,
    /// The merchant of the printed token, whose payments the page makes
    #[arg(long, value_name = "NAME", default_value = "default")]
    merchant: String,
    /// The address that merchants and payers use, if it is not the one listened on
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Another host at which merchants and browsers reach the sandbox, such as a name of a container;
    /// may be given more than once. The host of --public-url and those of this machine are known
    #[arg(
        long,
        env = "PAYSPEC_SANDBOX_HOST",
        value_name = "HOST",
        value_delimiter = ','
    )]
    host: Vec<String>,
    /// The time in the signatures of webhooks [default: sandbox if a seed is given, otherwise real]
    #[arg(long, value_name = "real|sandbox", hide_possible_values = true)]
    signature_time: Option<SignatureTime>,
    /// Milliseconds until the first repetition of a webhook; the pauses grow threefold
    #[arg(long, value_name = "MILLISECONDS", default_value_t = CALLBACK_MS, value_parser = clap::value_parser!(u32).range(1..))]
    callback_pause_ms: u32,
    /// Milliseconds that a receiver of a webhook may take
    #[arg(long, value_name = "MILLISECONDS", default_value_t = CALLBACK_MS, value_parser = clap::value_parser!(u32).range(1..))]
    callback_timeout_ms: u32,
    /// Print the scenarios, and end
    #[arg(long)]
    scenarios: bool,
    /// Start nothing; exit with 0 if a sandbox answers at this address: for health checks of
    /// containers
    #[arg(long, value_name = "URL", conflicts_with = "scenarios")]
    probe: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: None,
            seed: None,
            now: None,
            step_ms: STEP_MS,
            profile: None,
            database: None,
            merchant: "default".to_owned(),
            public_url: None,
            host: Vec::new(),
            signature_time: None,
            callback_pause_ms: CALLBACK_MS,
            callback_timeout_ms: CALLBACK_MS,
            scenarios: false,
            probe: None,
        }
    }
}

fn help() -> String {
    format!(
        "Scenarios by the amount; `--scenarios` lists the card and phone numbers that select them too:\n\n{}\n\
         The header `Sandbox-Scenario: NAME` selects one too. Tokens are `sandbox_NAME`, where each NAME is a merchant of its own.\n\n\
         Examples:\n  payspec sandbox\n  payspec sandbox --listen 127.0.0.1:0 --seed 7\n  payspec sandbox --database sqlite:sandbox.db",
        scenario::table(false, DEFAULT_STEP)
    )
}

/// Serves merchants under the policy of the engine until the process is interrupted.
///
/// # Errors
/// Returns an error if an option is not valid, or if the address or the database cannot be used.
pub fn run(options: &Options, engine: Engine) -> Result<(), Failure> {
    if options.scenarios {
        let table = scenario::table(true, step(options));
        write!(anstream::stdout().lock(), "{table}")?;
        return Ok(());
    }
    let engine = match &options.profile {
        Some(path) => Profile::read(path)?.engine(engine),
        None => engine,
    };
    protect()?;
    let runtime = runtime()?;
    if let Some(url) = &options.probe {
        return runtime.block_on(probe::probe(url));
    }
    let served = runtime.block_on(start(options, engine));
    // Tasks that still run, such as a delayed answer, are not waited for.
    runtime.shutdown_background();
    served
}

/// Returns a runtime for [`Local`] and the command, whose threads leave no card data on their stack.
///
/// # Errors
/// Returns an error if the system refuses threads.
pub fn runtime() -> Result<Runtime, Failure> {
    memory::runtime().map_err(|error| Failure::starting(&error))
}

/// Gives others no access to the files of a database, and none to card data in memory, except on
/// Windows.
fn protect() -> Result<(), Failure> {
    system::keep_new_files_private();
    memory::protect().map_err(|error| Failure::starting(&error))
}

async fn start(options: &Options, engine: Engine) -> Result<(), Failure> {
    let (listener, sandbox) = bind(options, engine).await?;
    let journal = match &options.database {
        Some(database) => Some(Journal::open(&sandbox, database).await?),
        None => None,
    };
    sandbox.merchant(&sandbox.default);
    let interrupted = interrupted()?;
    print(&sandbox)?;
    let service = router::service(Arc::clone(&sandbox), journal.clone(), None);
    let (_stop, stopping) = watch::channel(false);
    let server = tokio::spawn(serve(listener, service, serve_config(), stopping));
    let worker = tokio::spawn(worker::run(Arc::clone(&sandbox), journal.clone()));
    interrupted.await;
    server.abort();
    worker.abort();
    if let Some(journal) = journal {
        journal.write(&sandbox).await?;
    }
    Ok(())
}

fn serve_config() -> ServeConfig {
    ServeConfig {
        client_timeout: CLIENT_TIMEOUT,
        limits: ConnectionLimits::new(None, Some(usize::MAX)),
        trusted_proxies: Vec::new(),
    }
}

/// Listens, and returns a sandbox with the address.
async fn bind(options: &Options, engine: Engine) -> Result<(TcpListener, Arc<Sandbox>), Failure> {
    let start = match &options.now {
        Some(text) => Some(
            clock::parse(text).ok_or_else(|| Failure::new("--now: expected a time as RFC 3339"))?,
        ),
        None => options.seed.and_then(|_| clock::parse(SEEDED_START)),
    };
    if !merchant::is_name(&options.merchant) {
        return Err(Failure::new(format!("--merchant: {}", merchant::NAME)));
    }
    let listener = listen(options.listen).await?;
    let address = listener
        .local_addr()
        .map_err(|error| Failure::new(format!("--listen: {error}")))?;
    let sandbox = Arc::new(build(options, engine, start, address)?);
    Ok((listener, sandbox))
}

/// Returns the time of a step.
fn step(options: &Options) -> Micros {
    i64::from(options.step_ms) * 1000
}

fn build(
    options: &Options,
    engine: Engine,
    start: Option<Micros>,
    address: SocketAddr,
) -> Result<Sandbox, Failure> {
    let public = options
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{address}"));
    let public = public.trim_end_matches('/').to_owned();
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..));
    let engine = with_fingerprint_key(engine, seed)?;
    let document = payspec_gateway::http::document(&engine, &public)
        .map_err(|error| Failure::new(format!("the document of the interface: {error}")))?;
    let mut origins = vec![format!("http://{address}")];
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        origins.extend(
            ["localhost", "127.0.0.1"].map(|host| format!("http://{host}:{}", address.port())),
        );
    }
    let listed = options.host.iter();
    origins.extend(listed.map(|host| format!("http://{host}:{}", address.port())));
    let default = if options.seed.is_some() {
        SignatureTime::Sandbox
    } else {
        SignatureTime::Real
    };
    let backoff = Backoff {
        first: Duration::from_millis(u64::from(options.callback_pause_ms)),
        ..Backoff::default()
    };
    Ok(Sandbox::new(Common {
        engine: Arc::new(engine),
        rates: Arc::new(DemoRates::default()),
        hosts: Hosts::new(&public, address, &options.host),
        public,
        origins,
        document,
        default: options.merchant.clone(),
        seed,
        step: step(options),
        signature_time: options.signature_time.unwrap_or(default),
        backoff,
        wake: Arc::default(),
        start,
        callback_timeout: Duration::from_millis(u64::from(options.callback_timeout_ms)),
        sender: OnceLock::new(),
    }))
}

/// Sets a fingerprint key unless the policy has one. Without a key, two cards with the same mask
/// have the same fingerprint.
fn with_fingerprint_key(engine: Engine, seed: u64) -> Result<Engine, Failure> {
    let mut policy = engine.policy().clone();
    if policy.fingerprint_key.is_none() {
        let key: Result<FingerprintKey, _> = format!("{seed:064x}").parse();
        let key = key.map_err(|error: payspec::Error| Failure::new(error.to_string()))?;
        policy.fingerprint_key = Some(key);
    }
    Engine::new(policy).map_err(|error| Failure::new(error.to_string()))
}

async fn listen(given: Option<SocketAddr>) -> Result<TcpListener, Failure> {
    let local = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let address = match given {
        Some(address) => address,
        None => match TcpListener::bind(local(PORT)).await {
            Ok(listener) => return Ok(listener),
            Err(_) => local(0),
        },
    };
    let failed = |error| {
        Failure::new(format!(
            "--listen: cannot listen on {address}: {}",
            reason(&error)
        ))
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    if given.is_none() {
        // The commands of a page that names the default port would reach another program.
        let port = listener.local_addr().map_err(failed)?.port();
        anstream::eprintln!("{PORT} is in use, listening on {port}");
    }
    Ok(listener)
}

/// Prints the addresses. They are printed when the sandbox accepts connections.
fn print(sandbox: &Sandbox) -> Result<(), Failure> {
    let (public, merchant) = (&sandbox.public, sandbox.merchant(&sandbox.default));
    let mut out = std::io::stdout().lock();
    writeln!(out, "api: {public}")?;
    if page::is_embedded() {
        writeln!(out, "page: {public}/checkout/")?;
    } else {
        writeln!(out, "page: none (built without the checkout page)")?;
    }
    writeln!(out, "console: {public}/sandbox")?;
    writeln!(out, "token: {}", merchant.token())?;
    writeln!(out, "secret: {}", merchant.store.secret)?;
    Ok(out.flush()?)
}
