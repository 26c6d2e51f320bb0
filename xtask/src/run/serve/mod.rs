//! `cargo xtask serve`: runs the service of the specification with its checkout page on this
//! machine.

mod check;
mod gateway;
mod page;

use crate::setup::{self, Consent};
use crate::support::disk;
use crate::support::process::target;
use crate::support::style::{BOLD, FAINT, WARN};
use anstream::{eprintln, println};
use anyhow::{Result, anyhow};
pub(crate) use check::check;
use clap::Args;
use gateway::Gateway;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread;

/// Returns the folder of the page, the database, and the logs.
fn folder() -> PathBuf {
    target().join("gateway")
}

/// Builds the checkout page if it is older than its sources, and returns its folder.
pub(crate) fn page() -> Result<PathBuf> {
    page::build()
}

const BODY: &str =
    r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;
/// Tools of the service, and additional ones of its page.
const TOOLS: &str = "cc";
pub(crate) const PAGE_TOOLS: &str = "wasm32 rust-src node";
/// Returns true if the command needs a tool.
pub(crate) fn needs(tool: &str) -> bool {
    [TOOLS, PAGE_TOOLS]
        .iter()
        .flat_map(|list| list.split(' '))
        .any(|name| name == tool)
}

/// Disk space for the build and the database.
const GIBIBYTES: u64 = 3;

/// Address and database of the service.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Address and port; port 0 selects a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// sqlite:PATH or postgres://…; by default SQLite below target
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    #[command(flatten)]
    consent: Consent,
}

/// Builds and starts the service, and runs it until a signal.
pub(crate) fn run(options: &Options) -> Result<()> {
    // Checked first, so that a port in use is reported before minutes of building.
    is_free(options.listen)?;
    let folder = folder();
    disk::writable(
        &folder,
        if target().join("debug/gateway").exists() {
            0
        } else {
            GIBIBYTES
        },
    )?;
    setup::require(TOOLS, options.consent)?;
    let page_tools = setup::require(PAGE_TOOLS, options.consent);
    // Parallel, since each build leaves processors idle.
    let (page, program) = thread::scope(|scope| {
        let page = scope.spawn(|| page_tools.and_then(|()| page::build()));
        let program = gateway::build();
        (
            page.join()
                .unwrap_or_else(|_| Err(anyhow!("the build of the page has panicked"))),
            program,
        )
    });
    let program = program?;
    let page = page
        .map_err(|reason| {
            eprintln!("{WARN}The service starts without its page:{WARN:#} {reason:#}\n")
        })
        .ok();
    let database = options
        .database
        .clone()
        .unwrap_or_else(|| format!("sqlite:{}", folder.join("gateway.db").display()));
    let token = gateway::token(&program, &database)?;
    let (gateway, address) = Gateway::start(&program, &database, options.listen, page.as_deref())?;
    let base = format!("http://{}", reachable(address));
    println!("\n{BOLD}api:{BOLD:#} {base}");
    if page.is_some() {
        println!("{BOLD}page:{BOLD:#} {base}/checkout/");
    }
    println!("{BOLD}token:{BOLD:#} {token}");
    println!(
        "\ncurl -i {base}/v1/payments/new -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' -d '{BODY}'"
    );
    println!(
        "\n{FAINT}{base}/docs documents the API. Logs: {}. Ctrl-C ends it.{FAINT:#}",
        gateway.log().display()
    );
    gateway.wait()
}

fn is_free(address: SocketAddr) -> Result<()> {
    match TcpListener::bind(address) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Err(anyhow!(
            "{address} is used by another program. `cargo xtask serve --listen 127.0.0.1:0` selects a free port."
        )),
        Err(error) => Err(anyhow!("{address}: {error}")),
    }
}

/// Returns the address with which a program on this machine can connect.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_an_unspecified_address_as_localhost() {
        let shown = |address: &str| reachable(address.parse().unwrap()).to_string();
        assert_eq!(shown("0.0.0.0:81"), "127.0.0.1:81");
        assert_eq!(shown("[::]:81"), "[::1]:81");
        assert_eq!(shown("10.0.0.1:81"), "10.0.0.1:81");
    }
}
