//! A gateway under load, with a merchant's receiver and a probe of `/readyz`.

use std::path::{Path, PathBuf};
use std::process::{Command as Blocking, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use tokio::process::Command;

use crate::checks::{self, Outcome};
use crate::database::Database;
use crate::gateway::{self, Gateway, PROGRAM};
use crate::load::{Load, Target};
use crate::ready::{Expected, Watch};
use crate::receiver::Receiver;

pub(crate) const MERCHANT: &str = "shop-42";
const OPTIONS: [&str; 7] = [
    "--callback-allow",
    "127.0.0.0/8",
    "--callback-pause",
    "100",
    "--callback-timeout",
    "2",
    "--simulate-acquirer=50",
];
/// How long the load runs before the fault: memory is compared with what there is then.
const WARM_UP: Duration = Duration::from_millis(1500);
/// How long it may take until payments are answered again.
pub(crate) const RECOVERY: Duration = Duration::from_secs(30);
/// Between two payments of a client.
const PACE: Duration = Duration::from_millis(60);
/// How long clients wait: longer than the gateway waits for its database.
const TIMEOUTS: [Duration; 1] = [Duration::from_secs(20)];

/// The kind of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    pub(crate) async fn database(self) -> Database {
        match self {
            Self::Sqlite => Database::sqlite(),
            Self::Postgres => Database::postgres().await,
        }
    }
}

/// How a gateway is started.
pub(crate) struct Launch {
    pub(crate) command: Command,
    pub(crate) arguments: Vec<String>,
    /// The target of the log.
    pub(crate) stderr: Stdio,
    /// The database as the gateway finds it.
    pub(crate) url: Option<String>,
}

impl Launch {
    pub(crate) fn plain() -> Self {
        Self::through(Command::new(PROGRAM))
    }

    /// Below another program.
    pub(crate) fn through(command: Command) -> Self {
        Self {
            command,
            arguments: Vec::new(),
            stderr: Stdio::null(),
            url: None,
        }
    }

    pub(crate) fn log(mut self, stderr: impl Into<Stdio>) -> Self {
        self.stderr = stderr.into();
        self
    }

    pub(crate) fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments
            .extend(arguments.iter().map(ToString::to_string));
        self
    }
}

pub(crate) struct World {
    pub(crate) database: Database,
    /// The gateway's file of SQLite, if it is not `database` itself.
    pub(crate) hidden: Option<PathBuf>,
    pub(crate) receiver: Receiver,
    pub(crate) gateway: Gateway,
    pub(crate) target: Arc<Target>,
    pub(crate) watch: Watch,
    load: Load,
    /// KiB of memory before the fault.
    pub(crate) memory: u64,
    recovery: Duration,
    probes: AtomicU32,
}

impl World {
    /// Starts all, and waits until the load runs.
    pub(crate) async fn start(database: Database, launch: Launch) -> Self {
        let receiver = Receiver::start().await;
        let token = gateway::token(&database, MERCHANT);
        let gateway = run(&database, launch).await;
        let target = Arc::new(Target::new(
            vec![gateway.base.clone()],
            token,
            &receiver.url,
            &TIMEOUTS,
            PACE,
        ));
        let watch = Watch::start(ready(&gateway), Arc::clone(&target));
        let load = Load::start(&target);
        let (recovery, probes) = (Duration::ZERO, AtomicU32::new(0));
        let mut world = Self {
            database,
            hidden: None,
            receiver,
            gateway,
            target,
            watch,
            load,
            memory: 0,
            recovery,
            probes,
        };
        tokio::time::sleep(WARM_UP).await;
        world.memory = checks::memory(world.pid());
        assert!(world.target.ledger.answered() > 0, "no request is answered");
        world
    }

