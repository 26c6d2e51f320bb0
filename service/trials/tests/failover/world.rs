//! A cluster with three gateways under load.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::process::Command;

use crate::cluster::{Cluster, PASSWORD, READY_TIMEOUT, Replication};
use crate::database::Database;
use crate::gateway::{self, Gateway, PROGRAM};
use crate::load::{Load, Target};
use crate::reads::Reads;
use crate::receiver::Receiver;

pub(crate) const MERCHANT: &str = "shop-42";
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/failover/gateway.toml");
const OPTIONS: [&str; 7] = [
    "--callback-allow",
    "127.0.0.0/8",
    "--callback-pause",
    "100",
    "--callback-timeout",
    "2",
    "--simulate-acquirer=50",
];
const GATEWAYS: usize = 3;
/// The timeouts of clients. After the shorter one they repeat a request that may still be under
/// way; the longer one exceeds that of gateways.
const TIMEOUTS: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(20)];
/// Between two payments of a client. Each takes several commits on two machines.
const PACE: Duration = Duration::from_millis(400);

pub(crate) struct World {
    pub(crate) gateways: Vec<Gateway>,
    pub(crate) receiver: Receiver,
    pub(crate) target: Arc<Target>,
    pub(crate) load: Load,
    pub(crate) reads: Reads,
    pub(crate) cluster: Cluster,
}

impl World {
    pub(crate) async fn start(replication: Replication) -> Self {
        // It installs the cryptography of all clients.
        drop(gateway::client());
        let cluster = Cluster::start(replication).await;
        let root =
            Database::with_retries(&Cluster::database("postgres", "postgres"), READY_TIMEOUT);
        // HAProxy may not have found the primary yet.
        assert_eq!(root.count("SELECT 1").await, 1);
        root.execute(&format!("CREATE ROLE gateway LOGIN PASSWORD '{PASSWORD}'"))
            .await;
        root.execute("CREATE DATABASE payments OWNER gateway").await;
        let receiver = Receiver::start().await;
        let token = token().await;
        let mut gateways = Vec::new();
        for _ in 0..GATEWAYS {
            gateways.push(launch(&cluster).await);
        }
        let bases = gateways
            .iter()
            .map(|gateway| gateway.base.clone())
            .collect();
        let target = Arc::new(Target::new(bases, token, &receiver.url, &TIMEOUTS, PACE));
        let reads = Reads::start(&target);
        let load = Load::start(&target);
        Self {
            gateways,
            receiver,
            target,
            load,
            reads,
            cluster,
        }
    }

    /// Starts a gateway instead of one that was killed.
    pub(crate) async fn start_gateway(&mut self, index: usize) {
        self.gateways[index] = launch(&self.cluster).await;
        self.target.bases.write().unwrap()[index] = self.gateways[index].base.clone();
    }
}

/// The database as the gateways reach it.
pub(crate) fn database() -> Database {
    Database::with_retries(&Cluster::database("gateway", "payments"), READY_TIMEOUT)
}

async fn token() -> String {
    let start = Instant::now();
    loop {
        let (success, out, error) = gateway::run(
            &database(),
            &["token", "new", "--merchant", MERCHANT, "--quiet"],
        );
        if success {
            return out.trim().to_owned();
        }
        assert!(start.elapsed() < READY_TIMEOUT, "{error}");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn launch(cluster: &Cluster) -> Gateway {
    // A file that others may read is refused.
    let config = cluster.folder.path().join("gateway.toml");
    std::fs::copy(CONFIG, &config).unwrap();
    std::fs::set_permissions(&config, Permissions::from_mode(0o600)).unwrap();
    let mut command = Command::new(PROGRAM);
    // There is one merchant here, and one address.
    for limit in [
        "GATEWAY_MERCHANT_RATE",
        "GATEWAY_ADDRESS_RATE",
        "GATEWAY_PENDING_EVENTS",
    ] {
        command.env(limit, "0");
    }
    command
        .env("PGPASSWORD", PASSWORD)
        .env("GATEWAY_CONFIG", config);
    let log = std::env::var_os("FAILOVER_LOG");
    let log = log.map(|path| {
        File::options()
            .create(true)
            .append(true)
            .open(path)
            .unwrap()
    });
    // The address in the file.
    let text = std::fs::read_to_string(CONFIG).unwrap();
    let address = text
        .lines()
        .find_map(|line| line.strip_prefix("database = \"")?.strip_suffix('"'))
        .unwrap();
    Gateway::start_with(
        command,
        address,
        &OPTIONS,
        log.map_or_else(Stdio::null, Into::into),
    )
    .await
}
