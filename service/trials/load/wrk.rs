//! Runs wrk, and reads what it found.

use std::process::Command;

use crate::Result;

/// The number of connections, which one, two, and three servers share evenly.
pub(crate) const CONNECTIONS: u32 = 30;

/// The percentiles of the latency that are measured. They are texts, for wrk and for the heads of
/// tables.
pub(crate) const PERCENTILES: [&str; 6] = ["50", "75", "90", "95", "99", "99.9"];

/// The result of a run.
pub(crate) struct Figures {
    pub(crate) requests: f64,
    pub(crate) per_second: f64,
    /// Milliseconds for each percentile.
    pub(crate) latency: [f64; PERCENTILES.len()],
}

impl Figures {
    pub(crate) fn p50(&self) -> f64 {
        self.latency[0]
    }

    pub(crate) fn p99(&self) -> f64 {
        self.latency[4]
    }
}

/// Gives each server a thread.
const SETUP: &str = r#"
local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("thread", threads)
  local number = 0
  for port in string.gmatch(os.getenv("LOAD_PORTS"), "%S+") do
    number = number + 1
    if number == threads then
      thread.addr = wrk.lookup("127.0.0.1", port)[1]
    end
  end
end
"#;

/// Every request has a key of its own, as those of a shop have.
const CREATE: &str = r#"
wrk.method = "POST"
wrk.body = os.getenv("LOAD_BODY")
wrk.headers["Authorization"] = "Bearer " .. os.getenv("LOAD_TOKEN")
wrk.headers["Content-Type"] = "application/json"
local number = 0
local run = os.getenv("LOAD_RUN")
function request()
  number = number + 1
  wrk.headers["Idempotency-Key"] = "order-" .. run .. "-" .. thread .. "-" .. number
  return wrk.format()
end
"#;

const READ: &str = r#"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("LOAD_TOKEN")
"#;

/// Reads the payments of `payments.sql` in random order.
const READ_STORED: &str = r#"
local stored = tonumber(os.getenv("LOAD_STORED"))
function init(arguments)
  -- Otherwise each run and each thread would read the same payments. The last digits are those that differ.
  math.randomseed(tonumber(string.sub(os.getenv("LOAD_RUN"), -9)) + thread)
end
function request()
  local number = string.format("%08x", math.random(stored))
  return wrk.format(nil, "/v1/payments/" .. number:reverse() .. "-0000-4000-8000-0000" .. number .. "/status")
end
"#;

const DONE: &str = r#"
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("FIGURES %d %d %d", summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
  for percentile in string.gmatch(os.getenv("LOAD_PERCENTILES"), "%S+") do
    io.write(" ", latency:percentile(tonumber(percentile)))
  end
  io.write("\n")
end
"#;

pub(crate) fn create(urls: &[&str], token: &str, body: &str, seconds: u64) -> Result<Figures> {
    run(
        urls,
        "/v1/payments/new",
        &[CREATE],
        &[("LOAD_TOKEN", token), ("LOAD_BODY", body)],
        seconds,
    )
}

pub(crate) fn read(urls: &[&str], token: &str, uid: &str, seconds: u64) -> Result<Figures> {
    run(
        urls,
        &format!("/v1/payments/{uid}/status"),
        &[READ],
        &[("LOAD_TOKEN", token)],
        seconds,
    )
}

/// Reads as many stored payments.
pub(crate) fn read_stored(
    urls: &[&str],
    token: &str,
    payments: u32,
    seconds: u64,
) -> Result<Figures> {
    let variables = [
        ("LOAD_TOKEN", token),
        ("LOAD_STORED", &payments.to_string()),
    ];
    run(urls, "/", &[READ, READ_STORED], &variables, seconds)
}

/// Runs wrk against servers, which share its connections.
fn run(
    urls: &[&str],
    path: &str,
    scripts: &[&str],
    variables: &[(&str, &str)],
    seconds: u64,
) -> Result<Figures> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    let ports: Vec<&str> = urls
        .iter()
        .filter_map(|url| url.rsplit(':').next())
        .collect();
    // Runs against other servers may take place at the same time.
    let script = format!("gateway-load-{}.lua", ports.join("-"));
    let script = std::env::temp_dir().join(script);
    std::fs::write(&script, [&[SETUP], scripts, &[DONE]].concat().concat())?;
    let url = format!("{}{path}", urls.first().ok_or("no servers")?);
    let output = Command::new("wrk")
        // One thread for each: the keys are counted in it, and one is more than the server beside
        // it can serve.
        .args([
            format!("-t{}", urls.len()),
            format!("-c{CONNECTIONS}"),
            format!("-d{seconds}s"),
            "-s".to_owned(),
        ])
        .args([script.as_os_str(), url.as_ref()])
        .envs(variables.iter().copied())
        .envs([
            ("LOAD_PORTS", ports.join(" ")),
            ("LOAD_RUN", now.as_nanos().to_string()),
        ])
        .env("LOAD_PERCENTILES", PERCENTILES.join(" "))
        .output()
        .map_err(|error| format!("wrk: {error}: apt-get install wrk"))?;
    std::fs::remove_file(&script)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("FIGURES "))
        .ok_or_else(|| format!("expected the figures of wrk, found: {text}"))?;
    let numbers = line
        .split(' ')
        .map(str::parse)
        .collect::<std::result::Result<Vec<f64>, _>>()?;
    let [requests, micros, errors, latency @ ..] = numbers.as_slice() else {
        return Err("wrk's figures".into());
    };
    let latency: [f64; PERCENTILES.len()] = latency.try_into()?;
    if *errors > 0.0 || *requests < 1.0 {
        return Err(format!("{errors} of {requests} requests have failed").into());
    }
    Ok(Figures {
        requests: *requests,
        per_second: requests / micros * 1e6,
        latency: latency.map(|micros| micros / 1e3),
    })
}
