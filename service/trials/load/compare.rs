//! Two versions of the gateway, measured in turn: the other programs of a machine disturb both
//! alike.

use std::path::Path;

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
        "{ROUNDS} rounds in turn, {} connections, {seconds} s each\n",
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
            // Each is the first one in half of the rounds.
            let (first, second) = if round % 2 == 0 {
                (before, after)
            } else {
                (after, before)
            };
            let mut figures = [
                first.figures(request, seconds)?,
                second.figures(request, seconds)?,
            ];
            if round % 2 != 0 {
                figures.swap(0, 1);
            }
            let [before, after] = figures;
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

impl Side<'_> {
    /// Starts the gateway, and returns requests a second, p50, p99, and the CPU time of a request.
    ///
    /// Every round starts it again, since two processes of one program differ by several percent.
    fn figures(&self, request: Request, seconds: u64) -> Result<[f64; 4]> {
        let (gateway, token) = Server::gateway(self.program, &self.database)?;
        let (uid, _) = gateway.payment(&token, BODY)?;
        let run = |url: &str, seconds| match request {
            Request::Post => wrk::create(&[url], &token, BODY, seconds),
            Request::Get => wrk::read(&[url], &token, &uid, seconds),
        };
        gateway.warm_up(run)?;
        let (figures, cpu) = gateway.measure(seconds, run)?;
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