    pub(crate) fn pid(&self) -> u32 {
        self.gateway.child.id().expect("the gateway runs")
    }

    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.gateway
            .base
            .trim_start_matches("http://")
            .parse()
            .unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Blocking::new("kill")
            .args([&format!("-{name}"), &self.pid().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Starts another gateway on the same database, to which clients turn.
    pub(crate) async fn restart(&mut self, launch: Launch) {
        self.gateway = run(&self.database, launch).await;
        *self.target.bases.write().unwrap() = vec![self.gateway.base.clone()];
        self.watch.turn_to(ready(&self.gateway));
    }

    /// The fault is over: waits until it is ready and a new payment is answered.
    pub(crate) async fn recovers(&mut self) {
        let start = Instant::now();
        self.watch.becomes(Expected::Ready, RECOVERY).await;
        loop {
            let key = format!("probe-{}", self.probes.fetch_add(1, Ordering::SeqCst));
            // Also what is not answered is to be settled, so the key is repeated.
            while !self.target.attempt(&key).await {
                assert!(
                    start.elapsed() < RECOVERY,
                    "no payment is answered: {:?}",
                    self.target.ledger.errors()
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            if self.target.ledger.entries()[&key].uid.is_some() {
                break;
            }
        }
        self.recovery = self.recovery.max(start.elapsed());
    }

    /// The database as it is now.
    pub(crate) fn database(&self) -> Database {
        let Some(hidden) = &self.hidden else {
            return Database::at(&self.database.url);
        };
        // The files of a stopped process are as if it had been killed. SQLite would
        // follow the link to the root of the process, so it cannot open the file itself.
        self.signal("STOP");
        let threads = || std::fs::read_dir(format!("/proc/{}/task", self.pid())).unwrap();
        while threads().any(|thread| !is_stopped(&thread.unwrap().path())) {
            std::thread::yield_now();
        }
        // Each copy has a folder of its own: a thread of sqlx closes a connection after it is
        // dropped, and with the last connection SQLite deletes the write-ahead log of that name,
        // which would be the one of the next copy.
        let copy = Database::sqlite();
        let to = copy.url.trim_start_matches("sqlite:");
        for end in ["", "-wal"] {
            std::fs::copy(format!("{}{end}", hidden.display()), format!("{to}{end}")).unwrap();
        }
        self.signal("CONT");
        copy
    }

    /// Repeats a key outside the record, and returns the answer's status and code.
    pub(crate) async fn ask(&self, key: &str) -> (u16, String) {
        let answer = self
            .gateway
            .create(&self.target.token, Some(key), &self.target.body)
            .await;
        (answer.status, answer.code())
    }

    /// Ends the load, and checks what must hold after every fault.
    pub(crate) async fn end(mut self, limits: checks::Limits) -> Outcome {
        self.load.end(RECOVERY).await;
        checks::all(&self).await;
        checks::memory_is_back(self.pid(), self.memory, limits.memory).await;
        let (wrong, all) = self.watch.results();
        assert!(
            wrong.is_empty(),
            "/readyz was wrong {} of {all} times: {:?}",
            wrong.len(),
            &wrong[..wrong.len().min(5)]
        );
        let ledger = &self.target.ledger;
        let errors = ledger.errors();
        assert!(
            !limits.no_errors || errors.is_empty(),
            "clients have seen {errors:?}"
        );
        Outcome {
            answered: ledger.answered(),
            errors,
            recovery: self.recovery,
        }
    }
}

fn is_stopped(thread: &Path) -> bool {
    // It may have ended.
    let stat = std::fs::read_to_string(thread.join("stat"));
    stat.map_or(true, |stat| {
        stat.rsplit_once(") ")
            .is_some_and(|(_, rest)| rest.starts_with('T'))
    })
}

async fn run(database: &Database, mut launch: Launch) -> Gateway {
    // There is one merchant here, and one address.
    for limit in [
        "GATEWAY_MERCHANT_RATE",
        "GATEWAY_ADDRESS_RATE",
        "GATEWAY_PENDING_EVENTS",
    ] {
        launch.command.env(limit, "0");
    }
    // Without it, only root sees the descriptors and file systems of a protected process.
    launch.command.env("PAYSPEC_TEST_READABLE_MEMORY", "1");
    let url = launch.url.as_deref().unwrap_or(&database.url);
    let own = launch.arguments.iter().map(String::as_str);
    let arguments: Vec<&str> = OPTIONS.into_iter().chain(own).collect();
    Gateway::start_with(launch.command, url, &arguments, launch.stderr).await
}

fn ready(gateway: &Gateway) -> String {
    gateway
        .request(Method::GET, "/readyz", None)
        .build()
        .unwrap()
        .url()
        .to_string()
}
