//! Two versions of the gateway, measured at the same time: they share the processors, and the other
//! programs of a machine disturb both alike.

use std::path::Path;
use std::thread;

use sqlx_core::connection::Connection;
use sqlx_core::query::query;
use sqlx_postgres::PgConnection;

use crate::server::Server;
use crate::wrk;
use crate::{BODY, Result, postgres, program};

const ROUNDS: usize = 11;

/// A version of the gateway, and its database.
struct Side<'a> {
    program: &'a Path,
    database: String,
}

/// The measured request.
#[derive(Clone, Copy)]
enum Request {
    Post,
    Get,
}

/// Prints the medians of the baseline, and those of the ratios: this version's figure by the
/// baseline's of the same round.
pub(crate) fn run(baseline: &Path, seconds: u64) -> Result<()> {
    println!(
        "{ROUNDS} rounds of both at the same time, {} connections to each, {seconds} s\n",
        wrk::CONNECTIONS
    );
    println!("| | requests/s before | requests/s | p50 | p99 | CPU per request |");
    println!("|---|---:|---:|---:|---:|---:|");
    let current = program()?;
    let side = |program, database| Side { program, database };
    let folder = std::env::temp_dir().join(format!("gateway-load-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let file = |name: &str| format!("sqlite:{}/{name}.db", folder.display());
    measure(
        "SQLite",
        &side(baseline, file("before")),
        &side(&current, file("after")),
        seconds,
    )?;
    measure(
        "PostgreSQL",
        &side(baseline, create_database("before")?),
        &side(&current, create_database("after")?),
        seconds,
    )?;
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

fn measure(database: &str, before: &Side<'_>, after: &Side<'_>, seconds: u64) -> Result<()> {
    for (name, request) in [
        ("POST /v1/payments/new", Request::Post),
        ("GET …/status", Request::Get),
    ] {
        let (mut baselines, mut ratios) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            // Each is started first in half of the rounds.
            let [before, after] = if round % 2 == 0 {
                figures([before, after], request, seconds)?
            } else {
                let [after, before] = figures([after, before], request, seconds)?;
                [before, after]
            };
            baselines.push(before[0]);
            ratios.push(std::array::from_fn::<_, 4, _>(|index| {
                after[index] / before[index]
            }));
        }
        let ratio = |index: usize| median(ratios.iter().map(|ratios| ratios[index]).collect());
        println!(
            "| {database}: {name} | {:.0} | × {:.3} | × {:.3} | × {:.3} | × {:.3} |",
            median(baselines),
            ratio(0),
            ratio(1),
            ratio(2),
            ratio(3)
        );
    }
    Ok(())
}

/// Starts both gateways, loads both at the same time, and returns the figures of each.
///
/// Every round starts them again, since two processes of one program differ by several percent.
fn figures(sides: [&Side<'_>; 2], request: Request, seconds: u64) -> Result<[[f64; 4]; 2]> {
    let [one, other] = sides.map(|side| Running::start(side, request));
    let running = [one?, other?];
    let [one, other] = thread::scope(|scope| {
        let runs = running
            .each_ref()
            .map(|running| scope.spawn(|| running.figures(seconds)));
        runs.map(|run| run.join().unwrap_or_else(|_| Err("a run panicked".into())))
    });
    Ok([one?, other?])
}

/// A gateway with a payment.
struct Running {
    gateway: Server,
    token: String,
    uid: String,
    request: Request,
}

impl Running {
    fn start(side: &Side<'_>, request: Request) -> Result<Self> {
        let (gateway, token) = Server::gateway(side.program, &side.database)?;
        let (uid, _) = gateway.payment(&token, BODY)?;
        Ok(Self {
            gateway,
            token,
            uid,
            request,
        })
    }

    /// Returns requests a second, p50, p99, and the CPU time of a request.
    fn figures(&self, seconds: u64) -> Result<[f64; 4]> {
        let run = |url: &str, seconds| match self.request {
            Request::Post => wrk::create(&[url], &self.token, BODY, seconds),
            Request::Get => wrk::read(&[url], &self.token, &self.uid, seconds),
        };
        self.gateway.warm_up(run)?;
        let (figures, cpu) = self.gateway.measure(seconds, run)?;
        Ok([figures.per_second, figures.p50(), figures.p99(), cpu])
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Creates a database on the server of the measurement, and returns its address.
pub(crate) fn create_database(name: &str) -> Result<String> {
    let server = postgres::address();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut connection = PgConnection::connect(&format!("{server}/postgres")).await?;
        // Not of a client: the names are those above.
        query(sqlx_core::sql_str::AssertSqlSafe(format!(
            "CREATE DATABASE {name}"
        )))
        .execute(&mut connection)
        .await?;
        Ok(format!("{server}/{name}"))
    })
}
