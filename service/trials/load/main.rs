//! How many requests a second: wrk against bare axum handlers and against the gateway on both
//! databases, beside what the databases do without a service, in one run.
//!
//! `cargo xtask load [SECONDS]`. The tables are Markdown, which `--record` writes to RESULTS.md.
//! With `--against PROGRAM`, a gateway of another version is measured together with this one; with
//! `--growth`, more gateways, and more payments in the tables.

#![expect(
    clippy::float_arithmetic,
    reason = "figures of a measurement, not money"
)]

mod compare;
mod growth;
mod limits;
#[path = "../../gateway/tests/service/postgres.rs"]
mod postgres;
mod profile;
mod report;
mod server;
mod wrk;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use payspec::{
    Authorization, CreateContext, Engine, IdempotencyKey, IdempotencyLookup, Timestamp, Uuid,
};

use report::{Report, Rounds};
use server::Server;

/// A database as it is run in earnest: a commit is on the disk.
pub(crate) const FSYNC: &str = "on";
const BODY: &str = include_str!("../../../examples/bodies/p2p-card.json");
/// The one that the body names: the token of another could not create it.
pub(crate) const MERCHANT: &str = "shop-42";
const SECONDS: u64 = 10;
const ROUNDS: usize = 3;
const TOKEN: &str = "pgw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds = match arguments.next().as_deref() {
        Some("--bare") => return server::bare(),
        Some("--rows") => {
            return limits::serve_rows(&arguments.next().ok_or("--rows takes a database")?);
        }
        Some(seconds) => seconds
            .parse()
            .map_err(|_| "load takes a number of seconds")?,
        None => SECONDS,
    };
    match arguments.next().as_deref() {
        Some("--profile") => load(seconds, true),
        Some("--growth") => growth::run(seconds),
        Some(baseline) => compare::run(Path::new(baseline), seconds),
        None => load(seconds, false),
    }
}

fn load(seconds: u64, profiles: bool) -> Result<()> {
    let cores = std::thread::available_parallelism()?;
    println!(
        "{} connections, the medians of {ROUNDS} rounds of {seconds} s each; {cores} cores, shared with wrk and pgbench\n",
        wrk::CONNECTIONS
    );
    let own = library();
    let mut report = Report::default();
    let bare = Server::own(&["--bare"])?;
    let create = |url: &str, seconds| wrk::create(&[url], TOKEN, BODY, seconds);
    bare.warm_up(create)?;
    let mut rounds = Rounds::default();
    rounds.add(bare.measure(seconds, create)?);
    report.add("axum, serde_json, nothing else: POST", &rounds, None, None);
    drop(bare);
    let folder = std::env::temp_dir().join(format!("gateway-load-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let databases = [
        ("SQLite", format!("sqlite:{}/gateway.db", folder.display())),
        ("PostgreSQL", postgres::address() + "/postgres"),
    ];
    for (name, url) in databases {
        let (gateway, token, uid) = measure(&mut report, name, &url, own, seconds)?;
        if profiles {
            let create = |url: &str, seconds| wrk::create(&[url], &token, BODY, seconds);
            let read = |url: &str, seconds| wrk::read(&[url], &token, &uid, seconds);
            report.add_profile(format!("{name}: POST"), gateway.profile(seconds, create)?);
            report.add_profile(format!("{name}: GET"), gateway.profile(seconds, read)?);
        }
    }
    std::fs::remove_dir_all(folder)?;
    println!("{report}");
    Ok(())
}

/// Measures the gateway on a database in turn with what the database does without it. Returns the
/// gateway, a token, and the uid of a payment.
fn measure(
    report: &mut Report,
    name: &str,
    url: &str,
    own: f64,
    seconds: u64,
) -> Result<(Server, String, String)> {
    let (gateway, token) = Server::gateway(&program()?, url)?;
    let hash = payspec_gateway::token::hash(&token);
    let (uid, payment) = gateway.payment(&token, BODY)?;
    let create = |url: &str, seconds| wrk::create(&[url], &token, BODY, seconds);
    let read = |url: &str, seconds| wrk::read(&[url], &token, &uid, seconds);
    let (limit, least) = match name {
        "SQLite" => (
            "SQLite, a loop of the statements of a payment",
            limits::sqlite as fn(&str, &str, &str, u64) -> _,
        ),
        _ => ("pgbench, the statements of a payment", limits::pgbench as _),
    };
    let rows = Server::own(&["--rows", url])?;
    gateway.warm_up(create)?;
    let (mut bare, mut posts, mut reads, mut gets) = (
        Vec::new(),
        Rounds::default(),
        Rounds::default(),
        Rounds::default(),
    );
    for _ in 0..ROUNDS {
        bare.push(least(url, &hash, &payment, seconds)?);
        posts.add(gateway.measure(seconds, create)?);
        reads.add(rows.measure(seconds, read)?);
        gets.add(gateway.measure(seconds, read)?);
    }
    let bare = compare::median(bare);
    report.add_limit(limit, bare);
    report.add(
        &format!("gateway on {name}: POST /v1/payments/new"),
        &posts,
        Some(own),
        Some(bare),
    );
    report.add(&format!("axum, one row of {name}: GET"), &reads, None, None);
    report.add(
        &format!("gateway on {name}: GET …/status"),
        &gets,
        None,
        Some(reads.per_second()),
    );
    Ok((gateway, token, uid))
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
    let authorization = Authorization::Header {
        value: Some(header.as_bytes().into()),
        accepted: true,
    };
    let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().expect("an instant");
    let key = IdempotencyKey::new("order-1007").expect("a key");
    let round = || {
        let mut context = CreateContext::new(Uuid::nil(), now, authorization.clone());
        context.merchant_id = Some(MERCHANT.into());
        context.allowed_merchant_ids = Some(vec![MERCHANT.into()]);
        context.idempotency = Some(IdempotencyLookup::new(key.clone(), None));
        let request = engine.read_request(BODY.as_bytes());
        let outcome = request.create(&context);
        assert_eq!(outcome.status(), 201);
        let (typed, _) = request.parse(Some(now)).expect("a request");
        outcome.body_json().len() + usize::from(typed.common().callback.is_some())
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
