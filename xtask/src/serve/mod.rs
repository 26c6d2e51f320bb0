//! `cargo xtask serve`: the service of the specification with its page, on this machine.

mod check;
mod gateway;
mod page;

use crate::look::{BOLD, FAINT, WARN};
use crate::tools::target;
use anstream::{eprintln, println};
pub(crate) use check::check;
use gateway::Gateway;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;

const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// What the page and the token are for.
const MERCHANT: &str = "shop-42";
const BODY: &str = r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments == ["--check"] {
        return check().1.map_or(Ok(()), Err);
    }
    let wanted = Wanted::of(arguments)?;
    // Said at once, and not after minutes of building.
    is_free(wanted.listen)?;
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let page = page::build().map_err(|reason| {
        eprintln!("{WARN}The service starts without its page:{WARN:#} {reason}\n");
    });
    let program = gateway::build()?;
    let database = wanted.database.unwrap_or_else(|| format!("sqlite:{}", folder.join("gateway.db").display()));
    let token = gateway::token(&program, &database)?;
    let (gateway, address) = Gateway::start(&program, &database, wanted.listen, page.as_deref().ok())?;
    let base = format!("http://{}", reachable(address));
    println!("\n{BOLD}api:{BOLD:#} {base}");
    if page.is_ok() {
        println!("{BOLD}page:{BOLD:#} {base}/checkout/");
    }
    println!("{BOLD}token:{BOLD:#} {token}");
    println!("\ncurl -i {base}/v1/payments/new -H 'Authorization: Bearer {token}' -d '{BODY}'");
    println!("\n{FAINT}{base}/docs shows the interface. Logs: {}. Ctrl-C ends it.{FAINT:#}", gateway.log().display());
    gateway.wait()
}

/// What was asked for.
#[derive(Debug, PartialEq)]
struct Wanted {
    listen: SocketAddr,
    database: Option<String>,
}

impl Wanted {
    fn of(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted { listen: LISTEN, database: None };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let mut value = || value.clone().or_else(|| rest.next().cloned()).ok_or(format!("{name} wants a value"));
            match name {
                "--listen" => {
                    let text = value()?;
                    wanted.listen = text
                        .parse()
                        .map_err(|_| format!("--listen wants an address and a port, {LISTEN}, not {text}"))?;
                }
                "--database" => wanted.database = Some(value()?),
                _ => return Err(format!("serve takes --listen ADDR and --database URL, not {name}")),
            }
        }
        Ok(wanted)
    }
}

/// Where payments, page and log are kept.
fn folder() -> PathBuf {
    target().join("gateway")
}

fn is_free(address: SocketAddr) -> Result<(), String> {
    match TcpListener::bind(address) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Err(format!(
            "{address} is taken by another program. `cargo xtask serve --listen 127.0.0.1:0` takes any port that is free."
        )),
        Err(error) => Err(format!("{address}: {error}")),
    }
}

/// An address that a program on this machine can call.
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

    fn of(arguments: &[&str]) -> Result<Wanted, String> {
        Wanted::of(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_read() {
        let free = "127.0.0.1:0".parse().unwrap();
        assert_eq!(of(&[]).unwrap(), Wanted { listen: LISTEN, database: None });
        assert_eq!(of(&["--listen", "127.0.0.1:0"]).unwrap(), Wanted { listen: free, database: None });
        let database = Some("postgres://localhost/a?b=c".to_owned());
        assert_eq!(
            of(&["--database=postgres://localhost/a?b=c", "--listen=127.0.0.1:0"]).unwrap(),
            Wanted { listen: free, database }
        );
        for wrong in [&["--listen"][..], &["--listen", "8080"], &["--database"], &["--port", "1"], &["up"]] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_address_of_all_networks_is_shown_as_this_machine() {
        let shown = |address: &str| reachable(address.parse().unwrap()).to_string();
        assert_eq!(shown("0.0.0.0:81"), "127.0.0.1:81");
        assert_eq!(shown("[::]:81"), "[::1]:81");
        assert_eq!(shown("10.0.0.1:81"), "10.0.0.1:81");
    }
}
