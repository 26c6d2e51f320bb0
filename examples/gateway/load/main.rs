//! How many requests a second: wrk against a bare axum handler and against the gateway on both databases, in one run.
//!
//! `cargo xtask load [SECONDS]`. The table is Markdown, for the README. With `--against PROGRAM`, a gateway of another version is
//! measured in turn with this one.

#![expect(clippy::float_arithmetic, reason = "figures of a measurement, not money")]

mod compare;
#[path = "../tests/service/postgres.rs"]
mod postgres;
mod server;
mod wrk;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use payspec::{Authorization, CreateContext, Engine, IdempotencyLookup, Timestamp, Uuid};

use server::Server;

/// A database as it is run in earnest: a commit is on the disk.
pub(crate) const FSYNC: &str = "on";
const BODY: &str = include_str!("../../bodies/p2p-card.json");
/// The one that the body names: the token of another could not create it.
pub(crate) const MERCHANT: &str = "shop-42";
const SECONDS: u64 = 10;
const TOKEN: &str = "pgw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds = match arguments.next().as_deref() {
        Some("--bare") => return server::bare(),
        Some(seconds) => seconds.parse().map_err(|_| "load takes a number of seconds")?,
        None => SECONDS,
    };
    match arguments.next() {
        Some(baseline) => compare::run(Path::new(&baseline), seconds),
        None => load(seconds),
    }
}

fn load(seconds: u64) -> Result<()> {
    let cores = std::thread::available_parallelism()?;
    println!(
        "wrk, {} connections, {seconds} s each after 2 s to warm up; {cores} cores, shared with wrk\n",
        wrk::CONNECTIONS
    );
    let own = library();
    println!("| | requests/s | p50 ms | p99 ms | CPU µs per request | of it the library |");
    println!("|---|---:|---:|---:|---:|---:|");
    let row = |name: &str, figures: &wrk::Figures, cpu: f64, own: Option<f64>| {
        let share = own.map_or_else(|| "–".to_owned(), |own| format!("{own:.1} µs, {:.0} %", 100.0 * own / cpu));
        println!(
            "| {name} | {:.0} | {:.2} | {:.2} | {cpu:.0} | {share} |",
            figures.per_second, figures.p50, figures.p99
        );
    };
    let bare = Server::bare()?;
    let create = |url: &str, seconds| wrk::create(url, TOKEN, BODY, seconds);
    bare.warm_up(create)?;
    let (figures, cpu) = bare.measure(seconds, create)?;
    row("axum, serde_json, nothing else: POST", &figures, cpu, None);
    drop(bare);
    let folder = std::env::temp_dir().join(format!("gateway-load-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let databases = [
        ("SQLite", format!("sqlite:{}/gateway.db", folder.display())),
        ("PostgreSQL", format!("{}/postgres", postgres::address())),
    ];
    for (name, database) in databases {
        let (gateway, token) = Server::gateway(&program()?, &database)?;
        let create = |url: &str, seconds| wrk::create(url, &token, BODY, seconds);
        gateway.warm_up(create)?;
        let (figures, cpu) = gateway.measure(seconds, create)?;
        row(&format!("gateway on {name}: POST /v1/payments/new"), &figures, cpu, Some(own));
        let uid = gateway.payment(&token, BODY)?;
        let read = |url: &str, seconds| wrk::read(url, &token, &uid, seconds);
        gateway.warm_up(read)?;
        let (figures, cpu) = gateway.measure(seconds, read)?;
        row(&format!("gateway on {name}: GET …/status"), &figures, cpu, None);
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// Returns the path of the gateway beside this program.
fn program() -> Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name("gateway"))
}

/// Microseconds of the library in one creation, with all calls of the gateway.
fn library() -> f64 {
    const ROUNDS: u32 = 1_000;
    let engine = Engine::default();
    let header = format!("Bearer {TOKEN}");
    let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().expect("an instant");
    let round = || {
        let mut context = CreateContext::new(Uuid::nil(), now, Authorization::header(Some(&header), true));
        context.merchant_id = Some(MERCHANT.into());
        context.allowed_merchant_ids = Some(vec![MERCHANT.into()]);
        context.idempotency = Some(IdempotencyLookup::new("order-1007", None));
        let outcome = engine.create_payment(BODY.as_bytes(), &context);
        assert_eq!(outcome.status(), 201);
        let request = engine.parse_request(BODY.as_bytes(), Some(now)).expect("a request");
        outcome.body_json().len() + usize::from(request.0.common().callback.is_some())
    };
    // The best of many: other programs on the machine only make one longer.
    let batches = (0..30).map(|_| {
        let start = Instant::now();
        assert!((0..ROUNDS).map(|_| round()).sum::<usize>() > 0);
        start.elapsed()
    });
    micros(batches.min().unwrap_or_default()) / f64::from(ROUNDS)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
