//! Where the processor time of a gateway goes: samples of perf, by the part of the program.

use std::process::{Command, Stdio};

use crate::Result;

/// Samples per second. Not a round number, so that they do not keep step with timers.
const FREQUENCY: &str = "997";
/// The parts, with their crates.
const PARTS: [(&str, &str); 5] = [
    (
        "HTTP: hyper, axum",
        "axum axum_core bytes http http_body http_body_util httparse httpdate hyper hyper_util matchit tokio_io_timeout tower \
         tower_http tower_service",
    ),
    ("JSON: serde_json", "itoa serde serde_core serde_json"),
    ("payspec", "payspec"),
    (
        "the gateway: tokens, limits, metrics",
        "base64 dashmap gateway governor metrics payspec_gateway ring sha2 tracing tracing_core tracing_subscriber",
    ),
    (
        "database driver: sqlx",
        "sqlx_core sqlx_postgres sqlx_sqlite",
    ),
];
/// The rest in Rust, and the C library.
const RUNTIME: &str = "runtime: tokio, the standard library";
/// Parts that are not crates.
const OTHERS: [&str; 4] = [
    "SQLite and others in C",
    "memory: jemalloc, copies",
    "kernel: sockets, files, threads",
    "unknown",
];
/// What functions of jemalloc begin with. The others in C are those of SQLite.
const JEMALLOC: [&str; 12] = [
    "_rjem",
    "arena_",
    "base_",
    "bin_",
    "cache_bin",
    "edata",
    "extent",
    "malloc",
    "sdallocx",
    "sz_",
    "tcache",
    "tsd_",
];

/// The percentage of each part.
pub(crate) type Profile = Vec<f64>;

pub(crate) fn parts() -> impl Iterator<Item = &'static str> {
    PARTS
        .iter()
        .map(|(part, _)| *part)
        .chain([RUNTIME])
        .chain(OTHERS)
}

/// Takes samples of a process while a load runs.
pub(crate) fn record<T>(
    process: u32,
    seconds: u64,
    load: impl FnOnce() -> Result<T>,
) -> Result<Profile> {
    let file = std::env::temp_dir().join(format!("gateway-load-{}.perf", std::process::id()));
    let missing = |error| format!("perf: {error}: apt-get install linux-perf");
    let mut perf = Command::new("perf")
        .args([
            "record",
            "--quiet",
            "--freq",
            FREQUENCY,
            "--pid",
            &process.to_string(),
            "--output",
        ])
        .arg(&file)
        .args(["--", "sleep", &seconds.to_string()])
        .spawn()
        .map_err(missing)?;
    load()?;
    if !perf.wait()?.success() {
        return Err("perf has failed".into());
    }
    let mut script = Command::new("perf");
    script
        .args(["script", "--fields", "ip,sym,dso", "--input"])
        .arg(&file);
    let output = script.stderr(Stdio::null()).output().map_err(missing)?;
    std::fs::remove_file(file)?;
    let text = String::from_utf8(output.stdout)?;
    let names: Vec<&str> = parts().collect();
    let mut counts = vec![0_u32; names.len()];
    for (symbol, object) in text.lines().filter_map(sample) {
        let part = part(symbol, object);
        counts[names
            .iter()
            .position(|name| *name == part)
            .ok_or("no such part")?] += 1;
    }
    let all: u32 = counts.iter().sum();
    if all == 0 {
        return Err("perf has taken no samples".into());
    }
    Ok(counts
        .into_iter()
        .map(|count| 100.0 * f64::from(count) / f64::from(all))
        .collect())
}

/// The function and the file of `7f38 memmove (/usr/lib/libc.so.6)`.
fn sample(line: &str) -> Option<(&str, &str)> {
    let (symbol, object) = line.trim().split_once(' ')?.1.rsplit_once(" (")?;
    Some((symbol, object.trim_end_matches(')')))
}

fn part(symbol: &str, object: &str) -> &'static str {
    let [sqlite, memory, kernel, unknown] = OTHERS;
    if object.starts_with("[kernel") {
        return kernel;
    }
    if object.starts_with('[') || symbol == "[unknown]" {
        return unknown;
    }
    if object.contains("libc.so") {
        return if symbol.contains("mem") {
            memory
        } else {
            RUNTIME
        };
    }
    if !symbol.contains("::") {
        return if JEMALLOC.iter().any(|start| symbol.starts_with(start)) {
            memory
        } else {
            sqlite
        };
    }
    // `tokio::…::poll<hyper::…>` is HTTP: the runtime contains what it runs.
    let paths = symbol.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let crates = paths
        .filter_map(|path| path.split_once("::"))
        .map(|(first, _)| first);
    crates.filter_map(of_crate).next().unwrap_or(RUNTIME)
}

fn of_crate(name: &str) -> Option<&'static str> {
    PARTS
        .iter()
        .find(|(_, crates)| crates.split(' ').any(|one| one == name))
        .map(|(part, _)| *part)
}
