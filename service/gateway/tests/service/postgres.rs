//! A PostgreSQL server of the tests' own. It ends with them, however they end.

use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Makes the cluster, serves it, and removes it when its standard input ends: that is, when the
/// tests do. A line of the input is the name of a signal that stops the server; after the next line
/// it is there again.
const SCRIPT: &str = r#"
set -e
"$1/initdb" -D "$2/data" -U gateway --auth=trust --no-sync >"$2/initdb.log" 2>&1
serve() {
    "$1/postgres" -D "$2/data" -p "$3" -k "$2" -c listen_addresses=127.0.0.1 -c fsync="$4" -c max_connections=200 >>"$2/log" 2>&1 &
    server=$!
}
stop() {
    kill -"$1" $server
    wait $server || true
}
serve "$@"
while read -r signal; do
    stop "$signal"
    read -r _ || break
    serve "$@"
done
stop INT 2>/dev/null || true
rm -rf "$2"
"#;

struct Server {
    port: u16,
    // Its standard input is what keeps the server alive.
    guard: Mutex<Child>,
}

static SERVER: OnceLock<Server> = OnceLock::new();

/// The address of a database on the server, without the database's name.
pub(crate) fn address() -> String {
    let server = SERVER.get_or_init(start);
    format!("postgres://gateway@127.0.0.1:{}", server.port)
}

/// Stops the server by a signal (`INT`: at once, `QUIT`: as in a crash), or with any other word
/// starts it again.
#[allow(dead_code, reason = "only the chaos suite does")]
pub(crate) fn order(word: &str) {
    let mut guard = SERVER.get().expect("a server").guard.lock().unwrap();
    writeln!(guard.stdin.as_mut().unwrap(), "{word}").unwrap();
}

fn start() -> Server {
    let found = Command::new("pg_config")
        .arg("--bindir")
        .output()
        .expect("pg_config: is PostgreSQL installed?");
    let bindir = String::from_utf8(found.stdout).unwrap().trim().to_owned();
    let folder = std::env::temp_dir().join(format!("gateway-pg-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let port = free_port();
    let mut command = user(&folder);
    let guard = command
        .args([
            "sh",
            "-c",
            SCRIPT,
            "sh",
            &bindir,
            folder.to_str().unwrap(),
            &port.to_string(),
            crate::FSYNC,
        ])
        .stdin(Stdio::piped())
        .current_dir("/")
        .spawn()
        .unwrap();
    let (ready, start) = (Path::new(&bindir).join("pg_isready"), Instant::now());
    while !Command::new(&ready)
        .args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()])
        .status()
        .unwrap()
        .success()
    {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "PostgreSQL does not start: see {}",
            folder.display()
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    Server {
        port,
        guard: Mutex::new(guard),
    }
}

/// A free port below those that the system gives to clients, whose connections would take it
/// meanwhile.
fn free_port() -> u16 {
    let ports = (0..10_000)
        .map(|number| 20_000 + u16::try_from((std::process::id() + number) % 10_000).unwrap());
    ports
        .into_iter()
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}

/// PostgreSQL refuses to run as root, so root switches to another user.
fn user(folder: &Path) -> Command {
    let id = Command::new("id").arg("-u").output().unwrap();
    if id.stdout.trim_ascii() != b"0" {
        return Command::new("env");
    }
    let there = |name: &&str| {
        Command::new("id")
            .arg(name)
            .output()
            .unwrap()
            .status
            .success()
    };
    let name = ["postgres", "nobody"]
        .into_iter()
        .find(there)
        .expect("a user that is not root");
    assert!(
        Command::new("chown")
            .arg(name)
            .arg(folder)
            .status()
            .unwrap()
            .success()
    );
    let mut command = Command::new("runuser");
    command.args(["-u", name, "--"]);
    command
}
