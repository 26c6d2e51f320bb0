//! How the rate depends on the number of gateways on one PostgreSQL, and on the number of payments
//! that it has stored.

use std::process::Command;

use sqlx_core::connection::Connection;
use sqlx_core::query::query;
use sqlx_core::raw_sql::raw_sql;
use sqlx_postgres::PgConnection;

use crate::compare::{create_database, median};
use crate::server::{SETTINGS, Server};
use crate::wrk::{self, Figures};
use crate::{BODY, ROUNDS, Result, program};

const GATEWAYS: usize = 3;
/// The numbers of stored payments. One is read by all requests.
const PAYMENTS: [(&str, u32); 4] = [
    ("1", 1),
    ("100,000", 100_000),
    ("1 million", 1_000_000),
    ("10 million", 10_000_000),
];
const STORE: &str = include_str!("payments.sql");

/// The rounds of one position of a plot.
#[derive(Default)]
struct Rounds {
    posts: Vec<Figures>,
    gets: Vec<Figures>,
}

/// Prints both tables.
pub(crate) fn run(seconds: u64) -> Result<()> {
    let tables = PAYMENTS.map(|(_, payments)| Stored::start(payments));
    let tables = tables.into_iter().collect::<Result<Vec<_>>>()?;
    eprintln!("the payments are stored");
    println!(
        "## Growth\n\nPostgreSQL, {} connections, the medians of {ROUNDS} interleaved rounds of {seconds} s each; {} cores, shared \
         with wrk and PostgreSQL.\n",
        wrk::CONNECTIONS,
        std::thread::available_parallelism()?
    );
    println!(
        "### Gateways that share the connections\n\n{}",
        by_gateways(seconds)?
    );
    println!(
        "### Payments that are stored with their keys\n\n{}",
        by_payments(&tables, seconds)?
    );
    Ok(())
}

fn by_gateways(seconds: u64) -> Result<String> {
    let database = create_database("gateways")?;
    let servers = (0..GATEWAYS)
        .map(|_| Server::gateway(&program()?, &database))
        .collect::<Result<Vec<_>>>()?;
    let urls: Vec<&str> = servers.iter().map(|(server, _)| server.url()).collect();
    let (first, token) = servers.first().ok_or("no gateways")?;
    let (uid, _) = first.payment(token, BODY)?;
    wrk::create(&urls, token, BODY, 2)?;
    let mut rounds: [Rounds; GATEWAYS] = Default::default();
    for _ in 0..ROUNDS {
        for (index, rounds) in rounds.iter_mut().enumerate() {
            let urls = &urls[..=index];
            rounds.posts.push(wrk::create(urls, token, BODY, seconds)?);
            rounds.gets.push(wrk::read(urls, token, &uid, seconds)?);
        }
    }
    Ok(table(
        "gateways",
        rounds
            .iter()
            .enumerate()
            .map(|(index, rounds)| ((index + 1).to_string(), rounds)),
    ))
}

fn by_payments(tables: &[Stored], seconds: u64) -> Result<String> {
    let mut rounds: [Rounds; PAYMENTS.len()] = Default::default();
    for table in tables {
        table.create(2)?;
        table.read(2)?;
    }
    for _ in 0..ROUNDS {
        for (rounds, table) in rounds.iter_mut().zip(tables) {
            rounds.posts.push(table.create(seconds)?);
            rounds.gets.push(table.read(seconds)?);
        }
    }
    Ok(table(
        "payments",
        PAYMENTS
            .iter()
            .zip(&rounds)
            .map(|((name, _), rounds)| ((*name).to_owned(), rounds)),
    ))
}

fn table<'r>(axis: &str, rows: impl Iterator<Item = (String, &'r Rounds)>) -> String {
    let mut out = format!(
        "| {axis} | POST requests/s | GET requests/s | POST p99 ms | GET p99 ms |\n|---|---:|---:|---:|---:|\n"
    );
    for (name, Rounds { posts, gets }) in rows {
        let rate = |figures: &[Figures]| {
            median(figures.iter().map(|figures| figures.per_second).collect())
        };
        let p99 = |figures: &[Figures]| median(figures.iter().map(Figures::p99).collect());
        let (post, get) = (rate(posts), rate(gets));
        out += &format!(
            "| {name} | {post:.0} | {get:.0} | {:.2} | {:.2} |\n",
            p99(posts),
            p99(gets)
        );
    }
    out
}

/// A gateway with a database of its own.
struct Stored {
    gateway: Server,
    token: String,
    payments: u32,
}

impl Stored {
    /// Stores completed payments.
    fn start(payments: u32) -> Result<Self> {
        let database = create_database(&format!("payments_{payments}"))?;
        let (gateway, token) = Server::gateway(&program()?, &database)?;
        let mut body: serde_json::Value = serde_json::from_str(BODY)?;
        // Its callbacks would be sent during the measurement. The less is stored, the less disk is
        // needed.
        body.as_object_mut()
            .ok_or("no object")?
            .retain(|name, _| name != "callback" && name != "redirect_url");
        let (uid, _) = gateway.payment(&token, &body.to_string())?;
        for state in ["routed", "completed"] {
            let mut advance = Command::new(program()?);
            advance
                .args(["advance", &uid, state])
                .env("GATEWAY_DATABASE", &database)
                .envs(SETTINGS);
            let output = advance.output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let mut connection = PgConnection::connect(&database).await?;
            let set = query("SELECT set_config('load.payments', $1, FALSE), set_config('load.template', $2, FALSE)");
            set.bind(payments.to_string()).bind(uid).execute(&mut connection).await?;
            raw_sql(STORE).execute(&mut connection).await?;
            // The server would do both during the measurement.
            raw_sql("VACUUM (ANALYZE) payments, idempotency").execute(&mut connection).await?;
            raw_sql("CHECKPOINT").execute(&mut connection).await
        })?;
        Ok(Self {
            gateway,
            token,
            payments,
        })
    }

    fn create(&self, seconds: u64) -> Result<Figures> {
        wrk::create(&[self.gateway.url()], &self.token, BODY, seconds)
    }

    fn read(&self, seconds: u64) -> Result<Figures> {
        wrk::read_stored(&[self.gateway.url()], &self.token, self.payments, seconds)
    }
}
