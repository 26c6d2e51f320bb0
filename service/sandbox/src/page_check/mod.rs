//! `payspec page check`: compares a served checkout page with the inventory of its build.

mod compare;
mod inventory;
mod served;
mod tags;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use reqwest::Url;
use serde_json::json;

use crate::failure::Failure;
use compare::{Difference, differences};
use inventory::Inventory;
use served::Served;

/// Compare a served checkout page with the inventory of its scripts
#[derive(Args, Debug)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(CheckOptions),
}

/// Compare the headers, scripts, and hashes of a served checkout page with its inventory
///
/// Prints a line for each difference. The exit status is 0 without differences, 1 with some, and 2 if
/// the page or the inventory cannot be read.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  payspec page check https://pay.example/checkout/ --inventory inventory.json"
)]
struct CheckOptions {
    /// The address of the page
    #[arg(value_name = "URL")]
    url: String,
    /// The list of scripts that the build of the page has written: a copy that the server of the page
    /// cannot change
    #[arg(long, value_name = "FILE")]
    inventory: PathBuf,
    /// Print the differences as JSON
    #[arg(long)]
    json: bool,
    /// Seconds until a request without an answer has failed
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// Runs the command. Returns whether the page is as its inventory lists it.
///
/// # Errors
/// Returns an error if the page or the inventory cannot be read.
pub fn run(options: &Options) -> Result<bool, Failure> {
    let Command::Check(options) = &options.command;
    let url = address(&options.url)?;
    let inventory = Inventory::read(&options.inventory)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::starting(&error))?;
    let timeout = Duration::from_secs(options.timeout);
    let served = runtime.block_on(Served::read(&url, &inventory, timeout))?;
    let found = differences(&served, &inventory);
    let report = if options.json {
        as_json(&url, &found)?
    } else {
        as_text(&url, &inventory, &found)
    };
    anstream::stdout().lock().write_all(report.as_bytes())?;
    Ok(found.is_empty())
}

/// Parses the address of the page. A user name and a password would be shown in reports.
fn address(text: &str) -> Result<Url, Failure> {
    const EXPECTED: &str =
        "URL: expected an address that begins with http:// or https://, without a user name";
    let url = Url::parse(text).map_err(|_| Failure::new(EXPECTED))?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    if !matches!(url.scheme(), "http" | "https") || !is_plain {
        return Err(Failure::new(EXPECTED));
    }
    Ok(url)
}

fn as_text(url: &Url, inventory: &Inventory, found: &[Difference]) -> String {
    if found.is_empty() {
        let (scripts, styles) = (inventory.scripts.len(), inventory.styles.len());
        return format!(
            "{}: headers and page as in the inventory; scripts: {scripts}, style sheets: {styles}\n",
            shown(url)
        );
    }
    found
        .iter()
        .map(|difference| format!("{difference}\n"))
        .collect()
}

fn as_json(url: &Url, found: &[Difference]) -> Result<String, Failure> {
    let report = json!({
        "url": shown(url), "matches": found.is_empty(), "differences": found,
    });
    serde_json::to_string_pretty(&report)
        .map(|text| text + "\n")
        .map_err(|_| Failure::new("the report cannot be written as JSON"))
}

/// Returns the address without its query, which may contain the id of a checkout session.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}
